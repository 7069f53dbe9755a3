internal import RoundelBus
internal import Support

extension Words {
    /// What a person reads, or hears, in place of a badge.
    static func label(of badge: CommonBadge) -> String {
        switch badge {
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
