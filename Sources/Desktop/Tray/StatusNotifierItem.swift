internal import DBus

/// `org.kde.StatusNotifierItem` on the bus.
enum StatusNotifierItem {
    static let name = "org.kde.StatusNotifierItem"
    static let path: ObjectPath = "/StatusNotifierItem"
    /// The identifier by which panels remember the item.
    private static let identifier = "roundel"

    static func make(for item: TrayItem) -> Interface {
        Interface(
            name, methods: methods(item), properties: facts + looks(item),
            signals: ["NewTitle", "NewIcon", "NewAttentionIcon", "NewOverlayIcon", "NewToolTip"].map { .init($0) } + [
                .init("NewStatus", [("status", "s")])
            ])
    }

    private static func methods(_ item: TrayItem) -> [Interface.Method] {
        let place: [Interface.Argument] = [("x", "i"), ("y", "i")]
        return [
            .init("Activate", in: place) { [unowned item] call in
                call.reply()
                item.activate()
            },
            .init("SecondaryActivate", in: place) { [unowned item] call in
                call.reply()
                item.activate()
            },
            // The panel shows the menu itself; the property `Menu` contains its path.
            .init("ContextMenu", in: place) { $0.reply() },
            .init("Scroll", in: [("delta", "i"), ("orientation", "s")]) { $0.reply() },
            .init("ProvideXdgActivationToken", in: [("token", "s")]) { [unowned item] call in
                var reader = call.reader
                item.menu.activationToken = try reader.readString()
                call.reply()
            },
        ]
    }

    private static var facts: [Interface.Property] {
        [
            .init("Category", "s", .const) { try $0.append("ApplicationStatus") },
            .init("Id", "s", .const) { try $0.append(identifier) },
            .init("Title", "s", .const) { try $0.append(TrayAppearance.title) },
            .init("WindowId", "i", .const) { try $0.append(0 as Int32) },
            .init("ItemIsMenu", "b", .const) { try $0.append(false) },
            .init("Menu", "o", .const) { try $0.append(TrayMenu.path) },
            .init("OverlayIconName", "s", .const) { try $0.append("") },
            .init("OverlayIconPixmap", "a(iiay)", .const) { try $0.append([]) },
            .init("AttentionMovieName", "s", .const) { try $0.append("") },
        ]
    }

    private static func looks(_ item: TrayItem) -> [Interface.Property] {
        // Changes are reported by this interface's own signals.
        func property(
            _ name: String, _ type: Signature, _ get: @escaping (TrayItem, inout MessageWriter) throws -> Void
        ) -> Interface.Property {
            .init(name, type, .none) { [unowned item] in try get(item, &$0) }
        }
        return [
            property("Status", "s") { try $1.append($0.appearance.status.rawValue) },
            property("IconThemePath", "s") { try $1.append($0.menu.iconThemePath) },
            property("IconName", "s") { try $1.append($0.appearance.state.iconName) },
            property("IconPixmap", "a(iiay)") { try $1.append($0.pixmaps) },
            // While the item needs attention, panels show this icon instead, even if it is empty.
            property("AttentionIconName", "s") { try $1.append($0.appearance.state.iconName) },
            property("AttentionIconPixmap", "a(iiay)") { try $1.append($0.pixmaps) },
            property("ToolTip", "(sa(iiay)ss)") { item, writer in
                try writer.appendStruct { writer in
                    try writer.append(item.appearance.state.iconName)
                    try writer.append([])
                    try writer.append(item.appearance.headline)
                    try writer.append(item.appearance.details)
                }
            },
        ]
    }
}
