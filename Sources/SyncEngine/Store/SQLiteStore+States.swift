package import SyncCore

extension SQLiteStore {
    /// Why an item is not simply synced; nil if it is.
    package func status(_ id: NodeID) throws -> NodeStatus? {
        if let known = statusCache.known(id) { return known }
        let status = try first(.status, { $0.bind(id.rawValue, at: 1) }) { row in
            NodeStatus(
                state: ItemSyncState(rawValue: UInt8(truncatingIfNeeded: row.number(0))) ?? .error,
                isDirty: row.number(1) != 0, message: Explanation(stored: row.text(2)), bytes: row.number(3),
                counterpart: row.isNull(4) ? nil : NodeID(row.number(4)), isLocalVersion: row.number(7) != 0,
                detected: row.number(5),
                choice: row.isNull(6) ? nil : ConflictChoice(rawValue: UInt8(truncatingIfNeeded: row.number(6))))
        }
        statusCache.read(status, id)
        return status
    }

    /// Sets the status or, with nil, removes it.
    package func setStatus(_ status: NodeStatus?, for id: NodeID) throws {
        // An item that is excluded matches no entry.
        if !listings.allSatisfy(\.isEmpty),
            (status?.state == .excluded) != (try self.status(id)?.state == .excluded)
        {
            forgetListings()
        }
        statusCache.write(status, id)
        if statusCache.isFull { try flushStatuses() }
    }

    /// Writes the statuses that are waiting.
    func flushStatuses() throws {
        for change in statusCache.takeWaiting() { try write(change.row, for: change.id, isNew: change.isNew) }
    }

    private func write(_ status: NodeStatus?, for id: NodeID, isNew: Bool) throws {
        guard let status else { return try execute(.removeStatus) { $0.bind(id.rawValue, at: 1) } }
        try execute(isNew ? .addStatus : .setStatus) { statement in
            statement.bind(id.rawValue, at: 1)
            statement.bind(Int64(status.state.rawValue), at: 2)
            statement.bind(status.isDirty ? 1 : 0, at: 3)
            statement.bind(status.message.stored, at: 4)
            statement.bind(status.bytes, at: 5)
            statement.bind(optional: status.counterpart?.rawValue, at: 6)
            statement.bind(status.detected, at: 7)
            statement.bind(optional: status.choice.map { Int64($0.rawValue) }, at: 8)
            statement.bind(status.isLocalVersion ? 1 : 0, at: 9)
        }
    }

    /// At most `limit` items whose status is dirty, ordered by id, after that id.
    package func dirty(after: NodeID, limit: Int) throws -> [NodeID] {
        try flushStatuses()
        return try identifiers(.dirty, after, limit)
    }

    /// At most `limit` items in this state, ordered by id, after that id.
    package func nodes(inState state: ItemSyncState, after: NodeID, limit: Int) throws -> [NodeID] {
        try flushStatuses()
        return try identifiers(.inState, after, limit) { $0.bind(Int64(state.rawValue), at: 3) }
    }

    /// Counts what is not simply synced below a directory.
    package func counts(_ directory: NodeID) throws -> StateCounts {
        if let known = countsCache.known(directory) { return known ?? StateCounts() }
        let stored = try first(.counts, { $0.bind(directory.rawValue, at: 1) }) { row in
            StateCounts(
                pending: Int(row.number(0)), conflicts: Int(row.number(1)), errors: Int(row.number(2)),
                bytesToDo: row.number(3), bytes: row.number(4), files: Int(row.number(5)),
                filesAway: Int(row.number(6)), bytesAway: row.number(7))
        }
        countsCache.read(stored, directory)
        return stored ?? StateCounts()
    }

    /// Stores the counts, or deletes them if they are zero.
    package func setCounts(_ counts: StateCounts, for directory: NodeID) throws {
        countsCache.write(counts, directory)
        if countsCache.isFull { try flushCounts() }
    }

    /// Writes the counts that are waiting.
    func flushCounts() throws {
        for change in countsCache.takeWaiting() { try write(change.row ?? StateCounts(), for: change.id) }
    }

    private func write(_ counts: StateCounts, for directory: NodeID) throws {
        if counts.isZero { return try execute(.removeCounts) { $0.bind(directory.rawValue, at: 1) } }
        try execute(.setCounts) { statement in
            statement.bind(directory.rawValue, at: 1)
            statement.bind(Int64(counts.pending), at: 2)
            statement.bind(Int64(counts.conflicts), at: 3)
            statement.bind(Int64(counts.errors), at: 4)
            statement.bind(counts.bytesToDo, at: 5)
            statement.bind(counts.bytes, at: 6)
            statement.bind(Int64(counts.files), at: 7)
            statement.bind(Int64(counts.filesAway), at: 8)
            statement.bind(counts.bytesAway, at: 9)
        }
    }

    /// A value kept for the session.
    package func value(_ key: StoreKey) throws -> [UInt8]? {
        try first(.value, { $0.bind(key.rawValue, at: 1) }, { $0.bytes(0) ?? [] })
    }

    /// Stores a value or, with nil, deletes it.
    package func setValue(_ value: [UInt8]?, for key: StoreKey) throws {
        guard let value else { return try execute(.removeValue) { $0.bind(key.rawValue, at: 1) } }
        try execute(.setValue) { statement in
            statement.bind(key.rawValue, at: 1)
            statement.bind(value, at: 2)
        }
    }
}
