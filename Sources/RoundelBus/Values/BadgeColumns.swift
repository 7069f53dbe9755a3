/// Badges of some items of one directory, in columns as they are sent over the bus. All columns have equal length.
public struct BadgeColumns: Equatable, Sendable {
    /// The names of the items; empty in the reply to RequestBadges, whose items are those of the call.
    public var names: [ItemName]
    /// The badge of each item.
    public var badges: [Badge]
    /// The flags of each item.
    public var flags: [UInt32]
    /// The progress of each item, 0-100 or 255.
    public var progress: [UInt8]

    /// Creates columns without checking them; see ``isRectangular``.
    public init(names: [ItemName] = [], badges: [Badge] = [], flags: [UInt32] = [], progress: [UInt8] = []) {
        self.names = names
        self.badges = badges
        self.flags = flags
        self.progress = progress
    }

    /// The number of items.
    public var count: Int { badges.count }

    /// Whether the columns of values have equal length.
    package var hasEqualValueColumns: Bool {
        badges.count == flags.count && badges.count == progress.count
    }

    /// Whether all columns, the names included, have equal length.
    public var isRectangular: Bool {
        hasEqualValueColumns && names.count == badges.count
    }

    /// Adds one row.
    public mutating func append(_ name: ItemName, _ badge: Badge, _ flags: BadgeFlags, _ progress: UInt8) {
        names.append(name)
        badges.append(badge)
        self.flags.append(flags.rawValue)
        self.progress.append(progress)
    }
}
