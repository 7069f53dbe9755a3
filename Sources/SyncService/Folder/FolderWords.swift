internal import RoundelBus
internal import SyncCore

/// What is said of a folder as a whole. Pure; it says that a folder is up to date only if every part of it is known: it
/// was looked through, both sides are there, and nothing in it waits, failed or could not be listed.
struct FolderWords {
    /// What the engine says.
    let status: SessionStatus
    /// Whether changes on both sides are reported.
    let isWatched: Bool
    /// When the last complete look began, in microseconds since 1970; nil if there was none.
    let lookedThrough: Int64?
    /// Minutes between two looks where not every change is reported.
    let minutes: Int
    /// Whether it waits for a connection that is not metered.
    var isHeldByMeter = false

    /// Whether nothing of the folder is unknown, as of the last look where not every change is reported.
    var isKnown: Bool {
        switch status.phase {
        case .idle, .syncing: isWatched || lookedThrough != nil
        case .looking, .paused, .offline, .stopped, .confirmDeletes: false
        }
    }

    /// How the folder is, without a full stop.
    func sentence(_ explainer: Explainer) -> String {
        let counts = status.counts
        if !status.message.isEmpty { return explainer.sentence(status.message) }
        switch status.phase {
        case .paused: return isHeldByMeter ? Words.waitingForConnection : Words.paused(waiting: counts.pending)
        case .syncing: return Words.syncing(max(1, counts.pending))
        // It always has a message; whatever the reason was, nothing is known.
        case .offline, .stopped, .confirmDeletes: return Words.stopped
        case .idle, .looking: break
        }
        if counts.errors > 0 { return Words.failed(counts.errors) }
        if counts.conflicts > 0 { return Words.conflicts(counts.conflictPairs) }
        if counts.pending > 0 { return Words.waiting(counts.pending) }
        guard isKnown else { return Words.looking }
        guard let date = lookedThrough, !isWatched else { return Words.upToDate }
        return Words.upToDate(asOf: date, lookedThroughEvery: minutes)
    }

    /// How the folder is for the tray, the menus and the sidebar, which have words of their own for it.
    var hubState: FolderState {
        switch status.phase {
        case .paused: .paused
        case .stopped: .error
        case .offline:
            switch RemoteAbsence(status.message) {
            // It rests, as far as a person can tell, and goes on by itself.
            case .passing: .paused
            case .login: .attention
            case .server, .trouble, .directory: .error
            }
        case .confirmDeletes: .attention
        case .syncing: .syncing
        case .idle, .looking:
            switch status.state {
            case .error: .error
            case .conflict: .attention
            case .syncing, .pending: .syncing
            case .onlineOnly, .synced, .excluded, .paused: isKnown ? .idle : .syncing
            }
        }
    }
}
