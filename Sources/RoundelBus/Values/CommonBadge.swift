internal import Support

/// The badges that every provider may use, in the order of the interface. Code that has to treat each of them switches
/// over this type, so that the compiler reports all places that a new badge affects.
package enum CommonBadge: String, CaseIterable, Sendable {
    case synced, pending, syncing, paused, error, conflict, excluded
    case onlineOnly = "online-only"

    /// Nil for a badge that belongs to one provider, and for the empty one.
    package init?(_ badge: Badge) { self.init(rawValue: badge.identifier) }

    /// The badge as a value of the interface.
    package var badge: Badge { Badge(rawValue) }

    /// The name of the bundled emblem.
    package var icon: String { "emblem-roundel-" + rawValue }

    /// The text that represents the badge, also for screen readers; the same in every program.
    package var label: String {
        switch self {
        case .synced: tr("Synced")
        case .pending: tr("Waiting to sync")
        case .syncing: tr("Syncing")
        case .paused: tr("Paused")
        case .error: tr("Error")
        case .conflict: tr("Conflict")
        case .excluded: tr("Not synced")
        case .onlineOnly: tr("Online only")
        }
    }
}
