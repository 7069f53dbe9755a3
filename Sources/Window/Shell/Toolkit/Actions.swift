internal import CGtk4

/// Named actions of a widget and of what is in it, for menus, buttons and keys.
@Interface
final class Actions {
    private let group: ObjectReference
    private var actions: [String: ObjectReference] = [:]

    /// - Parameters:
    ///   - prefix: Before the names, with a dot.
    ///   - widget: Where they can be used.
    init(_ prefix: String, of widget: Widget) {
        guard let group = g_simple_action_group_new() else { fatalError("no memory for actions") }
        self.group = ObjectReference(owned: UnsafeMutableRawPointer(group))
        gtk_widget_insert_action_group(widget.widget, prefix, self.group.opaque)
    }

    /// Adds an action.
    func add(_ name: String, _ handle: @escaping @Interface () -> Void) {
        add(name, nil) { _ in handle() }
    }

    /// Adds an action with a text as its target.
    func addChoice(_ name: String, _ handle: @escaping @Interface (String) -> Void) {
        add(name, cgtk4_string_type()) { arguments in arguments.stringVariant(0).map(handle) }
    }

    private func add(
        _ name: String, _ type: OpaquePointer?, _ handle: @escaping @Interface (SignalArguments) -> Void
    ) {
        guard let action = g_simple_action_new(name, type) else { return }
        let owned = ObjectReference(owned: UnsafeMutableRawPointer(action))
        connect(owned.raw, "activate") { arguments in
            handle(arguments)
            return false
        }
        g_action_map_add_action(group.opaque, action)
        actions[name] = owned
    }

    /// Lets an action be chosen or not.
    func enable(_ name: String, _ isEnabled: Bool) {
        actions[name].map { g_simple_action_set_enabled($0.opaque, isEnabled ? 1 : 0) }
    }
}
