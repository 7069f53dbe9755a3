/// What is known of one item, small because there are many: the badge is an index into ``BadgeInterner``.
struct ItemState: Equatable {
    var flags: UInt32
    var badge: UInt16
    var progress: UInt8

    /// No badge, no flags, no progress.
    static let none = ItemState(flags: 0, badge: 0, progress: Progress.none)
}

/// Gives each badge identifier in use a small number.
struct BadgeInterner {
    private(set) var badges: [Badge] = []
    private var indices: [Badge: UInt16] = [:]

    init() {
        for badge in [.none] + Badge.common {
            _ = index(of: badge)
        }
    }

    func badge(_ index: UInt16) -> Badge { badges[Int(index)] }

    /// The number of a badge; that of none once 65,535 different identifiers are in use, which only a provider that
    /// invents identifiers without end can reach.
    mutating func index(of badge: Badge) -> UInt16 {
        if let index = indices[badge] { return index }
        guard badges.count < Int(UInt16.max) else { return 0 }
        let index = UInt16(badges.count)
        badges.append(badge)
        indices[badge] = index
        return index
    }

    /// The state in one row of columns. A progress that is no percentage counts as none.
    mutating func state(_ columns: BadgeColumns, _ row: Int) -> ItemState {
        let progress = columns.progress[row]
        return ItemState(
            flags: columns.flags[row], badge: index(of: columns.badges[row]),
            progress: Progress.isValid(progress) ? progress : Progress.none)
    }
}
