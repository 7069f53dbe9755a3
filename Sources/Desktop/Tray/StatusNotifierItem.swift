internal import DBus

/// `org.kde.StatusNotifierItem` on the bus.
struct StatusNotifierItem {
    static let name = "org.kde.StatusNotifierItem"
    static let path: ObjectPath = "/StatusNotifierItem"
    /// The identifier by which panels remember the item.
    private static let identifier = "roundel"

    /// The path of the menu.
    let menu: ObjectPath
    /// The directory of the icons.
    let iconThemePath: String
    /// What the item shows now.
    let appearance: () -> TrayAppearance
    /// The current icon as pixmaps.
    let pixmaps: () -> [TrayPixmaps.Pixmap]
    /// Called when the item is clicked.
    let activate: () -> Void
    /// Called with the activation token for the next click.
    let setActivationToken: (String) -> Void

    /// The interface for the bus.
    var exported: Interface {
        Interface(
            Self.name, methods: methods, properties: facts + looks,
            signals: ["NewTitle", "NewIcon", "NewAttentionIcon", "NewOverlayIcon", "NewToolTip"].map { .init($0) } + [
                .init("NewStatus", [("status", "s")])
            ])
    }

    private var methods: [Interface.Method] {
        let place: [Interface.Argument] = [("x", "i"), ("y", "i")]
        return [
            .init("Activate", in: place) { [activate] call in
                call.reply()
                activate()
            },
            .init("SecondaryActivate", in: place) { [activate] call in
                call.reply()
                activate()
            },
            // The panel shows the menu itself; the property `Menu` contains its path.
            .init("ContextMenu", in: place) { $0.reply() },
            .init("Scroll", in: [("delta", "i"), ("orientation", "s")]) { $0.reply() },
            .init("ProvideXdgActivationToken", in: [("token", "s")]) { [setActivationToken] call in
                var reader = call.reader
                setActivationToken(try reader.readString())
                call.reply()
            },
        ]
    }

    private var facts: [Interface.Property] {
        [
            .init("Category", "s", .const) { try $0.append("ApplicationStatus") },
            .init("Id", "s", .const) { try $0.append(Self.identifier) },
            .init("Title", "s", .const) { try $0.append(TrayAppearance.title) },
            .init("WindowId", "i", .const) { try $0.append(0 as Int32) },
            .init("ItemIsMenu", "b", .const) { try $0.append(false) },
            .init("Menu", "o", .const) { [menu] in try $0.append(menu) },
            .init("OverlayIconName", "s", .const) { try $0.append("") },
            .init("OverlayIconPixmap", "a(iiay)", .const) { try $0.append([]) },
            .init("AttentionMovieName", "s", .const) { try $0.append("") },
        ]
    }

    private var looks: [Interface.Property] {
        // Changes are reported by this interface's own signals.
        func property(
            _ name: String, _ type: Signature, _ get: @escaping (inout MessageWriter) throws -> Void
        ) -> Interface.Property {
            .init(name, type, .none, get)
        }
        return [
            property("Status", "s") { [appearance] in try $0.append(appearance().status.rawValue) },
            property("IconThemePath", "s") { [iconThemePath] in try $0.append(iconThemePath) },
            property("IconName", "s") { [appearance] in try $0.append(appearance().state.iconName) },
            property("IconPixmap", "a(iiay)") { [pixmaps] in try $0.append(pixmaps()) },
            // While the item needs attention, panels show this icon instead, even if it is empty.
            property("AttentionIconName", "s") { [appearance] in try $0.append(appearance().state.iconName) },
            property("AttentionIconPixmap", "a(iiay)") { [pixmaps] in try $0.append(pixmaps()) },
            property("ToolTip", "(sa(iiay)ss)") { [appearance] writer in
                let shown = appearance()
                try writer.appendStruct { writer in
                    try writer.append(shown.state.iconName)
                    try writer.append([])
                    try writer.append(shown.headline)
                    try writer.append(shown.details)
                }
            },
        ]
    }
}
