internal import DBus

/// What a host knows of one item.
public struct ItemBadge: Hashable, Sendable {
    /// The badge; ``Badge/none`` where there is none.
    public var badge: Badge
    /// What else is said about the item.
    public var flags: BadgeFlags
    /// 0 to 100, or ``Progress/none``.
    public var progress: UInt8

    /// Takes the values.
    public init(badge: Badge, flags: BadgeFlags = [], progress: UInt8 = Progress.none) {
        self.badge = badge
        self.flags = flags
        self.progress = progress
    }

    /// No badge.
    public static let none = ItemBadge(badge: .none)

    /// The progress in percent; nil where nothing is under way.
    public var percent: UInt8? { progress <= 100 ? progress : nil }

    /// The rows of columns.
    /// - Throws: `InvalidArgs` for columns of different length.
    static func rows(of columns: BadgeColumns) throws(DBusError) -> [ItemName: ItemBadge] {
        guard columns.isRectangular else { throw .invalidArgs("The columns have different lengths.") }
        var rows: [ItemName: ItemBadge] = [:]
        rows.reserveCapacity(columns.count)
        for (index, name) in columns.names.enumerated() {
            rows[name] = ItemBadge(
                badge: columns.badges[index], flags: BadgeFlags(rawValue: columns.flags[index]),
                progress: columns.progress[index])
        }
        return rows
    }
}
