/// Planning: from dirty items to operations.
extension SyncSession {
    private static let pageSize = 128
    /// Decisions that one item may take in a row without anything happening outside.
    private static let stepLimit = 1_000

    /// Whether nothing is under way whose end would bring more to plan.
    var isIdle: Bool { operations.isEmpty && hashing.isEmpty }

    /// Whether planning would bring anything about.
    var isPlanningDue: Bool { hasRoom && items.agenda.hasWork(isIdle: isIdle) }

    private var hasRoom: Bool {
        operations.count + hashing.count < configuration.operationLimit && !items.agenda.isCrowded
    }

    /// Looks at the items on the agenda until there is enough under way or nothing more to look at.
    mutating func plan() throws {
        try startChoices()
        while hasRoom {
            if let id = items.agenda.next() {
                if try items.store.status(id)?.isDirty == true { try consider(id) }
            } else if let cursor = items.agenda.cursor {
                try planPage(after: cursor)
            } else if !items.agenda.beginPass(isIdle: isIdle) {
                return
            }
        }
    }

    /// Goes on with the pass over all dirty items, in the order of their ids.
    private mutating func planPage(after cursor: NodeID) throws {
        let page = try items.store.dirty(after: cursor, limit: Self.pageSize)
        for id in page {
            items.agenda.advancePass(to: id)
            try consider(id)
            if !hasRoom { return }
        }
        if page.count < Self.pageSize { items.agenda.advancePass(to: nil) }
    }

    /// Takes one item as far as it gets. If it waits for one that is under way, it is looked at again after that.
    private mutating func consider(_ id: NodeID) throws {
        var chain: [NodeID] = [id]
        try follow(&chain)
        guard chain.count > 1, operations[id] == nil, !hashing.contains(id) else { return }
        if let other = chain.last(where: { operations[$0] != nil || hashing.contains($0) }) {
            items.agenda.wait(id, for: other)
        }
    }

    /// Decisions that concern the store alone are carried out at once; what waits for another item leads to that one.
    private mutating func follow(_ chain: inout [NodeID]) throws {
        let id = chain[0]
        for _ in 0..<Self.stepLimit {
            guard let current = chain.last, try mayPlan(current) else { return }
            let decision = try items.planner.decide(current)
            switch decision {
            case .nothing:
                return try settleUndecided(current, isWaitedFor: chain.count > 1, by: id)
            case .adopt(let base):
                try items.write(base, in: .synced)
                chain = startOver(id)
            case .dropBase:
                try items.erase(current, from: .synced)
                chain = startOver(id)
            case .merge(let keep, let drop, let tree):
                try items.unite(drop, with: keep, in: tree)
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
                items.blocks.postpone(current, milliseconds: 60_000, at: items.now)
                return try items.setError(current, message)
            case .setPermissions(let side, let version, let permissions):
                // Looked at again when nothing else is under way.
                if try closesTooEarly(current, side, version.permissions, permissions) { return }
                return try begin(decision, node: current, origin: current)
            case .transfer, .makeDirectory, .move, .remove, .displace, .discard, .promoteCopy:
                return try begin(decision, node: current, origin: current)
            }
        }
        try items.setError(id, "It could not be decided what to do with this item; please report this.")
        items.blocks.postpone(id, milliseconds: 60_000, at: items.now)
    }

    /// Whether a directory is to be closed to its owner while something in it is still to be done.
    private func closesTooEarly(
        _ id: NodeID, _ side: Side, _ now: Permissions?, _ wanted: Permissions
    ) throws -> Bool {
        guard let now, now.subtracting(wanted).bits & Permissions.owner.bits != 0,
            try items.store.node(id, in: side.tree)?.kind == .directory
        else { return false }
        return try items.counts(of: id).pending > 0
    }

    private func mayPlan(_ id: NodeID) throws -> Bool {
        if operations[id] != nil || hashing.contains(id) { return false }
        if items.blocks.isBlocked(id, at: items.now) { return false }
        return try !items.isOnMountAway(id)
    }

    private mutating func settleUndecided(_ id: NodeID, isWaitedFor: Bool, by waiting: NodeID) throws {
        try items.markClean(id)
        if !isWaitedFor { return }
        items.blocks.postpone(waiting, milliseconds: 1_000, at: items.now)
    }

    private mutating func startOver(_ id: NodeID) -> [NodeID] {
        items.agenda.addSome()
        return [id]
    }

    private mutating func separateAndReport(_ id: NodeID) throws {
        guard let copy = try items.separate(id), let path = try items.store.path(of: copy, in: .local) else { return }
        outbox.report(Activity(kind: .conflict, node: copy, path: path, detail: ""))
    }

    /// Names are exchanged in a ring: one of the items in it goes out of the way for a moment.
    private mutating func stepAside(_ ring: [NodeID]) throws {
        for id in ring where try mayPlan(id) {
            let rows = try items.planner.rows(id)
            guard let (side, _) = try items.planner.desiredPlace(rows), let row = rows[side], let version = row[side],
                !IntermediateName.isIntermediate(row.name)
            else { continue }
            let place = Place(parent: .root, name: IntermediateName.make(for: id, tag: configuration.tag))
            return try begin(.move(side, to: place, expected: version), node: id, origin: id, isStepAside: true)
        }
        guard let id = ring.first else { return }
        items.blocks.postpone(id, milliseconds: 60_000, at: items.now)
        try items.setError(id, "Items were moved into each other on the two sides; move one of them elsewhere.")
    }

    /// Begins an operation, unless the item has one.
    mutating func begin(_ decision: Decision, node: NodeID, origin: NodeID, isStepAside: Bool = false) throws {
        guard operations[node] == nil, !hashing.contains(node) else { return }
        try items.markDirty(node)
        var operation = Operation(
            node: node, origin: origin, decision: decision, isStepAside: isStepAside, step: .ready)
        if decision.staged != nil {
            operation.step = .staging
            toStage.append(node)
        } else {
            ready.append(node)
        }
        operations[node] = operation
        items.addOperation(node, bytes: decision.staged?.source.size ?? 0)
    }

    /// Takes an operation out; the item is planned again.
    @discardableResult
    mutating func end(_ node: NodeID) throws -> Operation? {
        guard let operation = operations[node] else { return nil }
        try items.endOperation(node)
        operations[node] = nil
        if operation.step == .ready { ready.removeAll { $0 == node } }
        if operation.step == .staging && operation.stage == nil { toStage.removeAll { $0 == node } }
        items.agenda.release(node)
        if operation.origin != node { items.agenda.add(operation.origin) }
        return operation
    }

    // MARK: Hashing

    private mutating func beginHash(_ id: NodeID, _ side: Side, _ version: Version) {
        hashing.insert(id)
        toHash.append((id, side, version))
    }

    private mutating func endHash(_ id: NodeID) {
        hashing.remove(id)
        items.agenda.release(id)
    }

    mutating func hashMore() throws {
        while outbox.hasRoom, let (id, side, version) = toHash.popLast() {
            if let path = try items.store.path(of: id, in: side.tree) {
                outbox.run(.hashFile(side, path, expected: version), for: .hash(side, id, version))
            } else {
                endHash(id)
            }
        }
    }

    mutating func takeHash(_ result: EffectResult, _ side: Side, _ id: NodeID, _ version: Version) throws {
        endHash(id)
        guard var row = try items.store.node(id, in: side.tree), let known = row[side] else { return }
        if case .failed(let failure) = result {
            try fail(id, failure)
            return survey.check(side, row.place)
        }
        guard case .hashed(let hash, var seen) = result else { return }
        // Something else was seen since: what was hashed is history.
        guard known.tag == version.tag else { return }
        if seen.tag != known.tag { return survey.check(side, row.place) }
        if seen.isRacy { return items.blocks.postpone(id, milliseconds: 50, at: items.now) }
        seen.identity = known.identity
        seen.hash = hash
        row[side] = seen
        try items.write(row, in: side.tree)
    }
}
