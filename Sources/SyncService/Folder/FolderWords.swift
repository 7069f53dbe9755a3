internal import Glibc
internal import Remotes
internal import RoundelBus
internal import Support
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
    /// Whether items are only uploaded, so that nothing is said of the remote.
    var isUploadOnly = false
    /// When a pause ends by itself, in words.
    var pausedUntil: String?

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
        case .paused:
            return isHeldByMeter
                ? tr("Waiting for a connection that is not metered") : paused(waiting: counts.pending)
        case .syncing:
            return isUploadOnly
                ? tr(max(1, counts.pending), one: "Uploading 1 item", other: "Uploading {1} items")
                : tr(max(1, counts.pending), one: "Syncing 1 item", other: "Syncing {1} items")
        // There is always a message; whatever the reason, nothing is known.
        case .offline, .stopped, .confirmDeletes: return tr("Not syncing")
        case .idle, .looking: break
        }
        if counts.errors > 0 { return Self.failed(counts.errors) }
        if counts.conflicts > 0 { return Self.conflicts(counts.conflictPairs) }
        if counts.pending > 0 { return Self.waiting(counts.pending) }
        guard isKnown else { return tr("Looking for changes") }
        return isUploadOnly ? uploaded : upToDate
    }

    private var upToDate: String {
        guard let date = lookedThrough, !isWatched else { return tr("Up to date") }
        return tr(
            minutes, one: "Up to date as of {2}, looked through every minute",
            other: "Up to date as of {2}, looked through every {1} minutes", Self.clock(date))
    }

    /// All was uploaded: whether it is still on the remote is not known.
    private var uploaded: String {
        guard let date = lookedThrough, !isWatched else { return tr("Everything is uploaded") }
        return tr(
            minutes, one: "Everything is uploaded as of {2}, looked through every minute",
            other: "Everything is uploaded as of {2}, looked through every {1} minutes", Self.clock(date))
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

    private func paused(waiting count: Int) -> String {
        guard let pausedUntil else {
            return count == 0
                ? tr("Paused") : tr(count, one: "Paused, 1 item waiting", other: "Paused, {1} items waiting")
        }
        // Translators: {1} is a time of day, “tomorrow” with one, or a date with one.
        if count == 0 { return tr("Paused until {1}", pausedUntil) }
        // Translators: {2} is a time of day, “tomorrow” with one, or a date with one.
        return tr(
            count, one: "Paused until {2}, 1 item waiting", other: "Paused until {2}, {1} items waiting", pausedUntil)
    }

    static func failed(_ count: Int) -> String {
        tr(count, one: "1 item could not be synced", other: "{1} items could not be synced")
    }

    static func conflicts(_ count: Int) -> String { tr(count, one: "1 conflict", other: "{1} conflicts") }

    static func waiting(_ count: Int) -> String {
        tr(count, one: "1 item waiting", other: "{1} items waiting")
    }

    /// The local time of day of a moment given in microseconds since 1970.
    private static func clock(_ microseconds: Int64) -> String {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(parts.tm_hour) + ":" + two(parts.tm_min)
    }
}
