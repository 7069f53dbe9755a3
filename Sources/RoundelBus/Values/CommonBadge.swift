internal import Support

/// The badges that every provider may use, in the order of the interface. Whatever has to decide for each of them
/// switches over this type, so that a new one does not compile before every such place has decided.
package enum CommonBadge: String, CaseIterable, Sendable {
    case synced, pending, syncing, paused, error, conflict, excluded
    case onlineOnly = "online-only"

    /// nil for a badge that belongs to one provider, and for none.
    package init?(_ badge: Badge) { self.init(rawValue: badge.identifier) }

    /// The badge as a value of the interface.
    package var badge: Badge { Badge(rawValue) }

    /// The name of the bundled emblem.
    package var icon: String { "emblem-roundel-" + rawValue }

    /// What a person reads, or hears, in place of the badge; the same in every program.
    package var label: String {
        switch self {
        case .synced: Phrase.text("Synced")
        case .pending: Phrase.text("Waiting to sync")
        case .syncing: Phrase.text("Syncing")
        case .paused: Phrase.text("Paused")
        case .error: Phrase.text("Error")
        case .conflict: Phrase.text("Conflict")
        case .excluded: Phrase.text("Not synced")
        case .onlineOnly: Phrase.text("Online only")
        }
    }
}
