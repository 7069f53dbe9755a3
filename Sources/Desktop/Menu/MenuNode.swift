internal import DBus
internal import RoundelBus

/// A line of a menu for `com.canonical.dbusmenu`, with its submenu.
struct MenuNode: Equatable {
    /// Identifies the line among its siblings; it stays the same while the meaning does.
    var key: String
    /// The properties of the protocol.
    var properties: VariantMap
    /// The action of the line; nil for lines that cannot be chosen.
    var choice: MenuChoice?
    /// The submenu.
    var children: [MenuNode] = []
}

/// The action of a line in the tray's menu.
enum MenuChoice: Equatable {
    /// Opens a folder in the file manager.
    case open(ItemURI)
    /// Activates the item with this ID for hosts.
    case activate(String)
    /// Gives consent to a folder that waits for it.
    case allow(ItemURI)
    /// Shows the sync engines in Roundel's window: the one with this ID, or all for "".
    case engines(String)
}

extension MenuNode {
    /// Creates a line of text.
    init(key: String, label: String, icon: String = "", enabled: Bool = true, choice: MenuChoice? = nil) {
        var properties: VariantMap = [
            // A single underscore would mark the next letter as a keyboard mnemonic.
            "label": .string(String(label.flatMap { $0 == "_" ? ["_", "_"] : [$0] })),
            "enabled": .bool(enabled), "visible": .bool(true),
        ]
        if !icon.isEmpty { properties["icon-name"] = .string(icon) }
        self.init(key: key, properties: properties, choice: choice)
    }

    /// Creates a separator line.
    static func separator(_ key: String) -> MenuNode {
        MenuNode(key: key, properties: ["type": .string("separator"), "visible": .bool(true)], choice: nil)
    }

    /// The lines for a provider's items.
    static func nodes(_ items: [MenuItem]) -> [MenuNode] {
        items.enumerated().map { position, item in
            // Items without an ID are identified by their position.
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
