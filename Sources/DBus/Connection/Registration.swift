/// Something that lasts until it is cancelled: a subscription, an exported interface, a watch.
///
/// Releasing the object does not cancel it.
public final class Registration {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    /// Whether it was not cancelled yet.
    public var isActive: Bool { onCancel != nil }

    /// Cancels it; further calls do nothing.
    public func cancel() {
        let action = onCancel
        onCancel = nil
        action?()
    }
}
