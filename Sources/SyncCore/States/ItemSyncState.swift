/// The state of an item as a person sees it, best first: a folder shows the greatest of what is in it.
package enum ItemSyncState: UInt8, Hashable, Sendable, Comparable, CaseIterable {
    /// Not synced, on purpose.
    case excluded = 0
    /// Equal on both sides.
    case synced = 1
    /// Known here, its contents only at the remote.
    case onlineOnly = 2
    /// Something is to be done.
    case pending = 3
    /// Something is being done.
    case syncing = 4
    /// Two versions wait for a decision.
    case conflict = 5
    /// Could not be done; a message says why.
    case error = 6
    /// In a paused folder, in place of pending and syncing.
    case paused = 7

    /// Rank in "worst first": `paused` stands where pending and syncing do.
    private var rank: UInt8 { self == .paused ? 4 : rawValue }

    /// Orders by how bad it is.
    package static func < (left: ItemSyncState, right: ItemSyncState) -> Bool {
        left.rank < right.rank
    }

    /// The badge identifier on the bus.
    package var badge: String {
        switch self {
        case .excluded: "excluded"
        case .synced: "synced"
        case .onlineOnly: "online-only"
        case .pending: "pending"
        case .syncing: "syncing"
        case .conflict: "conflict"
        case .error: "error"
        case .paused: "paused"
        }
    }
}
