/// The selections to which a menu or an item applies. Rules that are nil do not restrict.
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
    /// The types of data that selected items may have, and how many of each; at most ``Limits/typeRules``. Each selected
    /// item has to be of one of them.
    public var types: [TypeRule]?

    /// Creates rules.
    public init(
        kinds: [UInt32]? = nil, min: UInt32? = nil, max: UInt32? = nil, badges: [Badge]? = nil,
        directories: Bool? = nil, files: Bool? = nil, types: [TypeRule]? = nil
    ) {
        self.kinds = kinds
        self.min = min
        self.max = max
        self.badges = badges
        self.directories = directories
        self.files = files
        self.types = types
    }
}
