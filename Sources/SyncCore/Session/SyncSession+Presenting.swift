extension SyncSession {
    /// What a person is to see of an item: its state, its progress and, where needed, a message.
    public func presentation(of id: NodeID) throws -> ItemPresentation {
        let status = try store.status(id)
        var state = status?.state ?? .synced
        var (done, total): (Int64, Int64) = (0, 0)
        if let operation = operations[id] {
            if operation.isRunning && state < .conflict { state = .syncing }
            (done, total) = (operation.bytesDone, operation.bytesTotal)
        }
        let counts = try self.counts(of: id)
        let active = presenting.active[id]
        if state != .excluded {
            state = max(state, Self.state(of: counts, isActive: active != nil))
        }
        if counts.bytes > 0 {
            done = counts.bytesDone + (active?.bytes ?? 0)
            total = counts.bytes
        }
        if isPaused && (state == .pending || state == .syncing) { state = .paused }
        // What is in a folder that cannot go on keeps its state; the folder itself says that something is wrong.
        if id == .root && halt != nil { state = .error }
        let progress: UInt8? =
            state == .syncing && total > 0 ? UInt8(clamping: min(max(done, 0), total) * 100 / total) : nil
        return ItemPresentation(
            state: state, progress: progress, bytesDone: done, bytesTotal: total, message: status?.message ?? "")
    }

    /// What a person is to see of an item for which the store has neither a status nor counts.
    public func presentation(ofPlain id: NodeID) throws -> ItemPresentation {
        let isAtRest = operations[id] == nil && presenting.active[id] == nil && changedCounts[id] == nil
        return isAtRest ? ItemPresentation(state: .synced) : try presentation(of: id)
    }

    static func state(of counts: StateCounts, isActive: Bool) -> ItemSyncState {
        if counts.errors > 0 { return .error }
        if counts.conflicts > 0 { return .conflict }
        if isActive { return .syncing }
        return counts.pending > 0 ? .pending : .synced
    }

    /// Keeps how an item looks before it changes for the first time in this event.
    mutating func remember(_ id: NodeID) throws {
        if presenting.before[id] == nil { presenting.before[id] = try look(of: id) }
    }

    private func look(of id: NodeID) throws -> Presenting.Look {
        guard let node = try store.node(id, in: .local) ?? store.node(id, in: .remote) else {
            return Presenting.Look(parent: .none, name: .root, state: nil)
        }
        let shown = try presentation(of: id)
        return Presenting.Look(parent: node.parent, name: node.name, state: shown.state, progress: shown.progress)
    }

    /// Tells which items look different after the event, what is in a directory before the directory.
    mutating func presentChanges() throws {
        var changes: [(depth: Int, change: StateChange)] = []
        for (id, old) in presenting.before {
            let new = try look(of: id)
            if new == old { continue }
            let hasMoved = new.parent != old.parent || new.name != old.name
            if old.state != nil && hasMoved {
                changes.append((Int.max, StateChange(node: id, parent: old.parent, name: old.name, state: nil)))
            }
            if new.state != nil {
                let change = StateChange(
                    node: id, parent: new.parent, name: new.name, state: new.state, progress: new.progress)
                changes.append((try ancestors(from: new.parent).count, change))
            }
        }
        presenting.before.removeAll(keepingCapacity: true)
        if !changes.isEmpty {
            changes.sort { ($0.depth, $0.change.node) > ($1.depth, $1.change.node) }
            outbox.add(.publish(changes.map(\.change)))
        }
        let folder = try folderStatus()
        if folder != presenting.folder {
            presenting.folder = folder
            outbox.add(.folderStatus(folder))
        }
    }

    /// The state of the folder as a whole.
    public func folderStatus() throws -> FolderStatus {
        let counts = try self.counts(of: .root)
        let state = try presentation(of: .root).state
        switch halt {
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
        if isPaused { return FolderStatus(phase: .paused, state: state, counts: counts) }
        let isSyncing = !operations.isEmpty
        let isSeeking = looking.running > 0 || looking.isAwaitingQuiet
        let phase: FolderStatus.Phase = isSyncing ? .syncing : isSeeking ? .looking : .idle
        return FolderStatus(phase: phase, state: state, counts: counts)
    }

    mutating func setPaused(_ paused: Bool) throws {
        isPaused = paused
        agenda.addAll()
        outbox.beginRun()
    }
}
