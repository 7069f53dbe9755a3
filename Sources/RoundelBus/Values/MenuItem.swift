/// An item of a menu, with its submenu.
public struct MenuItem: Equatable, Sendable {
    /// The ID: the provider's own ID in provider calls, `<provider-id>/<id>` for hosts. May be empty for separators and
    /// for items that only have children.
    public var id: String
    /// The text shown to the user.
    public var label: String
    /// The name of an icon; may be empty.
    public var icon: String
    /// Whether it can be chosen.
    public var enabled: Bool
    /// The check mark; nil if the item has none.
    public var checked: Bool?
    /// Whether it is a separator line.
    public var isSeparator: Bool
    /// The submenu.
    public var children: [MenuItem]
    /// The selections to which it applies; nil for hosts.
    public var rules: MenuRules?

    /// Creates an item.
    public init(
        id: String, label: String = "", icon: String = "", enabled: Bool = true, checked: Bool? = nil,
        isSeparator: Bool = false, children: [MenuItem] = [], rules: MenuRules? = nil
    ) {
        self.id = id
        self.label = label
        self.icon = icon
        self.enabled = enabled
        self.checked = checked
        self.isSeparator = isSeparator
        self.children = children
        self.rules = rules
    }
}
