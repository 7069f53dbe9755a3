/// What the session says of the folder.
extension SyncSession {
    /// What a person is to see of an item: its state, its progress and, where needed, a message.
    public func presentation(of id: NodeID) throws -> ItemPresentation { try items.presentation(of: id) }

    /// What a person is to see of an item for which the store has neither a status nor counts.
    public func presentation(ofPlain id: NodeID) throws -> ItemPresentation { try items.presentation(ofPlain: id) }

    /// What an item itself adds to the counts of the directories above it, and which these are.
    package func contribution(of id: NodeID) throws -> (counts: StateCounts, directories: [NodeID]) {
        (try items.own(id, try items.store.status(id)), try items.ancestors(from: try items.home(of: id)))
    }

    /// Tells which items look different after the event, and whether the folder as a whole does.
    mutating func presentChanges() throws {
        items.isHalted = safeguards.halt != nil
        let changes = try items.stateChanges()
        if !changes.isEmpty { outbox.add(.publish(changes)) }
        let folder = try folderStatus()
        if folder != toldStatus {
            toldStatus = folder
            outbox.add(.folderStatus(folder))
        }
    }

    /// The state of the folder as a whole.
    public func folderStatus() throws -> FolderStatus {
        let counts = try items.counts(of: .root)
        let state = try presentation(of: .root).state
        switch safeguards.halt {
        case .stopped(let reason, let message):
            var status = FolderStatus(phase: .stopped, state: .error, counts: counts, message: message)
            status.stopReason = reason
            return status
        case .restored(let restore):
            var status = FolderStatus(phase: .stopped, state: .error, counts: counts, message: restore.message)
            status.stopReason = .remoteRestored
            return status
        case .offline(let message): return FolderStatus(phase: .offline, state: state, counts: counts, message: message)
        case .confirmDeletes(let count, let side, let before):
            let place = side == .local ? "this computer" : "the remote"
            let items = count == 1 ? "1 item is" : "\(count) items are"
            let after = before == 0 ? "" : ", after \(before) within the last hour"
            var status = FolderStatus(
                phase: .confirmDeletes(count: count, side: side), state: .error, counts: counts,
                message: "\(items) about to be deleted on \(place)\(after). Confirm that, or bring them back.")
            status.deletedBefore = before
            return status
        case nil: break
        }
        if items.isPaused { return FolderStatus(phase: .paused, state: state, counts: counts) }
        let isSyncing = items.hasOperations
        let isSeeking = survey.isRunning || survey.isAwaitingQuiet
        let phase: FolderStatus.Phase = isSyncing ? .syncing : isSeeking ? .looking : .idle
        return FolderStatus(phase: phase, state: state, counts: counts)
    }

    mutating func setPaused(_ paused: Bool) throws {
        items.isPaused = paused
        items.agenda.addAll()
        outbox.beginRun()
    }
}
