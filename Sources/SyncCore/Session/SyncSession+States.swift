/// What items look like to a person: kept while rows change, told when an event was handled.
struct Presenting {
    /// How an item looked before the event.
    struct Look: Hashable {
        var parent: NodeID
        var name: EntryName
        var state: ItemSyncState?
        var progress: UInt8?
    }

    /// Operations in flight below a directory.
    struct Activity: Hashable {
        var operations = 0
        var bytes: Int64 = 0
    }

    var before: [NodeID: Look] = [:]
    var active: [NodeID: Activity] = [:]
    var folder: FolderStatus?
}

extension SyncSession {
    // MARK: Rows

    /// Writes a row; the counts of the directories above follow the item to its new place.
    mutating func write(_ node: Node, in tree: Tree) throws {
        if tree == .synced { try keepEarlier(of: node) }
        try change(node.id) { try $0.put(node, in: tree) }
        mounts.set(node.id, node.isMountRoot, in: tree)
    }

    /// Removes a row; the status of an item without any row goes too.
    mutating func erase(_ id: NodeID, from tree: Tree) throws {
        try change(id) { try $0.remove(id, from: tree) }
        mounts.set(id, false, in: tree)
        if try !isKnown(id) {
            if let other = try store.status(id)?.counterpart { try endConflict(of: other) }
            try setStatus(nil, for: id)
            try store.setEarlierVersions([], of: id)
            looking.returned.remove(id)
            blocked[id] = nil
        }
    }

    func isKnown(_ id: NodeID) throws -> Bool {
        try Tree.allCases.contains { try store.node(id, in: $0) != nil }
    }

    private mutating func change(_ id: NodeID, _ body: (any TreeStore) throws -> Void) throws {
        try remember(id)
        let (before, old) = (try total(of: id), try home(of: id))
        try body(store)
        let (after, new) = (try total(of: id), try home(of: id))
        if old != new {
            try shift(before, from: old, to: nil)
            try shift(after, from: nil, to: new)
        } else if before != after {
            try add(after - before, above: new)
        }
    }

    /// The directory in which an item is shown: the local one if it is here. What is gone on both sides counts for the
    /// root; the rows of the base alone may hang in a ring while directories change places.
    package func home(of id: NodeID) throws -> NodeID {
        if id == .root { return .none }
        let row = try store.node(id, in: .local) ?? store.node(id, in: .remote)
        return row?.parent ?? .root
    }

    /// A directory and those above it, upwards, the root last.
    package func ancestors(from directory: NodeID) throws -> [NodeID] {
        var chain: [NodeID] = []
        var current = directory
        while current != .none {
            chain.append(current)
            current = try home(of: current)
        }
        return chain
    }

    /// The counts of a directory; those that changed go to the store with the next commit, as each item changes those
    /// of all directories above.
    func counts(of directory: NodeID) throws -> StateCounts {
        try changedCounts[directory] ?? store.counts(directory)
    }

    mutating func setCounts(_ counts: StateCounts, for directory: NodeID) {
        changedCounts[directory] = counts
    }

    mutating func commit() throws {
        for (directory, counts) in changedCounts.sorted(by: { $0.key < $1.key }) {
            try store.setCounts(counts, for: directory)
        }
        changedCounts.removeAll(keepingCapacity: true)
        try store.commit()
    }

    /// What an item and all that is shown below it add to the counts above.
    func total(of id: NodeID) throws -> StateCounts {
        try own(id, try store.status(id)) + counts(of: id)
    }

    /// What an item itself adds to the counts above, with this status.
    package func own(_ id: NodeID, _ status: NodeStatus?) throws -> StateCounts {
        var own = Self.contribution(of: status)
        if status?.state != .excluded { own.bytes = try size(of: id) }
        return own
    }

    /// The greater of a file's sizes on the two sides; 0 for a directory.
    private func size(of id: NodeID) throws -> Int64 {
        let (local, remote) = (try store.node(id, in: .local), try store.node(id, in: .remote))
        if local?.kind == .directory || remote?.kind == .directory { return 0 }
        return max(local?.local?.size ?? 0, remote?.remote?.size ?? 0)
    }

    /// Sums up what is in the directories of a store that was kept without that. What is on both sides is counted
    /// where it is shown.
    mutating func countSizes() throws {
        if try store.value(.sizes) != nil { return }
        for side in Side.allCases {
            var stack = [NodeID.root]
            while let directory = stack.popLast() {
                for id in try childIDs(of: directory, in: side.tree) {
                    stack.append(id)
                    if side == .remote, try store.node(id, in: .local) != nil { continue }
                    let bytes = try own(id, try store.status(id)).bytes
                    try shift(StateCounts(bytes: bytes), from: nil, to: try home(of: id))
                }
            }
        }
        try store.setValue([1], for: .sizes)
        try commit()
    }

    // MARK: Statuses

    mutating func setStatus(_ status: NodeStatus?, for id: NodeID) throws {
        let old = try store.status(id)
        if old == status { return }
        try remember(id)
        try store.setStatus(status, for: id)
        let delta = try own(id, status) - own(id, old)
        if !delta.isZero { try add(delta, above: try home(of: id)) }
    }

    private static func contribution(of status: NodeStatus?) -> StateCounts {
        guard let status else { return StateCounts() }
        switch status.state {
        case .pending: return StateCounts(pending: 1, bytesToDo: status.bytes)
        case .conflict: return StateCounts(conflicts: 1)
        case .error: return StateCounts(errors: 1)
        case .excluded, .synced, .onlineOnly, .syncing, .paused: return StateCounts()
        }
    }

    /// Counts that leave a directory and those above it, or come to it.
    mutating func shift(_ counts: StateCounts, from old: NodeID?, to new: NodeID?) throws {
        if counts.isZero { return }
        if let old { try add(StateCounts() - counts, above: old) }
        if let new { try add(counts, above: new) }
    }

    private mutating func add(_ delta: StateCounts, above directory: NodeID) throws {
        for id in try ancestors(from: directory) {
            try remember(id)
            setCounts(try counts(of: id) + delta, for: id)
        }
    }

    /// The planner has to look at the item.
    ///
    /// - Parameter onlyToVerify: Nothing says that it changed, only that it could have within the clock's grain: it
    ///   keeps its state until its contents were compared.
    mutating func markDirty(_ id: NodeID, onlyToVerify: Bool = false) throws {
        agenda.add(id)
        if id == .root { return }
        var status = try store.status(id) ?? NodeStatus(state: onlyToVerify ? .synced : .pending, isDirty: true)
        if status.state == .excluded { return }
        if status.state == .synced && !onlyToVerify { status.state = .pending }
        status.isDirty = true
        // What failed stays an error until it is tried again: being looked at once more mends nothing.
        let isWaiting = blocked[id].map { $0.due > now.monotonic } ?? false || mounts.isAway(id)
        if status.state == .error && !isWaiting { status = Self.withoutError(status) }
        if status.state == .pending { status.bytes = try bytesToMove(id) }
        try setStatus(status, for: id)
    }

    /// Bytes that a transfer of the item takes: none where each side holds the version that was synced, or nothing.
    private func bytesToMove(_ id: NodeID) throws -> Int64 {
        let base = try store.node(id, in: .synced)
        let isChanged = try Side.allCases.contains { side in
            guard let version = try store.node(id, in: side.tree)?[side] else { return false }
            return base?[side]?.isSame(as: version) != true
        }
        return isChanged ? try size(of: id) : 0
    }

    /// Both sides of the item agree.
    mutating func markClean(_ id: NodeID) throws {
        blocked[id] = nil
        guard var status = try store.status(id) else { return }
        if status.state == .error { status = Self.withoutError(status) }
        if status.state == .conflict {
            status.isDirty = false
            try setStatus(status, for: id)
        } else if status.state != .excluded {
            try setStatus(nil, for: id)
        }
    }

    mutating func setError(_ id: NodeID, _ message: String) throws {
        var status = try store.status(id) ?? NodeStatus(state: .error, isDirty: true)
        (status.state, status.isDirty, status.message) = (.error, true, message)
        try setStatus(status, for: id)
    }

    /// A directory can be listed again.
    mutating func endError(of id: NodeID) throws {
        guard try store.status(id)?.state == .error else { return }
        if id == .root { try setStatus(nil, for: id) } else { try markDirty(id) }
    }

    /// What an item with an error is when the error is over: one in conflict stays so.
    private static func withoutError(_ status: NodeStatus) -> NodeStatus {
        var status = status
        (status.state, status.isDirty) = (status.counterpart == nil ? .pending : .conflict, true)
        (status.message, status.bytes) = ("", 0)
        return status
    }

    // MARK: Activity

    /// The item's operation runs from now on; a second time does nothing.
    mutating func beginActivity(of node: NodeID) throws {
        guard var operation = operations[node], !operation.isRunning else { return }
        operation.isRunning = true
        operation.ancestors = try ancestors(from: try home(of: node))
        for id in [node] + operation.ancestors { try remember(id) }
        for id in operation.ancestors { presenting.active[id, default: Presenting.Activity()].operations += 1 }
        operations[node] = operation
    }

    mutating func endActivity(_ operation: Operation) throws {
        for id in [operation.node] + operation.ancestors { try remember(id) }
        for id in operation.ancestors {
            presenting.active[id]?.operations -= 1
            presenting.active[id]?.bytes -= operation.bytesDone
            if presenting.active[id]?.operations == 0 { presenting.active[id] = nil }
        }
    }

    /// Bytes of a transfer that are through.
    mutating func advance(_ node: NodeID, to bytes: Int64) throws {
        try beginActivity(of: node)
        guard var operation = operations[node] else { return }
        let done = min(max(bytes, operation.bytesDone), operation.bytesTotal)
        for id in [node] + operation.ancestors { try remember(id) }
        for id in operation.ancestors { presenting.active[id]?.bytes += done - operation.bytesDone }
        operation.bytesDone = done
        operations[node] = operation
    }
}
