internal import DBus

/// `org.gtk.Menus`, in the form in which GLib exports a menu model: groups of menus to which callers subscribe. All of
/// Roundel's menus are in group 0.
enum GtkMenus {
    static let name = "org.gtk.Menus"
    static let lines: Signature = "aa{sv}"
    static let menus: Signature = "a(uuaa{sv})"

    /// - Parameters:
    ///   - start: Called when a caller subscribes; must be answered with ``write(_:to:)``.
    ///   - end: Called when a caller ends its subscription.
    static func interface(start: @escaping (MethodCall) -> Void, end: @escaping (String) -> Void) -> Interface {
        Interface(
            name,
            methods: [
                .init("Start", in: [("groups", "au")], out: [("content", menus)]) { call in
                    var reader = call.reader
                    guard try reader.readArray({ try $0.readUInt32() }).contains(0) else {
                        return call.reply { try $0.appendArray(of: "(uuaa{sv})") { _ in } }
                    }
                    start(call)
                },
                .init("End", in: [("groups", "au")]) { call in
                    var reader = call.reader
                    if try reader.readArray({ try $0.readUInt32() }).contains(0) { end(call.sender) }
                    call.reply()
                },
            ], signals: [.init("Changed", [("changes", "a(uuuuaa{sv})")])])
    }

    /// Writes all menus, for the answer to Start.
    static func write(_ menu: SidebarMenu, to writer: inout MessageWriter) throws {
        try writer.appendArray(of: "(uuaa{sv})") { array in
            for (number, entries) in menu.menus.enumerated() {
                try array.appendStruct { writer in
                    try writer.append(UInt32(0))
                    try writer.append(UInt32(number))
                    try writer.append(value: .maps(entries.map(attributes)))
                }
            }
        }
    }

    /// Writes the argument of Changed.
    static func write(_ changes: [SidebarMenu.MenuChange], to writer: inout MessageWriter) throws {
        try writer.appendArray(of: "(uuuuaa{sv})") { array in
            for change in changes {
                try array.appendStruct { writer in
                    try writer.append(UInt32(0))
                    try writer.append(change.menu)
                    try writer.append(UInt32(0))
                    try writer.append(change.removed)
                    try writer.append(value: .maps(change.added.map(attributes)))
                }
            }
        }
    }

    /// The attributes of a line in a GMenuModel.
    private static func attributes(_ entry: SidebarMenu.Entry) -> VariantMap {
        switch entry {
        case .section(let menu): return [":section": link(menu)]
        case .submenu(let label, let icon, let menu): return labelled(label, icon, [":submenu": link(menu)])
        case .action(let label, let icon, let name):
            return labelled(label, icon, ["action": .string("cloudprovider." + name)])
        }
    }

    private static func link(_ menu: UInt32) -> DBusValue { .structure([.uint32(0), .uint32(menu)]) }

    private static func labelled(_ label: String, _ icon: String, _ attributes: VariantMap) -> VariantMap {
        var attributes = attributes
        // A single underscore would mark the next letter as a keyboard mnemonic.
        attributes["label"] = .string(label.reduce(into: "") { $0 += $1 == "_" ? "__" : String($1) })
        if !icon.isEmpty {
            attributes["icon"] = .structure([.string("themed"), .variant(.strings([icon]))])
        }
        return attributes
    }
}
