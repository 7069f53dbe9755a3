/// Why an item that is not synced waits. Each case makes a sentence: nothing waits without a reason.
package enum WaitReason: Hashable, Sendable {
    /// The folder is paused.
    case paused
    /// Nothing is done in the folder, for this reason.
    case halted(Explanation)
    /// The last attempt failed for this reason, and it is tried again.
    case retried(Explanation)
    /// It cannot be done as it is.
    case blocked(Explanation)
    /// Another item, at this path, comes first.
    case other(RelativePath)
    /// It was not seen on both sides yet.
    case looking
    /// It is its turn soon.
    case queued
    /// It is being done.
    case underWay

    /// The reason in words.
    package var explanation: Explanation {
        switch self {
        case .paused: Explanation(.waitsPaused)
        case .halted(let message), .retried(let message), .blocked(let message):
            message.isEmpty ? Explanation(.waitsForTurn) : message
        case .other(let path): Explanation(.waitsForItem, nil, "\(path)")
        case .looking: Explanation(.waitsForLook)
        case .queued: Explanation(.waitsForTurn)
        case .underWay: Explanation(.underWay)
        }
    }
}

/// The reason for which an item is not synced.
extension SyncSession {
    /// Why an item is not synced, in words; `.nothing` only for an item that is.
    package func reason(of id: NodeID) throws -> Explanation {
        let shown = try items.presentation(of: id)
        if !shown.message.isEmpty { return shown.message }
        if id == .root, let message = try folderStatusMessage() { return message }
        let status = try items.store.status(id)
        // A directory shows the state of what is in it.
        if let counts = try countsBelow(id), status == nil || status?.state == .synced {
            return Explanation(
                .contentsWait, nil, ["\(counts.errors)", "\((counts.conflicts + 1) / 2)", "\(counts.pending)"])
        }
        switch shown.state {
        case .synced, .onlineOnly:
            // What is in a directory that could not be listed may not be synced.
            return try id == .root && isPartlyUnknown() ? Explanation(.waitsForLook) : .nothing
        case .excluded: return Explanation(.excludedName)
        case .conflict: return try conflictReason(status)
        case .pending, .syncing, .error, .paused: return try waitReason(of: id, status).explanation
        }
    }

    private func folderStatusMessage() throws -> Explanation? {
        let message = try folderStatus().message
        return message.isEmpty ? nil : message
    }

    private func countsBelow(_ id: NodeID) throws -> StateCounts? {
        let counts = try items.counts(of: id)
        return counts.errors + counts.conflicts + counts.pending > 0 ? counts : nil
    }

    private func conflictReason(_ status: NodeStatus?) throws -> Explanation {
        guard let other = status?.counterpart else { return Explanation(.inConflict, nil, "") }
        let path = try items.store.path(of: other, in: .local) ?? items.store.path(of: other, in: .remote) ?? .root
        return Explanation(.inConflict, nil, "\(path)")
    }

    private func waitReason(of id: NodeID, _ status: NodeStatus?) throws -> WaitReason {
        if items.isRunning(id) { return .underWay }
        if items.isPaused { return .paused }
        if let message = haltMessage { return .halted(message) }
        if let message = items.blocks.reason(of: id) { return .retried(message) }
        // An operation waits for its turn.
        if isPlanned(id) { return .queued }
        switch try items.planner.decide(id) {
        case .wait(let other):
            let path = try items.store.path(of: other, in: .local) ?? items.store.path(of: other, in: .remote)
            return path.map { .other($0) } ?? .looking
        case .blocked(let message): return .blocked(message)
        case .unseen: return .looking
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .transfer, .describe, .free, .makeDirectory,
            .move, .setPermissions, .remove, .removeTree, .displace, .discard, .promoteCopy:
            return isLooking ? .looking : .queued
        }
    }
}
