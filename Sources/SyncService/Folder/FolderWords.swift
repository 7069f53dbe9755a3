internal import Remotes
internal import RoundelBus
internal import SyncCore

/// Describes the whole folder in words. Pure. Says that a folder is up to date only if every part of it is known: it
/// was scanned, both sides are available, and no item in it waits, failed or could not be listed.
struct FolderWords {
    /// The status from the engine.
    let status: SessionStatus
    /// Whether changes on both sides are reported.
    let isWatched: Bool
    /// When the last complete scan began, in microseconds since 1970; nil if there was none.
    let lookedThrough: Int64?
    /// The minutes between two scans if not every change is reported.
    let minutes: Int
    /// Whether it waits for a connection that is not metered.
    var isHeldByMeter = false

    /// Whether every part of the folder is known, as of the last scan if not every change is reported.
    var isKnown: Bool {
        switch status.phase {
        case .idle, .syncing: !status.isPartlyUnknown && (isWatched || lookedThrough != nil)
        case .looking, .paused, .offline, .stopped, .confirmDeletes: false
        }
    }

    /// The state of the folder as a sentence without a full stop.
    func sentence(_ explainer: Explainer) -> String {
        let counts = status.counts
        if !status.message.isEmpty { return explainer.sentence(status.message) }
        switch status.phase {
        case .paused: return isHeldByMeter ? Words.waitingForConnection : Words.paused(waiting: counts.pending)
        case .syncing: return Words.syncing(max(1, counts.pending))
        // There is always a message; whatever the reason, nothing is known.
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

    /// The state of the folder for the tray, the menus and the sidebar, which have their own words for it.
    var hubState: FolderState {
        switch status.phase {
        case .paused: .paused
        case .stopped: .error
        case .offline:
            switch RemoteAbsence(status.message) {
            // For the user it is idle, and it continues by itself.
            case .passing: .paused
            case .login: .attention
            case .server, .trouble, .directory, .shortage: .error
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
