/// An item of a menu, with what hangs below it.
public struct MenuItem: Equatable, Sendable {
    /// The provider's own id from the provider, `<provider-id>/<id>` towards hosts; may be empty for separators and
    /// for items that only hold children.
    public var id: String
    /// Shown to people.
    public var label: String
    /// The name of an icon; may be empty.
    public var icon: String
    /// Whether it can be chosen.
    public var enabled: Bool
    /// The check mark; nil: the item has none.
    public var checked: Bool?
    /// Whether it is a line between others.
    public var isSeparator: Bool
    /// The submenu.
    public var children: [MenuItem]
    /// To which selections it applies; towards hosts nil.
    public var rules: MenuRules?

    /// An item.
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
