/// The state of an item as the user sees it, from best to worst: a folder shows the greatest of its contents.
package enum ItemSyncState: UInt8, Hashable, Sendable, Comparable, CaseIterable {
    /// Intentionally not synced.
    case excluded = 0
    /// Equal on both sides.
    case synced = 1
    /// Known locally; the contents are only on the remote.
    case onlineOnly = 2
    /// Something must be done.
    case pending = 3
    /// Something is being done.
    case syncing = 4
    /// Two versions wait for a decision.
    case conflict = 5
    /// Could not be done; a message says why.
    case error = 6
    /// In a paused folder, in place of pending and syncing.
    case paused = 7

    /// The rank from best to worst: `paused` ranks like pending and syncing.
    private var rank: UInt8 { self == .paused ? 4 : rawValue }

    /// Orders by severity.
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
