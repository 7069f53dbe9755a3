/// Planning: from dirty items to operations.
extension SyncSession {
    private static let pageSize = 128
    /// Decisions that one item may take in a row without anything happening outside.
    private static let stepLimit = 1_000

    /// Whether nothing is under way whose end would bring more to plan.
    var isIdle: Bool { operations.isEmpty && hashing.isEmpty }

    /// Whether planning would bring anything about.
    var isPlanningDue: Bool { hasRoom && agenda.hasWork(isIdle: isIdle) }

    private var hasRoom: Bool { operations.count + hashing.count < configuration.operationLimit && !agenda.isCrowded }

    /// Looks at the items on the agenda until there is enough under way or nothing more to look at.
    mutating func plan() throws {
        try startChoices()
        while hasRoom {
            if let id = agenda.next() {
                if try store.status(id)?.isDirty == true { try consider(id) }
            } else if let cursor = agenda.cursor {
                try planPage(after: cursor)
            } else if !agenda.beginPass(isIdle: isIdle) {
                return
            }
        }
    }

    /// Goes on with the pass over all dirty items, in the order of their ids.
    private mutating func planPage(after cursor: NodeID) throws {
        let page = try store.dirty(after: cursor, limit: Self.pageSize)
        for id in page {
            agenda.advancePass(to: id)
            try consider(id)
            if !hasRoom { return }
        }
        if page.count < Self.pageSize { agenda.advancePass(to: nil) }
    }

    /// Takes one item as far as it gets. If it waits for one that is under way, it is looked at again after that.
    private mutating func consider(_ id: NodeID) throws {
        var chain: [NodeID] = [id]
        try follow(&chain)
        guard chain.count > 1, operations[id] == nil, !hashing.contains(id) else { return }
        if let other = chain.last(where: { operations[$0] != nil || hashing.contains($0) }) {
            agenda.wait(id, for: other)
        }
    }

    /// Decisions that concern the store alone are carried out at once; what waits for another item leads to that one.
    private mutating func follow(_ chain: inout [NodeID]) throws {
        let id = chain[0]
        for _ in 0..<Self.stepLimit {
            guard let current = chain.last, try mayPlan(current) else { return }
            let decision = try planner.decide(current)
            switch decision {
            case .nothing:
                return try settleUndecided(current, isWaitedFor: chain.count > 1, by: id)
            case .adopt(let base):
                try write(base, in: .synced)
                chain = startOver(id)
            case .dropBase:
                try erase(current, from: .synced)
                chain = startOver(id)
            case .merge(let keep, let drop, let tree):
                try unite(drop, with: keep, in: tree)
                chain = startOver(id)
            case .separate:
                try separateAndReport(current)
                chain = startOver(id)
            case .unseen:
                return
            case .hash(let side, let version):
                return beginHash(current, side, version)
            case .wait(let other):
                if let index = chain.firstIndex(of: other) { return try stepAside(Array(chain[index...])) }
                chain.append(other)
            case .blocked(let message):
                blocked[current, default: Block(attempts: 0, due: 0)].due = now.monotonic + 60_000
                return try setError(current, message)
            case .setPermissions(let side, let version, let permissions):
                // Looked at again when nothing else is under way.
                if try closesTooEarly(current, side, version.permissions, permissions) { return }
                return try begin(decision, node: current, origin: current)
            case .transfer, .makeDirectory, .move, .remove, .displace, .discard, .promoteCopy:
                return try begin(decision, node: current, origin: current)
            }
        }
        try setError(id, "It could not be decided what to do with this item; please report this.")
        blocked[id] = Block(attempts: 1, due: now.monotonic + 60_000)
    }

    /// Whether a directory is to be closed to its owner while something in it is still to be done.
    private func closesTooEarly(
        _ id: NodeID, _ side: Side, _ now: Permissions?, _ wanted: Permissions
    ) throws -> Bool {
        guard let now, now.subtracting(wanted).bits & Permissions.owner.bits != 0,
            try store.node(id, in: side.tree)?.kind == .directory
        else { return false }
        return try counts(of: id).pending > 0
    }

    private func mayPlan(_ id: NodeID) throws -> Bool {
        if operations[id] != nil || hashing.contains(id) { return false }
        if let block = blocked[id], block.due > now.monotonic { return false }
        return try !isOnMountAway(id)
    }

    private mutating func settleUndecided(_ id: NodeID, isWaitedFor: Bool, by waiting: NodeID) throws {
        try markClean(id)
        if !isWaitedFor { return }
        blocked[waiting, default: Block(attempts: 0, due: 0)].due = now.monotonic + 1_000
    }

    private mutating func startOver(_ id: NodeID) -> [NodeID] {
        agenda.addSome()
        return [id]
    }

    private mutating func separateAndReport(_ id: NodeID) throws {
        guard let copy = try separate(id), let path = try store.path(of: copy, in: .local) else { return }
        outbox.report(Activity(kind: .conflict, node: copy, path: path, detail: ""))
    }

    /// Two items turned out to be one.
    private mutating func unite(_ drop: NodeID, with keep: NodeID, in tree: Tree) throws {
        try remember(drop)
        if let other = try store.status(drop)?.counterpart { try endConflict(of: other) }
        try setStatus(nil, for: drop)
        for child in try childIDs(of: drop, in: tree) { try remember(child) }
        try renumber(drop, to: keep, in: tree)
        try markDirty(keep)
    }

    /// Gives a row another id; the counts of what is below go with it.
    mutating func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws {
        try remember(old)
        try remember(new)
        for id in [old, new] { try shift(try total(of: id), from: try home(of: id), to: nil) }
        try store.renumber(old, to: new, in: tree)
        mounts.renumber(old, to: new, in: tree)
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
        try markDirty(node)
        var operation = Operation(
            node: node, origin: origin, decision: decision, isStepAside: isStepAside, step: .ready)
        if let staged = decision.staged {
            operation.step = .staging
            operation.bytesTotal = staged.source.size
            toStage.append(node)
        } else {
            ready.append(node)
        }
        operations[node] = operation
    }

    /// Takes an operation out; the item is planned again.
    @discardableResult
    mutating func end(_ node: NodeID) throws -> Operation? {
        guard let operation = operations[node] else { return nil }
        if operation.isRunning { try endActivity(operation) }
        operations[node] = nil
        if operation.step == .ready { ready.removeAll { $0 == node } }
        if operation.step == .staging && operation.stage == nil { toStage.removeAll { $0 == node } }
        agenda.release(node)
        if operation.origin != node { agenda.add(operation.origin) }
        return operation
    }

    // MARK: Hashing

    private mutating func beginHash(_ id: NodeID, _ side: Side, _ version: Version) {
        hashing.insert(id)
        toHash.append((id, side, version))
    }

    private mutating func endHash(_ id: NodeID) {
        hashing.remove(id)
        agenda.release(id)
    }

    mutating func hashMore() throws {
        while outbox.hasRoom, let (id, side, version) = toHash.popLast() {
            if let path = try store.path(of: id, in: side.tree) {
                outbox.run(.hashFile(side, path, expected: version), for: .hash(side, id, version))
            } else {
                endHash(id)
            }
        }
    }

    mutating func takeHash(_ result: EffectResult, _ side: Side, _ id: NodeID, _ version: Version) throws {
        endHash(id)
        guard var row = try store.node(id, in: side.tree), let known = row[side] else { return }
        if case .failed(let failure) = result {
            try fail(id, failure)
            return lookAt(side, row.place)
        }
        guard case .hashed(let hash, var seen) = result else { return }
        // Something else was seen since: what was hashed is history.
        guard known.tag == version.tag else { return }
        if seen.tag != known.tag { return lookAt(side, row.place) }
        if seen.isRacy { return postpone(id, milliseconds: 50) }
        seen.identity = known.identity
        seen.hash = hash
        row[side] = seen
        try write(row, in: side.tree)
    }
}
