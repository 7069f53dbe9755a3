internal import RoundelBus

/// The badge of an item with its progress, as a host is given it.
struct BadgeRow: Equatable, Sendable {
    var badge = Badge.none
    var progress = Progress.none
}

/// An item that a host shows, with what was found out about it.
struct ShownItem: Equatable, Sendable {
    /// What the index says.
    enum Knowledge: Equatable, Sendable {
        /// It has not answered yet.
        case open
        case known(IndexRecord)
        /// The index has no such item.
        case absent
        /// It did not answer.
        case failed
    }

    var index = Knowledge.open
    var disk: DiskFacts?
    /// What the host was given last.
    var told: BadgeRow?

    /// Whether enough is known to give it a badge.
    var isReady: Bool { index != .open && disk != nil }
}
