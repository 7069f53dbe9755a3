import Support

/// The directories that left their place and have not been seen anywhere else yet, the oldest first.
struct PendingMoves {
    /// The two halves of a rename are queued by one system call; this is ample for the second to arrive.
    private static let patience = Duration.milliseconds(20)

    private struct Move {
        let cookie: UInt32
        let node: NodeID
        let expires: Instant
    }

    private var moves: [Move] = []

    /// When the first of them counts as gone; nil if there is none.
    var deadline: Instant? { moves.map(\.expires).min() }

    /// A directory left its place with the first half of a rename.
    mutating func add(_ node: NodeID, cookie: UInt32, at now: Instant) {
        moves.append(Move(cookie: cookie, node: node, expires: now + Self.patience))
    }

    /// Removes and returns the directory whose second half of a rename has come.
    mutating func remove(cookie: UInt32) -> NodeID? {
        moves.firstIndex { $0.cookie == cookie }.map { moves.remove(at: $0).node }
    }

    /// Removes and returns the next directory that moved out of sight; with `all` whichever is the oldest.
    mutating func removeExpired(at now: Instant, all: Bool) -> NodeID? {
        guard let first = moves.first, all || first.expires <= now else { return nil }
        return moves.removeFirst().node
    }

    mutating func forget(_ node: NodeID) { moves.removeAll { $0.node == node } }
}
