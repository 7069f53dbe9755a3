internal import DBus
internal import RoundelBus

/// A line of a menu as `com.canonical.dbusmenu` has it, with what hangs below it.
struct MenuNode: Equatable {
    /// Names the line among its siblings, the same as long as it means the same.
    var key: String
    /// The properties of the protocol.
    var properties: VariantMap
    /// What choosing the line does; nil for lines that cannot be chosen.
    var choice: MenuChoice?
    /// The submenu.
    var children: [MenuNode] = []
}

/// What choosing a line of the tray's menu does.
enum MenuChoice: Equatable {
    /// Opens a folder in the file manager.
    case open(ItemURI)
    /// Activates the item of this id, as hosts have it.
    case activate(String)
    /// Consents to a folder that waits for that.
    case allow(ItemURI)
}

extension MenuNode {
    /// A line of text.
    init(key: String, label: String, icon: String = "", enabled: Bool = true, choice: MenuChoice? = nil) {
        var properties: VariantMap = [
            // An underscore would mark the letter after it as the one to press.
            "label": .string(String(label.flatMap { $0 == "_" ? ["_", "_"] : [$0] })),
            "enabled": .bool(enabled), "visible": .bool(true),
        ]
        if !icon.isEmpty { properties["icon-name"] = .string(icon) }
        self.init(key: key, properties: properties, choice: choice)
    }

    /// A line between others.
    static func separator(_ key: String) -> MenuNode {
        MenuNode(key: key, properties: ["type": .string("separator"), "visible": .bool(true)], choice: nil)
    }

    /// The lines that a provider's items make.
    static func nodes(_ items: [MenuItem]) -> [MenuNode] {
        items.enumerated().map { position, item in
            // Items without an id stand where they stand.
            let key = item.id.isEmpty ? "at \(position)" : item.id
            return item.isSeparator ? .separator(key) : MenuNode(item, key)
        }
    }

    private init(_ item: MenuItem, _ key: String) {
        let choice: MenuChoice? = item.children.isEmpty && !item.id.isEmpty ? .activate(item.id) : nil
        self.init(
            key: key, label: FolderText.line(item.label), icon: item.icon, enabled: item.enabled, choice: choice)
        if let checked = item.checked {
            properties["toggle-type"] = .string("checkmark")
            properties["toggle-state"] = .int32(checked ? 1 : 0)
        }
        if !item.children.isEmpty {
            properties["children-display"] = .string("submenu")
            children = Self.nodes(item.children)
        }
    }
}
