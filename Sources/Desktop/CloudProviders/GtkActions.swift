internal import DBus
internal import RoundelBus

/// `org.gtk.Actions`, in the form in which GLib exports an action group.
enum GtkActions {
    static let name = "org.gtk.Actions"

    /// - Parameters:
    ///   - withMenu: Provides the current menu for the answer to a call.
    ///   - activate: Called when an action was chosen, with its name and the platform data of the click.
    static func interface(
        withMenu: @escaping (MethodCall, @escaping (SidebarMenu) -> Void) -> Void,
        activate: @escaping (String, VariantMap) -> Void
    ) -> Interface {
        Interface(
            name,
            methods: [
                .init("List", out: [("list", "as")]) { call in
                    withMenu(call) { menu in call.reply { try $0.append(strings: menu.actions.keys.sorted()) } }
                },
                .init("Describe", in: [("action_name", "s")], out: [("description", "(bgav)")]) { call in
                    var reader = call.reader
                    let name = try reader.readString()
                    withMenu(call) { menu in
                        guard let action = menu.actions[name] else { return call.fail(unknown(name)) }
                        call.reply { try write(action, to: &$0) }
                    }
                },
                .init("DescribeAll", out: [("descriptions", "a{s(bgav)}")]) { call in
                    withMenu(call) { menu in call.reply { try write(menu.actions, to: &$0) } }
                },
                .init("Activate", in: [("action_name", "s"), ("parameter", "av"), ("platform_data", "a{sv}")]) { call in
                    var reader = call.reader
                    let name = try reader.readString()
                    reader.skip()
                    activate(name, try reader.readOptions())
                    call.reply()
                },
                .init("SetState", in: [("action_name", "s"), ("value", "v"), ("platform_data", "a{sv}")]) { _ in
                    throw DBusError(.notSupported, "The state follows from what the action does; activate it instead.")
                },
            ],
            signals: [
                .init(
                    "Changed",
                    [
                        ("removals", "as"), ("enable_changes", "a{sb}"), ("state_changes", "a{sv}"),
                        ("additions", "a{s(bgav)}"),
                    ])
            ])
    }

    static func unknown(_ name: String) -> DBusError {
        DBusError.invalidArgs("There is no action “\(name.prefix(256))”.")
    }

    /// Writes the arguments of Changed.
    static func write(_ changes: SidebarMenu.ActionChanges, to writer: inout MessageWriter) throws {
        try writer.append(strings: changes.removed)
        try writer.appendDictionary(key: "s", value: "b") { dictionary in
            for (name, isEnabled) in changes.enabled.sorted(by: { $0.key < $1.key }) {
                try dictionary.entry { entry in
                    try entry.append(name)
                    try entry.append(isEnabled)
                }
            }
        }
        try writer.append(map: changes.checked.mapValues { .bool($0) })
        try write(changes.added, to: &writer)
    }

    private static func write(_ actions: [String: SidebarMenu.Action], to writer: inout MessageWriter) throws {
        try writer.appendDictionary(key: "s", value: "(bgav)") { dictionary in
            for (name, action) in actions.sorted(by: { $0.key < $1.key }) {
                try dictionary.entry { entry in
                    try entry.append(name)
                    try write(action, to: &entry)
                }
            }
        }
    }

    private static func write(_ action: SidebarMenu.Action, to writer: inout MessageWriter) throws {
        try writer.appendStruct { writer in
            try writer.append(action.isEnabled)
            try writer.append("" as Signature)
            try writer.appendArray(of: "v") { array in
                if let isChecked = action.isChecked { try array.append(value: .variant(.bool(isChecked))) }
            }
        }
    }
}
