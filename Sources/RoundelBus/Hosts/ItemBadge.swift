internal import DBus

/// The state of one item, for hosts.
public struct ItemBadge: Hashable, Sendable {
    /// The badge; ``Badge/none`` if there is none.
    public var badge: Badge
    /// Further facts about the item.
    public var flags: BadgeFlags
    /// 0 to 100, or ``Progress/none``.
    public var progress: UInt8

    /// Creates a state from these values.
    public init(badge: Badge, flags: BadgeFlags = [], progress: UInt8 = Progress.none) {
        self.badge = badge
        self.flags = flags
        self.progress = progress
    }

    /// No badge.
    public static let none = ItemBadge(badge: .none)

    /// The progress in percent; nil if no operation is running.
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
