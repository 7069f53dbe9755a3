/// Planning: from dirty items to operations.
extension SyncSession {
    /// Operations at a time; what follows waits in the store.
    private static let operationLimit = 2_048
    private static let pageSize = 128
    /// Decisions that one item may take in a row without anything happening outside.
    private static let stepLimit = 1_000

    /// Whether there are so many operations that planning waits until some have ended.
    var hasEnoughOperations: Bool { operations.count >= Self.operationLimit }

    /// Whether a pass over the dirty items is worth its time: while work is queued for the effects in flight, what an
    /// event lets go on could not be begun anyway, and the next effect that ends asks again.
    var isPlanningDue: Bool {
        if hasEnoughOperations { return false }
        return (toStage.isEmpty && toHash.isEmpty) || now.monotonic >= plannedAt + Self.planningInterval
    }

    /// Milliseconds between two passes while work is queued.
    private static let planningInterval: Int64 = 100

    /// Looks at dirty items in the order of their ids, until there are enough operations or no more items; again from
    /// the beginning only if something happened that may let an item go on, as most events concern no other item.
    mutating func plan() throws {
        try startChoices()
        while !hasEnoughOperations {
            if cursor == .none {
                if !hasNews { return }
                hasNews = false
                plannedAt = now.monotonic
            }
            let page = try store.dirty(after: cursor, limit: Self.pageSize)
            for id in page {
                cursor = id
                try consider(id)
                if hasEnoughOperations { return }
            }
            if page.count < Self.pageSize { cursor = .none }
        }
    }

    /// Takes one item as far as it gets: decisions that concern the store alone are carried out at once, what waits
    /// for another item leads to that one.
    private mutating func consider(_ id: NodeID) throws {
        var chain: [NodeID] = [id]
        for _ in 0..<Self.stepLimit {
            guard let current = chain.last, try mayPlan(current) else { return }
            let decision = try planner.decide(current)
            switch decision {
            case .nothing:
                return try settleUndecided(current, isWaitedFor: chain.count > 1, by: id)
            case .adopt, .dropBase, .merge:
                try apply(decision, to: current)
                if chain.count > 1 { chain = [id] }
                hasNews = true
            case .hash(let side, let version):
                return try beginHash(current, side, version)
            case .wait(let other):
                if let index = chain.firstIndex(of: other) { return try stepAside(Array(chain[index...])) }
                chain.append(other)
            case .blocked(let message):
                blocked[current, default: Block(attempts: 0, due: 0)].due = now.monotonic + 60_000
                return try setError(current, message)
            case .renameConflict(let displaced, _, _, _):
                return try begin(decision, node: displaced, origin: current)
            default:
                return try begin(decision, node: current, origin: current)
            }
        }
        try setError(id, "It could not be decided what to do with this item; please report this.")
        blocked[id] = Block(attempts: 1, due: now.monotonic + 60_000)
    }

    private func mayPlan(_ id: NodeID) throws -> Bool {
        if operations[id] != nil || hashing.contains(id) { return false }
        if let block = blocked[id], block.due > now.monotonic { return false }
        return true
    }

    private mutating func settleUndecided(_ id: NodeID, isWaitedFor: Bool, by waiting: NodeID) throws {
        try markClean(id)
        if !isWaitedFor { return }
        blocked[waiting, default: Block(attempts: 0, due: 0)].due = now.monotonic + 1_000
    }

    private mutating func apply(_ decision: Decision, to id: NodeID) throws {
        switch decision {
        case .adopt(let base): try write(base, in: .synced)
        case .dropBase: try erase(id, from: .synced)
        case .merge(let keep, let drop, let tree):
            try remember(drop)
            try setStatus(nil, for: drop)
            for child in try childIDs(of: drop, in: tree) { try remember(child) }
            try renumber(drop, to: keep, in: tree)
            try markDirty(keep)
        default: break
        }
    }

    /// Gives a row another id; the counts of what is below go with it.
    mutating func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws {
        try remember(old)
        try remember(new)
        for id in [old, new] { try shift(try total(of: id), from: try home(of: id), to: nil) }
        try store.renumber(old, to: new, in: tree)
        let below = try counts(of: old)
        setCounts(StateCounts(), for: old)
        setCounts(below + (try counts(of: new)), for: new)
        for id in [old, new] { try shift(try total(of: id), from: nil, to: try home(of: id)) }
    }

    /// Names are exchanged in a ring: one of the items in it goes out of the way for a moment.
    private mutating func stepAside(_ ring: [NodeID]) throws {
        for id in ring where try mayPlan(id) {
            let rows = try planner.rows(id)
            guard let (side, _) = try planner.desiredPlace(rows), let row = rows[side], let version = row[side],
                !IntermediateName.isIntermediate(row.name)
            else { continue }
            let place = Place(parent: .root, name: IntermediateName.make(for: id, tag: configuration.tag))
            return try begin(.move(side, to: place, expected: version), node: id, origin: id, isStepAside: true)
        }
        guard let id = ring.first else { return }
        blocked[id, default: Block(attempts: 0, due: 0)].due = now.monotonic + 60_000
        try setError(id, "Items were moved into each other on the two sides; move one of them elsewhere.")
    }

    /// Begins an operation, unless the item has one.
    mutating func begin(_ decision: Decision, node: NodeID, origin: NodeID, isStepAside: Bool = false) throws {
        guard operations[node] == nil, !hashing.contains(node) else { return }
        if case .splitConflict(_, let name) = decision, try store.node(node, in: .local)?.name == name {
            return try splitConflict(node, name: name, version: nil)
        }
        try markDirty(node)
        var operation = Operation(
            node: node, origin: origin, decision: decision, isStepAside: isStepAside, step: .ready)
        if case .transfer(_, let source, _, _) = decision {
            operation.step = .staging
            operation.bytesTotal = source.size
            toStage.append(node)
        } else {
            ready.append(node)
        }
        try beginActivity(&operation)
        operations[node] = operation
    }

    /// Takes an operation out; the item is planned again.
    @discardableResult
    mutating func end(_ node: NodeID) throws -> Operation? {
        guard let operation = operations.removeValue(forKey: node) else { return nil }
        operations[node] = operation
        try endActivity(operation)
        operations[node] = nil
        ready.removeAll { $0 == node }
        toStage.removeAll { $0 == node }
        hasNews = true
        return operation
    }

    // MARK: Hashing

    private mutating func beginHash(_ id: NodeID, _ side: Side, _ version: Version) throws {
        hashing.insert(id)
        toHash.append((id, side, version))
    }

    mutating func hashMore() throws {
        while canRun, let (id, side, version) = toHash.popLast() {
            if let path = try store.path(of: id, in: side.tree) {
                run(.hashFile(side, path, expected: version), for: .hash(side, id, version))
            } else {
                hashing.remove(id)
                hasNews = true
            }
        }
    }

    mutating func takeHash(_ result: EffectResult, _ side: Side, _ id: NodeID, _ version: Version) throws {
        hashing.remove(id)
        hasNews = true
        guard var row = try store.node(id, in: side.tree), let known = row[side] else { return }
        switch result {
        case .hashed(let hash, var seen):
            // Something else was seen since: what was hashed is history.
            guard known.tag == version.tag else { return }
            if seen.tag != known.tag { return lookAt(side, row.place) }
            if seen.isRacy { return postpone(id, milliseconds: 50) }
            seen.identity = known.identity
            seen.hash = hash
            row[side] = seen
            try write(row, in: side.tree)
        case .failed(let failure):
            try fail(id, failure)
            lookAt(side, row.place)
        default:
            break
        }
    }
}
