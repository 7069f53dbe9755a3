internal import RoundelBus
internal import SyncCore
internal import SyncEngine

extension FolderUnit {
    /// The folder as ListFolders gives it.
    var summary: SyncedFolder {
        var summary = SyncedFolder(
            id: settings.id, uri: settings.uri, remote: settings.remote, label: settings.label,
            state: Badge(folder.status.state.badge))
        summary.remoteURI = remoteAddress.uri
        summary.isPaused = settings.paused
        summary.added = settings.added
        return summary
    }

    /// The folder's state as Status and StatusChanged give it.
    func report(transfers limit: Int = 16) -> SyncFolderStatus {
        let status = folder.status
        var report = SyncFolderStatus(id: settings.id, uri: settings.uri, state: Badge(shownState.badge))
        report.remote = settings.remote
        report.label = settings.label
        report.text = sentence
        let (done, total) = (status.counts.bytesDone, status.counts.bytesDone + status.counts.bytesToDo)
        if let root = presentation(of: .root), let progress = root.progress {
            report.progress = progress
            report.bytesDone = UInt64(clamping: root.bytesDone)
            report.bytesTotal = UInt64(clamping: root.bytesTotal)
        } else if status.counts.bytesToDo > 0 {
            report.bytesDone = UInt64(clamping: done)
            report.bytesTotal = UInt64(clamping: total)
        }
        report.itemsTotal = UInt64(clamping: status.counts.pending)
        report.counts = [
            .pending: status.counts.pending, .conflict: status.counts.conflicts, .error: status.counts.errors,
        ]
        .filter { $0.value > 0 }.mapValues { UInt64(clamping: $0) }
        report.lastSynced = lastSynced
        if !rescans.unwatched.isEmpty {
            report.rescanInterval = rescans.interval / 1_000_000_000
            report.lookedThrough = rescans.lookedThrough
        }
        report.message = status.message.isEmpty ? firstError() : explainer.sentence(status.message)
        report.needs = needs.map { WireWord($0) }
        if case .confirmDeletes(let count, _) = status.phase { report.pendingDeletes = UInt64(clamping: count) }
        report.transfers = transfers(limit)
        return report
    }

    /// The status as the badge service has it.
    var hubStatus: RoundelBus.FolderStatus {
        let report = report(transfers: 0)
        let state: FolderState =
            switch folder.status.phase {
            case .paused: .paused
            case .stopped, .offline: .error
            case .confirmDeletes: .attention
            case .syncing: .syncing
            case .idle, .looking:
                switch folder.status.state {
                case .error: .error
                case .conflict: .attention
                case .syncing, .pending: .syncing
                case .onlineOnly, .synced, .excluded, .paused: .idle
                }
            }
        return RoundelBus.FolderStatus(state: state, text: report.text, progress: report.progress)
    }

    /// What a person must do before the folder goes on.
    var needs: FolderNeed? {
        switch folder.status.phase {
        case .confirmDeletes: return .confirmDeletes
        case .stopped: return folder.status.stopReason.map(FolderNeed.init) ?? .errors
        case .offline: return .remoteMissing
        case .idle, .looking, .syncing, .paused:
            if folder.status.counts.errors > 0, folder.shortageOfSpace != nil { return .diskFull }
            if folder.status.counts.conflicts > 0 { return .conflicts }
            return folder.status.counts.errors > 0 ? .errors : nil
        }
    }

    private var shownState: ItemSyncState {
        switch folder.status.phase {
        case .stopped, .offline, .confirmDeletes: .error
        case .paused: max(.paused, folder.status.state)
        case .idle, .looking, .syncing: presentation(of: .root)?.state ?? folder.status.state
        }
    }

    private var sentence: String {
        let status = folder.status
        let counts = status.counts
        if !status.message.isEmpty { return explainer.sentence(status.message) }
        switch status.phase {
        case .paused: return Words.paused(waiting: counts.pending)
        case .syncing: return Words.syncing(max(1, counts.pending))
        case .idle, .looking, .offline, .stopped, .confirmDeletes: break
        }
        if counts.errors > 0 { return Words.failed(counts.errors) }
        if counts.conflicts > 0 { return Words.conflicts(conflictCount) }
        if counts.pending > 0 { return Words.waiting(counts.pending) }
        return status.phase == .looking ? Words.looking : restingSentence
    }

    /// The conflicts in it: both versions are in conflict, and a person counts the pair.
    var conflictCount: Int { (folder.status.counts.conflicts + 1) / 2 }

    /// Puts what the engine says of this folder into words.
    var explainer: Explainer { Explainer(folder: settings.label) }

    /// What is wrong with one of the items that could not be synced.
    func firstError() -> String? {
        guard folder.status.counts.errors > 0,
            let id = try? folder.store.nodes(inState: .error, after: .none, limit: 1).first,
            let status = try? folder.store.status(id)
        else { return nil }
        return explainer.sentence(status.message)
    }

    private func transfers(_ limit: Int) -> [SyncTransfer] {
        guard limit > 0 else { return [] }
        var transfers: [SyncTransfer] = []
        for id in moving.sorted() where transfers.count < limit {
            guard let transfer = transfer(id) else { continue }
            transfers.append(transfer)
        }
        return transfers
    }

    private func transfer(_ id: NodeID) -> SyncTransfer? {
        let store = folder.store
        let local = try? store.node(id, in: .local)
        let remote = try? store.node(id, in: .remote)
        guard let node = local ?? remote, node.kind == .file, let shown = presentation(of: id), shown.state == .syncing,
            let path = try? store.path(of: id, in: local == nil ? .remote : .local), let item = path.uri(below: uri)
        else { return nil }
        let base = try? store.node(id, in: .synced)
        let isChangedHere = local.map { $0.local?.tag != base?.local?.tag } ?? false
        return SyncTransfer(
            uri: item.uri, direction: isChangedHere ? .upload : .download,
            bytesDone: UInt64(clamping: shown.bytesDone), bytesTotal: UInt64(clamping: shown.bytesTotal))
    }

    // MARK: Activity

    /// An entry of the log as Activity gives it.
    func activity(_ record: ActivityRecord) -> SyncActivity {
        var activity = SyncActivity(
            sequence: UInt64(clamping: record.sequence), time: record.date * 1_000_000, folder: settings.id,
            uri: (record.path.uri(below: uri) ?? uri).uri, action: WireWord(text: record.kind))
        if record.kind == Activity.Kind.moved.rawValue {
            activity.oldURI = RelativePath(displayed: record.detail).uri(below: uri)?.uri
        } else if !record.detail.isEmpty {
            activity.message = explainer.sentence(Explanation(stored: record.detail))
        }
        return activity
    }

    // MARK: Conflicts

    /// The conflicts at or below a place.
    func conflicts(within place: ItemURI?) -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        var last = NodeID.none
        while let page = try? folder.store.nodes(inState: .conflict, after: last, limit: 500), let end = page.last {
            for id in page {
                guard let conflict = conflict(of: id), isWithin(conflict, place) else { continue }
                conflicts.append(conflict)
            }
            last = end
        }
        return conflicts.sorted { $0.uri < $1.uri }
    }

    /// The conflict whose local copy this item is; nil for the other half of the pair.
    private func conflict(of copy: NodeID) -> SyncConflict? {
        let store = folder.store
        guard let status = try? store.status(copy), let other = status.counterpart,
            let copyNode = try? store.node(copy, in: .local) ?? store.node(copy, in: .remote),
            let original = try? store.node(other, in: .local) ?? store.node(other, in: .remote),
            status.isLocalVersion || ConflictName.isCopy(copyNode.name, of: original.name),
            let copyURI = itemURI(of: copy), let originalURI = itemURI(of: other)
        else { return nil }
        var conflict = SyncConflict(
            folder: settings.id, uri: originalURI.uri, copyURI: copyURI.uri,
            kind: WireWord(original.kind == copyNode.kind ? .edits : .type))
        if status.detected > 0 { conflict.detected = status.detected * 1_000_000 }
        conflict.size = (original.local ?? original.remote).map { UInt64(clamping: $0.size) }
        conflict.modified = (original.local ?? original.remote).map { $0.modified / 1000 }
        conflict.copySize = copyNode.local.map { UInt64(clamping: $0.size) }
        conflict.copyModified = copyNode.local.map { $0.modified / 1000 }
        return conflict
    }

    /// Where an item is, on this side or where it is to come to.
    func itemURI(of id: NodeID) -> ItemURI? {
        let path = (try? folder.store.path(of: id, in: .local)) ?? (try? folder.store.path(of: id, in: .remote))
        return path?.uri(below: uri)
    }

    private func isWithin(_ conflict: SyncConflict, _ place: ItemURI?) -> Bool {
        guard let place else { return true }
        return [conflict.uri, conflict.copyURI].contains { text in
            (try? ItemURI(text))?.isWithin(place) ?? false
        }
    }
}

extension FolderNeed {
    /// What it takes to end a standstill.
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
    /// The path that a log shows as `a/b/c`.
    fileprivate init(displayed text: String) {
        self.init(text.utf8.split(separator: UInt8(ascii: "/")).compactMap { EntryName(Array($0)) })
    }
}
