import Support

/// The directories that left their place and have not appeared anywhere else yet, the oldest first.
struct PendingMoves {
    private struct Move {
        let cookie: UInt32
        let node: WatchNodeID
        let expires: Instant
    }

    private var moves: [Move] = []

    /// When the first of them counts as gone; nil if there is none.
    var deadline: Instant? { moves.map(\.expires).min() }

    /// Adds a directory for which the first half of a rename arrived.
    mutating func add(_ node: WatchNodeID, cookie: UInt32, at now: Instant) {
        moves.append(Move(cookie: cookie, node: node, expires: now + Patience.Watching.secondHalf))
    }

    /// Removes and returns the directory for which the second half of a rename arrived.
    mutating func remove(cookie: UInt32) -> WatchNodeID? {
        moves.firstIndex { $0.cookie == cookie }.map { moves.remove(at: $0).node }
    }

    /// Removes and returns the next directory that was moved out of the watched area; with `all`, the oldest one
    /// regardless of time.
    mutating func removeExpired(at now: Instant, all: Bool) -> WatchNodeID? {
        guard let first = moves.first, all || first.expires <= now else { return nil }
        return moves.removeFirst().node
    }

    mutating func forget(_ node: WatchNodeID) { moves.removeAll { $0.node == node } }
}
