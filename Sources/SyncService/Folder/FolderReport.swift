internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// The current state of one folder, in the forms that the bus and the badge service need.
struct FolderReport {
    let settings: FolderSettings
    let items: FolderItems
    let engine: SyncFolder
    let explainer: Explainer
    let rescans: FolderRescans
    /// When the folder was last synced, in microseconds since 1970.
    let lastSynced: Int64?
    /// The bytes transferred per second; nil if unknown.
    let rate: UInt64?
    /// Whether it waits for a connection that is not metered.
    let isHeldByMeter: Bool
    /// Why a folder on demand is not mounted; nil if it is, or if that is not known.
    let troubleOfMount: String?

    /// The state of the folder for Status and StatusChanged.
    func status(transfers: [SyncTransfer] = []) -> SyncFolderStatus {
        let status = engine.status
        var report = SyncFolderStatus(id: settings.id, uri: settings.uri, state: Badge(shownState.badge))
        report.remote = settings.remote
        report.label = settings.label
        report.text = words.sentence(explainer)
        report.pausedUntil = settings.pause?.end
        let (done, total) = (status.counts.bytesDone, status.counts.bytes)
        // Nothing moves while a side is away.
        if isAway {
            report.bytesTotal = 0
        } else if let root = items.presentation(of: .root), let progress = root.progress {
            report.progress = progress
            report.bytesDone = UInt64(clamping: root.bytesDone)
            report.bytesTotal = UInt64(clamping: root.bytesTotal)
        } else if status.counts.bytesToDo > 0 {
            report.bytesDone = UInt64(clamping: done)
            report.bytesTotal = UInt64(clamping: total)
        }
        if let rate, report.bytesTotal > report.bytesDone {
            report.rate = rate
            report.remaining = TransferRate.remaining(report.bytesTotal - report.bytesDone, at: rate)
        }
        report.itemsTotal = UInt64(clamping: status.counts.pending)
        report.counts = [
            .pending: status.counts.pending, .conflict: status.counts.conflicts, .error: status.counts.errors,
        ]
        .filter { $0.value > 0 }.mapValues { UInt64(clamping: $0) }
        report.lastSynced = lastSynced
        if !rescans.unwatched.isEmpty {
            report.rescanInterval = UInt64(clamping: rescans.interval.components.seconds)
            report.lookedThrough = rescans.lookedThrough
        }
        if settings.isOnDemand { tellContents(&report) }
        report.message =
            troubleOfMount ?? (status.message.isEmpty ? items.firstError : explainer.sentence(status.message))
        report.needs = needs.map { WireWord($0) }
        if case .confirmDeletes(let count, _) = status.phase { report.pendingDeletes = UInt64(clamping: count) }
        report.transfers = isAway ? [] : transfers
        return report
    }

    /// How much of a folder on demand is on this computer.
    private func tellContents(_ report: inout SyncFolderStatus) {
        report.isOnDemand = true
        guard let contents = items.presentation(of: .root)?.contents else { return }
        report.filesHere = UInt64(clamping: contents.filesHere)
        report.bytesHere = UInt64(clamping: contents.bytesHere)
        report.filesOnline = UInt64(clamping: contents.filesAway)
        report.bytesOnline = UInt64(clamping: contents.bytesAway)
    }

    /// Whether a side cannot be reached or used.
    private var isAway: Bool {
        switch engine.status.phase {
        case .offline, .stopped: true
        case .idle, .looking, .syncing, .paused, .confirmDeletes: false
        }
    }

    /// The state of the folder for the badge service.
    var hubStatus: RoundelBus.FolderStatus {
        let report = status()
        return RoundelBus.FolderStatus(state: words.hubState, text: report.text, progress: report.progress)
    }

    /// What the user must do before syncing can continue.
    var needs: FolderNeed? {
        let status = engine.status
        switch status.phase {
        case .confirmDeletes: return .confirmDeletes
        case .stopped: return status.stopReason.map(FolderNeed.init) ?? .errors
        case .offline where status.message.code == .notMountedYet:
            // It is tried again; only what stays wrong is a person's.
            return troubleOfMount == nil ? nil : .rootMissing
        case .offline:
            switch RemoteAbsence(status.message) {
            case .passing, .server, .trouble: return .server
            case .login: return .login
            case .directory: return .remoteMissing
            case .shortage: return nil
            }
        case .idle, .looking, .syncing, .paused:
            if status.counts.errors > 0, engine.shortageOfSpace != nil { return .diskFull }
            if status.counts.conflicts > 0 { return .conflicts }
            return status.counts.errors > 0 ? .errors : nil
        }
    }

    /// The state in which the last run left the items of the folder.
    var stateOfItems: ItemSyncState {
        switch engine.status.phase {
        case .stopped, .confirmDeletes: .error
        case .offline: RemoteAbsence(engine.status.message).shown(engine.status.state)
        // If the user started a run on a metered connection, it has done everything there was to do.
        case .paused: isHeldByMeter ? engine.status.state : max(.paused, engine.status.state)
        case .idle, .looking, .syncing:
            max(
                items.presentation(of: .root)?.state ?? engine.status.state,
                engine.status.isPartlyUnknown ? .pending : .synced)
        }
    }

    /// The same state, except that it never suggests that all is well while a part of the folder is unknown.
    var shownState: ItemSyncState {
        let state = stateOfItems
        switch engine.status.phase {
        case .stopped, .offline, .confirmDeletes: return state
        case .paused: return max(.paused, state)
        case .idle, .looking, .syncing: return words.isKnown ? state : max(.syncing, state)
        }
    }

    private var words: FolderWords {
        let minutes = max(1, (rescans.interval + .seconds(30)).components.seconds / 60)
        return FolderWords(
            status: engine.status, isWatched: rescans.unwatched.isEmpty, lookedThrough: rescans.lookedThrough,
            minutes: Int(clamping: minutes), isHeldByMeter: isHeldByMeter, isUploadOnly: settings.uploadOnly != nil,
            pausedUntil: settings.pause?.end.map { TimeText.coming($0, now: WallClock.microseconds) })
    }
}

extension SyncedFolder {
    /// The folder for ListFolders.
    init(_ settings: FolderSettings, state: ItemSyncState, remoteURI: String?) {
        self.init(
            id: settings.id, uri: settings.uri, remote: settings.remote, label: settings.label,
            state: Badge(state.badge))
        self.remoteURI = remoteURI
        isOnDemand = settings.isOnDemand
        isPaused = settings.paused
        pausedUntil = settings.pause?.end
        isUploadOnly = settings.uploadOnly != nil
        added = settings.added
    }
}

extension SyncActivity {
    /// An entry of a folder's log for Activity.
    init(_ record: ActivityRecord, of id: String, at folder: ItemURI, explainer: Explainer) {
        self.init(
            sequence: UInt64(clamping: record.sequence), time: record.date * 1_000_000, folder: id,
            uri: (record.path.uri(below: folder) ?? folder).uri, action: WireWord(text: record.kind))
        if record.kind == Activity.Kind.moved.rawValue {
            oldURI = RelativePath(displayed: record.detail).uri(below: folder)?.uri
        } else if !record.detail.isEmpty {
            message = explainer.sentence(Explanation(stored: record.detail))
        }
    }
}

extension FolderNeed {
    /// What the user must do to end a stop for this reason.
    fileprivate init(_ reason: SessionStatus.StopReason) {
        self =
            switch reason {
            case .rootMissing: .rootMissing
            case .rootReplaced: .rootReplaced
            case .remoteMissing: .remoteMissing
            case .remoteReplaced: .remoteReplaced
            case .remoteRestored: .remoteRestored
            }
    }
}

extension RelativePath {
    /// Parses the path that a log shows as `a/b/c`.
    fileprivate init(displayed text: String) {
        self.init(text.utf8.split(separator: UInt8(ascii: "/")).compactMap { EntryName(Array($0)) })
    }
}
