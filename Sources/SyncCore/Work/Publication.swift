/// Publishing, in the order of promise 3: contents durable, renames, renames durable, commit.
///
/// Ready operations wait until no transfer is running, or long enough, and are then published together. Items that were
/// found equal without any operation are also made durable on both sides before they are committed: an earlier run that
/// was interrupted, or the user, may have put them there a moment ago.
struct Publication {
    /// The most items that may be recorded as synced without being made durable.
    private static let recordLimit = 4_096

    /// While a program waits for something, no more operations than this are published before it.
    private static let fairShare = 64

    /// With this many ready operations, a batch begins without waiting for more.
    private let fullBatch: Int
    private let pauses: SessionPauses
    private var batch: Batch?
    private var lastBatchTook = Duration.zero
    /// Whether ready operations have waited long enough.
    private var isDue = false
    private var timerIsSet = false
    /// Whether the last batch held nothing but what was demanded, so that everything else has its turn.
    private var wasForDemands = false
    /// How urgent its barriers are.
    private var urgency = Urgency.ordinary

    /// - Parameter operationLimit: The most operations in progress.
    init(operationLimit: Int, pauses: SessionPauses) {
        fullBatch = operationLimit / 2
        self.pauses = pauses
    }

    /// Whether nothing is being published.
    var isIdle: Bool { batch == nil }

    /// The timer for ready operations has fired.
    mutating func timerFired() {
        isDue = true
        timerIsSet = false
    }

    /// How long ready operations wait for transfers in flight: the longer a batch takes, the larger the next one should
    /// be, because most of its time is spent on making things durable.
    private var patience: Duration {
        min(max(pauses.publication, lastBatchTook * 4), pauses.longestPublication)
    }

    /// Whether the ready operations of this scope, if there are any, need not wait for others.
    mutating func isDue(_ scope: WorkScope, _ work: Work, _ items: Items, _ outbox: inout Outbox) -> Bool {
        let count = work.readyCount(scope, items)
        guard batch == nil, count > 0 else { return false }
        if work.isStagingComplete || isDue || count >= fullBatch || work.isOpeningReady(items) { return true }
        if !timerIsSet {
            timerIsSet = true
            outbox.setTimer(.publish, after: patience)
        }
        return false
    }

    /// Begins a batch if operations are ready and need not wait for others. Nothing may be looked at during it.
    ///
    /// - Parameter scope: What may be published.
    mutating func beginIfDue(
        _ scope: WorkScope, _ work: inout Work, _ items: inout Items, _ outbox: inout Outbox
    ) throws {
        guard batch == nil else { return }
        let isHurried = work.isOpeningReady(items)
        let scope = isHurried && !wasForDemands ? .demanded : scope
        if scope == .all, work.readyCount(scope, items) == 0 {
            let isLast = work.isIdle && !items.agenda.hasWork(isIdle: true)
            if isLast || items.recorded.count >= Self.recordLimit { try settle(&items, &outbox) }
            return
        }
        guard isDue(scope, work, items, &outbox) else { return }
        isDue = false
        wasForDemands = scope == .demanded
        urgency = scope != .demanded ? .ordinary : isHurried ? .awaited : .demanded
        try items.commit()
        let limit = items.demands.openings.isEmpty || scope == .demanded ? Int.max : Self.fairShare
        let ready = work.takeReady(scope, limit: limit, items)
        var batch = Batch(ready, at: items.now)
        for side in Side.allCases {
            let staged = ready.filter { $0.side == side }.compactMap(\.stage)
            if staged.isEmpty { continue }
            batch.addBarrier()
            outbox.run(.syncContents(side, staged), for: .contents(side), urgency)
        }
        self.batch = batch
        if !items.recorded.isSettled { try beginRenamesBarrier(&items, &outbox) }
    }

    /// Makes what was recorded as synced durable on both sides and then commits it, without any operation.
    mutating func settle(_ items: inout Items, _ outbox: inout Outbox) throws {
        guard batch == nil, !items.recorded.isSettled else { return }
        batch = Batch([], at: items.now)
        batch?.endPublishing()
        try beginRenamesBarrier(&items, &outbox)
    }

    /// Whether the batch replaced or removed something, which may make room.
    var makesRoom: Bool { batch?.makesRoom == true }

    /// A barrier answered.
    mutating func barrierEnded() { batch?.endBarrier() }

    /// The contents of a side could not be made durable: returns the operations that need them and must not be
    /// published.
    func waitingForContents(on side: Side, _ work: Work) -> [NodeID] {
        (batch?.waiting ?? []).filter { node in
            work[node].map { $0.stage != nil && $0.side == side } ?? false
        }
    }

    /// Removes operations that are no longer in progress.
    mutating func removeEnded(_ work: Work) { batch?.removeWaiting { work[$0] == nil } }

    /// Continues the batch until it must wait for a result.
    ///
    /// - Parameter isStopping: Whether nothing new is started.
    mutating func advance(
        _ work: inout Work, _ items: inout Items, _ outbox: inout Outbox, isStopping: Bool
    ) throws {
        guard batch?.hasBarriers == false else { return }
        if batch?.step == .contents {
            items.recorded.endBarrier()
            try items.commit()
            batch?.beginPublishing()
        }
        if batch?.step == .publishing {
            try publishMore(&work, &items, &outbox, isStopping: isStopping)
            guard batch?.isPublished == true else { return }
            batch?.endPublishing()
            try beginRenamesBarrier(&items, &outbox)
        }
        guard let last = batch, last.step == .renames, !last.hasBarriers else { return }
        items.recorded.endBarrier()
        try items.commit()
        batch = nil
        lastBatchTook = items.now.instant - last.begun
        items.agenda.addSome()
        for activity in last.activities { outbox.report(activity) }
    }

    private mutating func publishMore(
        _ work: inout Work, _ items: inout Items, _ outbox: inout Outbox, isStopping: Bool
    ) throws {
        if isStopping {
            for node in batch?.waiting ?? [] { try work.end(node, &items) }
            batch?.removeWaiting { _ in true }
        } else if let batch, batch.begunCount >= Self.fairShare, work.isOpeningReady(items) {
            work.giveBack(batch.waiting.reversed())
            self.batch?.removeWaiting { _ in true }
        }
        while let node = batch?.next, outbox.hasRoom(for: items.demands.urgency(of: node)), batch?.isExclusive == false
        {
            guard let operation = work[node], let fresh = try Self.confirm(operation, work, items) else {
                batch?.skip()
                if let stale = try work.end(node, &items) { outbox.discardStage(of: stale) }
                continue
            }
            let planner = items.planner
            let isExclusive = try planner.changesPaths(fresh, of: node)
            if isExclusive && batch?.isRunning == true { return }
            let permissions = try planner.permissions(of: node, for: fresh)
            guard let effect = try planner.effect(of: fresh, for: operation, permissions) else {
                batch?.skip()
                if let stale = try work.end(node, &items) { outbox.discardStage(of: stale) }
                continue
            }
            work.confirm(node, as: fresh, permissions)
            batch?.beginNext(isExclusive: isExclusive)
            try items.beginOperation(node)
            outbox.run(effect, for: .publish(node), items.demands.urgency(of: node))
        }
    }

    /// Plans an operation again just before it is carried out, because the batch has changed things since; nil if it
    /// must not be carried out.
    private static func confirm(_ operation: Operation, _ work: Work, _ items: Items) throws -> Decision? {
        if operation.decision.isChoice { return try work.choiceDecision(operation.node, items) }
        if operation.isStepAside {
            guard case .move(let side, _, let expected) = operation.decision,
                try items.store.node(operation.node, in: side.tree)?[side] == expected
            else { return nil }
            return operation.decision
        }
        var fresh = try items.planner.decide(operation.origin)
        if case .move = fresh, operation.stage != nil,
            let contents = try items.planner.contentsBeforeMove(of: operation.origin)
        {
            fresh = contents
        }
        if case .removeTree = fresh,
            try items.obstacle(toRemovingTree: operation.node, isUnderWay: { work.isUnderWay($0) }) != nil
        {
            return nil
        }
        switch (fresh.staged, operation.decision.staged) {
        case (let wanted?, let staged?):
            return wanted.from == staged.from && wanted.source.tag == staged.source.tag ? fresh : nil
        case (nil, nil):
            return fresh.isPublished && operation.origin == operation.node ? fresh : nil
        case (_?, nil), (nil, _?):
            return nil
        }
    }

    /// An operation of the batch was carried out, or failed.
    mutating func ended(_ node: NodeID) { batch?.end(node) }

    /// Records the result of an operation of the batch.
    mutating func record(_ result: EffectResult, of operation: Operation, _ items: inout Items) throws {
        try batch?.record(result, of: operation, &items)
    }

    /// Makes durable on each side what the batch changed there and what is recorded as synced: the items and their
    /// directories.
    private mutating func beginRenamesBarrier(_ items: inout Items, _ outbox: inout Outbox) throws {
        let recorded = items.recorded.takeForBarrier()
        for side in Side.allCases {
            var touched = (batch?.touchedItems(on: side) ?? []).union(recorded)
            for id in recorded {
                if let parent = try items.store.node(id, in: side.tree)?.parent, parent != .none {
                    touched.insert(parent)
                }
            }
            let named = try touched.sorted().compactMap { id in
                try items.store.path(of: id, in: side.tree).map { path in
                    // The root is identified by its mark.
                    let known = id == .root ? nil : try items.store.node(id, in: side.tree)?[side]
                    return BarrierItem(path, identity: known?.identity ?? .none)
                }
            }
            if named.isEmpty { continue }
            batch?.addBarrier()
            outbox.run(.syncRenames(side, named), for: .renames(side), urgency)
        }
    }
}
