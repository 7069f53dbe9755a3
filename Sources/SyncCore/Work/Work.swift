/// The work in progress: from dirty items to operations that are ready to be published.
struct Work {
    private static let pageSize = 128
    /// How many decisions about one item may follow each other without an effect.
    private static let stepLimit = 1_000

    /// The most operations in progress.
    private let limit: Int
    private var operations: [NodeID: Operation] = [:]
    /// Items whose contents are being hashed, or wait for it.
    private var hashing: Set<NodeID> = []
    private var toHash: [(NodeID, Side, Version)] = []
    private var toStage: [NodeID] = []
    /// The same for what is demanded, the first one first.
    private var demandedToStage: [NodeID] = []
    /// Transfers in flight.
    private var staging = 0
    private var lastStage: StageID
    /// The operations for the next batch.
    private var ready: [NodeID] = []

    /// - Parameters:
    ///   - limit: The most operations in progress.
    ///   - stagesAfter: The stage before the first one.
    init(limit: Int, stagesAfter: StageID) {
        lastStage = stagesAfter
        self.limit = limit
    }

    /// The operation of an item.
    subscript(item: NodeID) -> Operation? { operations[item] }

    /// Whether nothing is in progress whose end would add items to plan.
    var isIdle: Bool { operations.isEmpty && hashing.isEmpty }

    /// Whether there is something to plan, and room for it.
    func isPlanningDue(_ items: Items) -> Bool { hasRoom(items) && items.agenda.hasWork(isIdle: isIdle) }

    private func hasRoom(_ items: Items) -> Bool {
        operations.count + hashing.count < limit && !items.agenda.isCrowded
    }

    /// Whether something is being done for an item, or waits for its turn.
    func isUnderWay(_ id: NodeID) -> Bool { operations[id] != nil || hashing.contains(id) }

    // MARK: Planning

    /// Plans the items on the agenda until enough is in progress or nothing is left to plan.
    mutating func plan(_ items: inout Items, _ outbox: inout Outbox) throws {
        try startChoices(&items, &outbox)
        while hasRoom(items) {
            if let id = items.agenda.next() {
                if try items.store.status(id)?.isDirty == true { try consider(id, &items, &outbox) }
            } else if let cursor = items.agenda.cursor {
                try planPage(after: cursor, &items, &outbox)
            } else if !items.agenda.beginPass(isIdle: isIdle) {
                // An item that was just found equal may be what a decision waited for.
                return try startChoices(&items, &outbox)
            }
        }
    }

    /// Continues the pass over all dirty items, ordered by id.
    private mutating func planPage(after cursor: NodeID, _ items: inout Items, _ outbox: inout Outbox) throws {
        let page = try items.store.dirty(after: cursor, limit: Self.pageSize)
        for id in page {
            items.agenda.advancePass(to: id)
            try consider(id, &items, &outbox)
            if !hasRoom(items) { return }
        }
        if page.count < Self.pageSize { items.agenda.advancePass(to: nil) }
    }

    /// Plans one item as far as possible. If it waits for one in progress, it is planned again after that.
    private mutating func consider(_ id: NodeID, _ items: inout Items, _ outbox: inout Outbox) throws {
        var chain: [NodeID] = [id]
        try follow(&chain, &items, &outbox)
        guard chain.count > 1, !isUnderWay(id) else { return }
        if let other = chain.last(where: { isUnderWay($0) }) { items.agenda.wait(id, for: other) }
    }

    /// Plans the last item of the chain. Decisions that change only the store are carried out at once; if an item waits
    /// for another one, that one is planned next.
    private mutating func follow(_ chain: inout [NodeID], _ items: inout Items, _ outbox: inout Outbox) throws {
        let id = chain[0]
        for _ in 0..<Self.stepLimit {
            guard let current = chain.last, try mayPlan(current, &items) else { return }
            let decision = try items.planner.decide(current)
            switch decision {
            case .nothing:
                // A directory that will be closed to its owner may have waited for this item.
                if try items.store.status(current)?.state == .pending { items.agenda.addSome() }
                try items.markClean(current)
                if chain.count > 1 { try waitInVain(id, for: current, &items) }
                return
            case .adopt, .dropBase, .merge, .separate, .part:
                try items.apply(decision, to: current, &outbox)
                chain = [id]
                items.agenda.addSome()
            case .unseen:
                return
            case .hash(let side, let version):
                return beginHash(current, side, version)
            case .wait(let other):
                if let index = chain.firstIndex(of: other) { return try stepAside(Array(chain[index...]), &items) }
                chain.append(other)
            case .blocked(let message):
                return try items.block(current, message)
            case .removeTree:
                switch try items.obstacle(toRemovingTree: current, isUnderWay: { isUnderWay($0) }) {
                case .underWay(let item): return chain.append(item)
                case .lasting(let item):
                    try items.removeOneByOne(item, upTo: current)
                    chain = [id]
                    continue
                case nil: break
                }
                if chain.count == 1 { items.blocks.endVainWaits(of: current) }
                return try begin(decision, node: current, origin: current, &items)
            case .free where items.demands.aims[current] == nil && items.fetched.contains(current):
                return try items.putOffFreeing(of: current)
            case .transfer, .describe, .free, .makeDirectory, .move, .setPermissions, .remove, .displace, .discard,
                .promoteCopy:
                // It is planned again when nothing else is in progress.
                if try items.closesTooEarly(current, decision) { return }
                if chain.count == 1 { items.blocks.endVainWaits(of: current) }
                return try begin(decision, node: current, origin: current, &items)
            }
        }
        try items.block(id, Explanation(.undecided))
    }

    /// An item waits for another one to which nothing is to be done: if that goes on, it is told.
    private func waitInVain(_ id: NodeID, for other: NodeID, _ items: inout Items) throws {
        let isLost = items.blocks.noteVainWait(of: id, for: items.pauses.waitingItem, at: items.now)
        guard isLost else { return }
        let path = try items.store.path(of: other, in: .local) ?? items.store.path(of: other, in: .remote) ?? .root
        try items.block(id, Explanation(.waitsForItem, nil, "\(path)"))
    }

    /// Plans the files that are demanded, as far as a decision concerns the file alone, whatever else is in progress. What
    /// needs more, such as the upload of what is to be freed, is planned with everything else.
    mutating func planDemanded(_ items: inout Items, _ outbox: inout Outbox) throws {
        for id in items.demands.takeToPlan() {
            hasten(id, items, &outbox)
            guard try items.store.status(id)?.isDirty == true, try mayPlan(id, &items) else { continue }
            var decision = try items.planner.decide(id)
            if case .adopt = decision {
                try items.apply(decision, to: id, &outbox)
                decision = try items.planner.decide(id)
            }
            if case .move = decision { decision = try items.planner.contentsBeforeMove(of: id) ?? decision }
            switch decision {
            case .nothing: try items.markClean(id)
            case .hash(let side, let version): beginHash(id, side, version)
            case .transfer(.remote, _, _, _), .describe, .free:
                try begin(decision, node: id, origin: id, &items)
            case .blocked(let message): try items.block(id, message)
            case .adopt, .dropBase, .merge, .separate, .part, .transfer, .makeDirectory, .move, .setPermissions,
                .remove,
                .removeTree, .displace, .discard, .promoteCopy, .wait, .unseen:
                break
            }
        }
    }

    /// Plans items that do not wait for the end of a scan, as far as a decision concerns the item alone: other items
    /// may not be known yet.
    mutating func planUrgent(_ items: inout Items) throws {
        while hasRoom(items), let id = items.urgent.next() {
            guard try items.store.status(id)?.isDirty == true, try mayPlan(id, &items) else { continue }
            let decision = try items.planner.decide(id)
            switch decision {
            case .nothing: try items.markClean(id)
            case .hash(let side, let version): beginHash(id, side, version)
            case .transfer, .describe, .makeDirectory, .setPermissions:
                if try !items.closesTooEarly(id, decision) { try begin(decision, node: id, origin: id, &items) }
            case .wait(let other): if items.urgent.contains(other) { items.urgent.wait(id) }
            case .adopt, .dropBase, .merge, .separate, .part, .free, .move, .remove, .removeTree, .displace, .discard,
                .promoteCopy,
                .unseen, .blocked:
                break
            }
        }
    }

    private func mayPlan(_ id: NodeID, _ items: inout Items) throws -> Bool {
        if isUnderWay(id) { return false }
        // Contents do not wait for a move that was refused; of anything else that failed since they do.
        let isBlocked = try !isOfContents(id, items) && items.blocks.turnAway(id, at: items.now)
        return try !isBlocked && !items.isOnMountAway(id)
    }

    /// Whether nothing but a refused move blocks an item, and its contents come first.
    private func isOfContents(_ id: NodeID, _ items: Items) throws -> Bool {
        guard items.blocks.stuck.contains(id), items.blocks.isOfMove(id) else { return false }
        switch try items.planner.decide(id) {
        case .hash, .transfer, .describe: return true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .free, .makeDirectory, .move, .setPermissions,
            .remove, .removeTree, .displace, .discard, .promoteCopy, .wait, .unseen, .blocked:
            return false
        }
    }

    /// Names are exchanged in a ring: gives one of its items a temporary name, as far up as its file system reaches.
    private mutating func stepAside(_ ring: [NodeID], _ items: inout Items) throws {
        // Where items are only uploaded, a name that is not free is not waited for in a ring.
        if items.uploads != nil { return try items.block(ring[0], Explanation(.movedIntoEachOther)) }
        // An item that stays until its copy has arrived is in the way of that copy, or of another one: it goes first.
        let staying = ring.filter { items.copied.copies[$0] != nil }
        if !staying.isEmpty {
            for id in staying {
                items.copied.forget(id)
                items.agenda.add(id)
            }
            return
        }
        let planner = items.planner
        for id in ring where try mayPlan(id, &items) {
            let rows = try planner.rows(id)
            // An item with a temporary name on one side is on its way already, and if it had one on both, its name
            // would be lost.
            let standsAside = [rows.local, rows.remote].contains {
                $0.map { IntermediateName.isIntermediate($0.name) } ?? false
            }
            guard !standsAside, let side = try planner.movingSide(of: rows), let row = rows[side],
                let version = row[side]
            else { continue }
            let top = try planner.fileSystem(of: row.parent, on: side)
            let place = try freePlace(for: id, in: top, items)
            let decision = Decision.move(side, to: place, expected: version)
            return try begin(decision, node: id, origin: id, isStepAside: true, &items)
        }
        guard let id = ring.first else { return }
        try items.block(id, Explanation(.movedIntoEachOther))
    }

    /// A place for an item with a temporary name: with an old base, another item may have that name already.
    private func freePlace(for id: NodeID, in directory: NodeID, _ items: Items) throws -> Place {
        var number = id.rawValue
        while true {
            let name = IntermediateName.make(number, tag: items.planner.tag)
            let isTaken = try Side.allCases.contains { side in
                try !items.store.nodes(named: name, of: directory, in: side.tree).isEmpty
            }
            if !isTaken { return Place(parent: directory, name: name) }
            number &+= 1
        }
    }

    /// Starts an operation, unless the item has one.
    private mutating func begin(
        _ decision: Decision, node: NodeID, origin: NodeID, isStepAside: Bool = false, _ items: inout Items
    ) throws {
        guard !isUnderWay(node) else { return }
        try items.markDirty(node)
        let staged = decision.staged
        operations[node] = Operation(
            node: node, origin: origin, decision: decision, isStepAside: isStepAside,
            step: staged == nil ? .ready : .staging)
        if staged == nil {
            ready.append(node)
        } else if items.demands.contains(node) {
            demandedToStage.append(node)
        } else {
            toStage.append(node)
        }
        items.addOperation(node, bytes: staged?.source.size ?? 0)
    }

    /// Ends an operation; the item is planned again.
    @discardableResult
    mutating func end(_ node: NodeID, _ items: inout Items) throws -> Operation? {
        guard let operation = operations[node] else { return nil }
        try items.endOperation(node)
        operations[node] = nil
        if operation.step == .ready { ready.removeAll { $0 == node } }
        if operation.step == .staging && operation.stage == nil {
            toStage.removeAll { $0 == node }
            demandedToStage.removeAll { $0 == node }
        }
        items.release(node)
        if operation.origin != node { items.agenda.add(operation.origin) }
        return operation
    }

    // MARK: Hashing

    private mutating func beginHash(_ id: NodeID, _ side: Side, _ version: Version) {
        hashing.insert(id)
        toHash.append((id, side, version))
    }

    /// A file was hashed, or that failed; the item is planned again.
    mutating func endHash(_ id: NodeID, _ items: inout Items) {
        hashing.remove(id)
        items.release(id)
    }

    /// Starts hashing as many files as may run.
    ///
    /// - Parameter scope: What may be begun: everything, or what is demanded alone.
    mutating func hashMore(_ scope: WorkScope, _ items: inout Items, _ outbox: inout Outbox) throws {
        for index in toHash.indices.reversed() where items.demands.contains(toHash[index].0) {
            guard outbox.hasRoom(for: items.demands.urgency(of: toHash[index].0)) else { continue }
            try hash(toHash.remove(at: index), &items, &outbox)
        }
        while scope == .all, outbox.hasRoom, let next = toHash.popLast() { try hash(next, &items, &outbox) }
    }

    private mutating func hash(
        _ next: (NodeID, Side, Version), _ items: inout Items, _ outbox: inout Outbox
    ) throws {
        let (id, side, version) = next
        guard let path = try items.store.path(of: id, in: side.tree) else { return endHash(id, &items) }
        let purpose = Purpose.hash(side, id, version)
        outbox.run(.hashFile(side, path, expected: version), for: purpose, items.demands.urgency(of: id))
    }

    // MARK: Staging

    /// Starts as many transfers as may run: those that are demanded first, and of these those for which a program waits.
    ///
    /// - Parameter scope: What may be begun: everything, or what is demanded alone.
    mutating func stageMore(_ scope: WorkScope, _ items: inout Items, _ outbox: inout Outbox) throws {
        while !demandedToStage.isEmpty {
            let index = demandedToStage.firstIndex { items.demands.openings.contains($0) } ?? 0
            guard outbox.hasRoom(for: max(items.demands.urgency(of: demandedToStage[index]), .demanded)) else { break }
            try stage(demandedToStage.remove(at: index), &items, &outbox)
        }
        while scope == .all, outbox.hasRoom, let node = toStage.popLast() { try stage(node, &items, &outbox) }
    }

    private mutating func stage(_ node: NodeID, _ items: inout Items, _ outbox: inout Outbox) throws {
        guard let (from, source) = operations[node]?.decision.staged,
            let path = try items.store.path(of: node, in: from.tree)
        else {
            try end(node, &items)
            return
        }
        let stage = lastStage.next
        lastStage = stage
        operations[node]?.stage = stage
        operations[node]?.isStagedRacy = source.isRacy
        staging += 1
        let effect = Effect.stage(stage, from: from, path, expected: source)
        outbox.run(effect, for: .stage(node), items.demands.urgency(of: node))
    }

    /// What is being brought for an item already is as urgent as what is demanded.
    private mutating func hasten(_ node: NodeID, _ items: Items, _ outbox: inout Outbox) {
        guard let operation = operations[node], operation.step == .staging else { return }
        if operation.stage != nil { return outbox.hastenTransfer(of: node, items.demands.urgency(of: node)) }
        guard let index = toStage.firstIndex(of: node) else { return }
        toStage.remove(at: index)
        demandedToStage.append(node)
    }

    /// Nobody demands these files any more. What is brought for that alone is abandoned.
    mutating func endDemanding(_ files: [NodeID], _ items: inout Items, _ outbox: inout Outbox) throws {
        for file in files { try abandon(file, &items, &outbox) }
        try items.endDemanding(files)
    }

    private mutating func abandon(_ node: NodeID, _ items: inout Items, _ outbox: inout Outbox) throws {
        guard let operation = operations[node], operation.step == .staging,
            try items.planner.decide(node).staged == nil
        else { return }
        if operation.stage == nil { try end(node, &items) } else { outbox.abandonTransfer(of: node) }
    }

    /// A transfer ended; returns its operation unless that has ended.
    mutating func transferEnded(_ node: NodeID) -> Operation? {
        staging -= 1
        return operations[node]
    }

    /// The contents of an operation are staged.
    mutating func setStaged(_ node: NodeID, _ hash: ContentHash) {
        operations[node]?.step = .ready
        operations[node]?.hash = hash
        ready.append(node)
    }

    // MARK: Publishing

    /// How many operations of this scope are ready to be published.
    func readyCount(_ scope: WorkScope, _ items: Items) -> Int {
        switch scope {
        case .all: ready.count
        case .urgent: ready.count { isUrgent($0, items) }
        case .demanded: items.demands.handled.count { operations[$0]?.step == .ready }
        }
    }

    /// Whether something for which a program waits is ready to be published.
    func isOpeningReady(_ items: Items) -> Bool {
        items.demands.openings.contains { operations[$0]?.step == .ready }
    }

    /// Whether no transfer is running or waiting, so that no more operations become ready.
    var isStagingComplete: Bool { staging == 0 && toStage.isEmpty && demandedToStage.isEmpty }

    private func isUrgent(_ node: NodeID, _ items: Items) -> Bool {
        if items.demands.contains(node) { return true }
        guard items.urgent.contains(node) else { return false }
        switch operations[node]?.decision {
        case .transfer, .describe, .makeDirectory, .setPermissions: return true
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .free, .move, .remove, .removeTree,
            .displace, .discard, .promoteCopy, .wait, .unseen, .blocked, nil:
            return false
        }
    }

    /// Takes operations of this scope that are ready to be published, at most so many: those that are demanded first.
    mutating func takeReady(_ scope: WorkScope, limit: Int, _ items: Items) -> [Operation] {
        let demanded = items.demands.isEmpty ? [] : ready.filter { items.demands.contains($0) }
        var taken: [NodeID]
        switch scope {
        case .all: taken = demanded.isEmpty ? ready : demanded + ready.filter { !items.demands.contains($0) }
        case .urgent: taken = demanded + ready.filter { isUrgent($0, items) && !items.demands.contains($0) }
        case .demanded: taken = demanded
        }
        if taken.count > limit { taken.removeLast(taken.count - limit) }
        let all = Set(taken)
        ready = all.count == ready.count ? [] : ready.filter { !all.contains($0) }
        return taken.compactMap { node in
            operations[node]?.step = .publishing
            return operations[node]
        }
    }

    /// These operations are published later.
    mutating func giveBack(_ nodes: [NodeID]) {
        for node in nodes where operations[node] != nil {
            operations[node]?.step = .ready
            ready.append(node)
        }
    }

    /// Records an operation as it was planned again just before it is carried out.
    mutating func confirm(_ node: NodeID, as decision: Decision, _ permissions: Permissions?) {
        operations[node]?.decision = decision
        operations[node]?.permissions = permissions
    }

    // MARK: Decided conflicts

    /// Starts the user's decisions about conflicts as soon as both versions exist on both sides.
    private mutating func startChoices(_ items: inout Items, _ outbox: inout Outbox) throws {
        for copy in items.choices.keys.sorted() where !isUnderWay(copy) {
            if items.blocks.turnAway(copy, at: items.now) { continue }
            guard let choice = items.choices[copy], let other = try items.store.status(copy)?.counterpart else {
                items.forgetChoice(copy)
                continue
            }
            if let decision = try choiceDecision(copy, items) {
                try begin(decision, node: copy, origin: copy, &items)
            } else if try isSynced(copy, items) && isSynced(other, items),
                let reason = try items.obstacle(to: choice, copy, other)
            {
                try items.refuseChoice(copy, reason, &outbox)
            }
        }
    }

    /// Whether nothing is to be done for the item or its contents.
    private func isSynced(_ id: NodeID, _ items: Items) throws -> Bool {
        try !isUnderWay(id) && items.counts(of: id).pending == 0 && items.planner.decide(id) == .nothing
    }

    /// The next step for a decided conflict; nil if there is none, or not yet.
    ///
    /// The version to keep must be synced with its contents; the other one goes to the trash or the store of replaced
    /// versions. The contents of both must be here.
    func choiceDecision(_ copy: NodeID, _ items: Items) throws -> Decision? {
        guard let choice = items.choices[copy], let other = try items.store.status(copy)?.counterpart,
            let mine = try items.store.node(copy, in: .local), let version = mine.local,
            try isSynced(other, items) && items.counts(of: copy).pending == 0,
            try items.obstacle(to: choice, copy, other) == nil,
            try !items.planner.holdsPlaceholder(copy) && !items.planner.holdsPlaceholder(other)
        else { return nil }
        if choice == .theirs { return .discard(copy, version) }
        guard let original = try items.store.node(other, in: .local), let replaced = original.local
        else { return nil }
        // A power failure occurred after the names were exchanged.
        if ConflictName.isCopy(original.name, of: mine.name) { return .discard(other, replaced) }
        return .promoteCopy(version, over: other, replacing: replaced)
    }
}
