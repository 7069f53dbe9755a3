/// Where a menu opens.
public enum MenuKind: UInt32, CaseIterable, Sendable {
    /// On selected items.
    case items = 0
    /// On the background of a folder.
    case container = 1
    /// On an entry of the sidebar.
    case sidebar = 2
    /// From the toolbar button.
    case toolbar = 3
}

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

/// To which selections a menu or an item applies. What is nil does not restrict.
public struct MenuRules: Equatable, Sendable {
    /// The kinds of menu.
    public var kinds: [UInt32]?
    /// The least number of selected items.
    public var min: UInt32?
    /// The greatest number of selected items.
    public var max: UInt32?
    /// Each selected item has one of these badges.
    public var badges: [Badge]?
    /// Whether directories may be among the selected items.
    public var directories: Bool?
    /// Whether files may be among the selected items.
    public var files: Bool?

    /// Rules.
    public init(
        kinds: [UInt32]? = nil, min: UInt32? = nil, max: UInt32? = nil, badges: [Badge]? = nil,
        directories: Bool? = nil, files: Bool? = nil
    ) {
        self.kinds = kinds
        self.min = min
        self.max = max
        self.badges = badges
        self.directories = directories
        self.files = files
    }
}

/// What comes with the activation of a menu item, handed on to the provider but for `showsResult`.
public struct ActivationOptions: Equatable, Sendable {
    /// A token of xdg-activation, so that windows may take the focus.
    public var activationToken: String?
    /// The time of the event that caused it, X11.
    public var timestamp: UInt32?
    /// The window to which dialogs belong, as portals name it.
    public var parentWindow: String?
    /// Whether the host tells the person what became of the action; else a failure is notified. Not handed on.
    public var showsResult: Bool

    /// Options.
    public init(
        activationToken: String? = nil, timestamp: UInt32? = nil, parentWindow: String? = nil,
        showsResult: Bool = false
    ) {
        self.activationToken = activationToken
        self.timestamp = timestamp
        self.parentWindow = parentWindow
        self.showsResult = showsResult
    }
}
