internal import CGtk4

/// What a signal of GObject brings to its handler, beside the object that sent it.
struct SignalArguments {
    private let values: UnsafePointer<GValue>?
    private let count: Int

    fileprivate init(_ values: UnsafePointer<GValue>?, _ count: Int) { (self.values, self.count) = (values, count) }

    /// The text at a position; nil if there is none.
    func string(_ position: Int) -> String? {
        guard let value = value(position), cgtk4_value_type(value) == CGTK4_TYPE_STRING else { return nil }
        return g_value_get_string(value).map { String(cString: $0) }
    }

    /// The text in the variant at a position; nil if there is none.
    func stringVariant(_ position: Int) -> String? {
        guard let value = value(position), cgtk4_value_type(value) == CGTK4_TYPE_VARIANT,
            let variant = g_value_get_variant(value), g_variant_is_of_type(variant, cgtk4_string_type()) != 0
        else { return nil }
        return g_variant_get_string(variant, nil).map { String(cString: $0) }
    }

    /// The number at a position; nil if there is none.
    func int(_ position: Int) -> Int32? {
        guard let value = value(position), cgtk4_value_type(value) == CGTK4_TYPE_INT else { return nil }
        return g_value_get_int(value)
    }

    /// The pointer at a position, such as an object; nil if there is none.
    func pointer(_ position: Int) -> UnsafeMutableRawPointer? {
        value(position).flatMap { g_value_peek_pointer($0) }
    }

    private func value(_ position: Int) -> UnsafePointer<GValue>? {
        // The first one is the object that sent it.
        guard let values, position + 1 < count else { return nil }
        return values + position + 1
    }
}

/// A handler of a signal, which GObject owns: it is released with the object that it was connected to.
private final class SignalHandler {
    let handle: @Interface (SignalArguments) -> Bool

    init(_ handle: @escaping @Interface (SignalArguments) -> Bool) { self.handle = handle }
}

/// Connects a handler to a signal of an object, until the object is gone.
///
/// GObject keeps the handler, and with it all that it captures: what owns the object has to be captured weakly.
/// - Parameter handle: Returns the answer to a signal that asks whether it was handled; others do not look at it.
@Interface
func connect(
    _ object: UnsafeMutableRawPointer, _ signal: String, _ handle: @escaping @Interface (SignalArguments) -> Bool
) {
    let data = Unmanaged.passRetained(SignalHandler(handle)).toOpaque()
    guard let closure = g_closure_new_simple(guint(MemoryLayout<GClosure>.size), data) else { return }
    g_closure_add_finalize_notifier(closure, data) { data, _ in
        data.map { Unmanaged<SignalHandler>.fromOpaque($0).release() }
    }
    g_closure_set_marshal(closure) { closure, result, count, values, _, _ in
        guard let data = closure?.pointee.data else { return }
        // Both are used by nobody else while the signal is emitted, which is in GLib's main loop.
        nonisolated(unsafe) let handler = Unmanaged<SignalHandler>.fromOpaque(data).takeUnretainedValue()
        nonisolated(unsafe) let arguments = SignalArguments(values, Int(count))
        let answer = Interface.assumeIsolated { handler.handle(arguments) }
        if let result, cgtk4_value_type(result) == CGTK4_TYPE_BOOLEAN { g_value_set_boolean(result, answer ? 1 : 0) }
    }
    g_signal_connect_closure(object, signal, closure, 0)
}
