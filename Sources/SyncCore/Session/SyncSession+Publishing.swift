/// Publishing, in the order of promise 3: contents durable, renames, renames durable, commit.
extension SyncSession {
    /// Ready operations that go without waiting for company.
    private var fullBatch: Int { configuration.operationLimit / 2 }

    /// How long ready operations wait for transfers in flight, in milliseconds: the longer a batch takes, the larger the
    /// next one is to be, as most of what it takes is the way of everything to the disk.
    private var patience: Int { min(max(250, Int(lastBatchTook) * 4), 2_000) }

    mutating func beginBatchIfDue() throws {
        guard batch == nil, !survey.isBusy, !ready.isEmpty else { return }
        let isComplete = staging == 0 && toStage.isEmpty
        guard isComplete || isPublishDue || ready.count >= fullBatch else {
            if !publishTimerIsSet {
                publishTimerIsSet = true
                outbox.add(.setTimer(.publish, milliseconds: patience))
            }
            return
        }
        isPublishDue = false
        try items.commit()
        // What a directory is opened for comes after that.
        let opening = ready.filter { isOpening($0) }
        var batch = Batch(
            begun: items.now.monotonic, waiting: (opening + ready.filter { !opening.contains($0) }).reversed())
        var stages: [Side: [StageID]] = [:]
        for node in ready {
            guard let operation = operations[node] else { continue }
            operations[node]?.step = .publishing
            if let stage = operation.stage { stages[operation.side, default: []].append(stage) }
        }
        ready = []
        for side in Side.allCases {
            guard let staged = stages[side] else { continue }
            batch.barriers += 1
            outbox.run(.syncContents(side, staged), for: .contents(side))
        }
        self.batch = batch
    }

    mutating func takeContentsBarrier(_ result: EffectResult, _ side: Side) throws {
        batch?.barriers -= 1
        guard case .failed(let failure) = result else { return }
        for node in batch?.waiting ?? [] {
            guard let operation = operations[node], operation.stage != nil, operation.side == side else { continue }
            try drop(node, failure)
        }
        batch?.waiting.removeAll { operations[$0] == nil }
    }

    /// Takes the batch as far as it gets without an answer.
    mutating func advanceBatch() throws {
        guard batch?.barriers == 0 else { return }
        if batch?.step == .contents { batch?.step = .publishing }
        if batch?.step == .publishing {
            try publishMore()
            guard batch?.running.isEmpty == true, batch?.waiting.isEmpty == true else { return }
            try beginRenamesBarrier()
        }
        guard let last = batch, last.step == .renames, last.barriers == 0 else { return }
        try commitBatch(last)
    }

    private mutating func publishMore() throws {
        if isStopping {
            for node in batch?.waiting ?? [] { try end(node) }
            batch?.waiting = []
        }
        while outbox.hasRoom, let node = batch?.waiting.last, batch?.isExclusive == false {
            guard let operation = operations[node], let fresh = try confirm(operation) else {
                batch?.waiting.removeLast()
                if let stale = try end(node) { discardStage(of: stale) }
                continue
            }
            let isExclusive = try changesPaths(fresh, of: node)
            if isExclusive && batch?.running.isEmpty == false { return }
            batch?.waiting.removeLast()
            let permissions = try items.planner.permissions(of: node, for: fresh)
            guard let effect = try effect(of: fresh, for: operation, permissions) else {
                if let stale = try end(node) { discardStage(of: stale) }
                continue
            }
            operations[node]?.decision = fresh
            operations[node]?.permissions = permissions
            batch?.isExclusive = isExclusive
            batch?.running.insert(node)
            try items.beginOperation(node)
            outbox.run(effect, for: .publish(node))
        }
    }

    /// Plans an operation again just before it is carried out, as the batch changed things since; nil if it is not
    /// to be carried out any more.
    private mutating func confirm(_ operation: Operation) throws -> Decision? {
        if operation.decision.isChoice { return try choiceDecision(operation.node) }
        if operation.isStepAside {
            guard case .move(let side, _, let expected) = operation.decision,
                try items.store.node(operation.node, in: side.tree)?[side] == expected
            else { return nil }
            return operation.decision
        }
        let fresh = try items.planner.decide(operation.origin)
        switch (fresh.staged, operation.decision.staged) {
        case (let wanted?, let staged?):
            return wanted.from == staged.from && wanted.source.tag == staged.source.tag ? fresh : nil
        case (nil, nil):
            return fresh.isPublished && operation.origin == operation.node ? fresh : nil
        case (_?, nil), (nil, _?):
            return nil
        }
    }

    private func isOpening(_ node: NodeID) -> Bool {
        guard case .setPermissions(_, let expected, let wanted) = operations[node]?.decision else { return false }
        return expected.permissions.map { !wanted.subtracting($0).isNothing } ?? false
    }

    /// Whether an operation must run alone: a directory changes its path, or who may do what in it.
    private func changesPaths(_ decision: Decision, of node: NodeID) throws -> Bool {
        switch decision {
        case .move(let side, _, _), .setPermissions(let side, _, _):
            return try items.store.node(node, in: side.tree)?.kind == .directory
        case .displace(let displaced, _, _):
            return try [node, displaced.node].contains { try items.store.node($0, in: .local)?.kind == .directory }
        case .discard(let loser, _): return try items.store.node(loser, in: .local)?.kind == .directory
        case .promoteCopy(_, let other, _):
            return try [node, other].contains { try items.store.node($0, in: .local)?.kind == .directory }
        case .transfer, .makeDirectory, .remove: return false
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .wait, .unseen, .blocked: return false
        }
    }

    /// The effect of a decision, with the paths of this moment; nil if they are not there any more.
    private func effect(
        of decision: Decision, for operation: Operation, _ permissions: Permissions?
    ) throws -> Effect? {
        func path(_ place: Place, _ side: Side) throws -> RelativePath? {
            try items.store.path(of: place.parent, in: side.tree)?.appending(place.name)
        }
        let node = operation.node
        switch decision {
        case .transfer(let from, _, let place, let old):
            guard let stage = operation.stage, let path = try path(place, from.other) else { return nil }
            return .publish(stage, from.other, path, expected: old, permissions: permissions)
        case .makeDirectory(let side, let place):
            return try path(place, side).map { .makeDirectory(side, $0, permissions: permissions) }
        case .setPermissions(let side, let expected, let wanted):
            guard let row = try items.store.node(node, in: side.tree),
                let path = try items.store.path(of: node, in: side.tree)
            else { return nil }
            return .setPermissions(side, path, kind: row.kind, expected: expected, wanted)
        case .move(let side, let place, let expected):
            return try moveEffect(node, side, expected, to: try path(place, side))
        case .displace(let displaced, let arrival, let place):
            guard let item = try localItem(displaced.node, displaced.expected), try item.path == path(place, .local),
                let newcomer = try newcomer(arrival, for: operation)
            else { return nil }
            return .displace(item, aside: displaced.name, by: newcomer, permissions: permissions)
        case .remove(let side, let expected):
            return try removeEffect(node, side, expected)
        case .discard(let loser, let expected):
            return try localItem(loser, expected).map { .discardLocal($0) }
        case .promoteCopy(let expected, let other, let old):
            guard let from = try localItem(node, expected), let to = try localItem(other, old) else { return nil }
            return .replaceLocal(from: from, to: to)
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .wait, .unseen, .blocked: return nil
        }
    }

    private func moveEffect(_ id: NodeID, _ side: Side, _ expected: Version, to: RelativePath?) throws -> Effect? {
        guard let row = try items.store.node(id, in: side.tree), let from = try items.store.path(of: id, in: side.tree),
            let to
        else { return nil }
        return .move(side, from: from, to: to, kind: row.kind, expected: expected)
    }

    private func newcomer(_ arrival: Arrival, for operation: Operation) throws -> Newcomer? {
        switch arrival {
        case .contents: operation.stage.map { .staged($0) }
        case .directory: .directory
        case .item(let expected): try localItem(operation.node, expected).map { .item($0) }
        }
    }

    private func localItem(_ id: NodeID, _ expected: Version) throws -> LocalItem? {
        guard let row = try items.store.node(id, in: .local), let path = try items.store.path(of: id, in: .local)
        else { return nil }
        return LocalItem(path: path, kind: row.kind, expected: expected)
    }

    private func removeEffect(_ id: NodeID, _ side: Side, _ expected: Version) throws -> Effect? {
        guard let row = try items.store.node(id, in: side.tree), let path = try items.store.path(of: id, in: side.tree)
        else { return nil }
        return .remove(side, path, kind: row.kind, expected: expected)
    }

    mutating func takePublished(_ result: EffectResult, _ node: NodeID) throws {
        batch?.running.remove(node)
        batch?.isExclusive = false
        guard let operation = operations[node] else { return }
        if case .failed(let failure) = result { return try drop(node, failure) }
        try end(node)
        items.blocks.remove(node)
        try record(result, of: operation)
        try items.markDirty(node)
    }

    private mutating func drop(_ node: NodeID, _ failure: EffectFailure) throws {
        guard let operation = try end(node) else { return }
        discardStage(of: operation)
        if try !takeBackChoice(operation, failure) { try fail(node, failure) }
        try lookAgain(operation, failure.reason)
    }

    private mutating func beginRenamesBarrier() throws {
        guard var current = batch else { return }
        current.step = .renames
        for side in Side.allCases {
            let paths = try (current.touched[side] ?? []).sorted().compactMap {
                try items.store.path(of: $0, in: side.tree)
            }
            if paths.isEmpty { continue }
            current.barriers += 1
            outbox.run(.syncRenames(side, paths), for: .renames(side))
        }
        batch = current
    }

    mutating func takeRenamesBarrier(_ result: EffectResult) throws {
        if case .failed(let failure) = result { throw failure }
        batch?.barriers -= 1
    }

    private mutating func commitBatch(_ finished: Batch) throws {
        try items.commit()
        batch = nil
        lastBatchTook = items.now.monotonic - finished.begun
        items.agenda.addSome()
        for activity in finished.activities { outbox.report(activity) }
    }
}
