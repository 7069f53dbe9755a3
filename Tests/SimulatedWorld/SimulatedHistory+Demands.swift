import SyncCore
import TestSupport

/// What somebody demands.
struct SimulatedDemand {
    var demand: Demand
    var isWithdrawn = false
}

/// Demands: who makes them, and what must hold of how they end.
extension SimulatedHistory {
    /// Somebody demands contents, or does not want them any more.
    mutating func demandOrWithdraw() throws {
        if random.oneIn(4), let id = random.pick(demands.keys.sorted()) {
            demands[id]?.isWithdrawn = true
            return try tell(.command(.withdraw(id)))
        }
        let all = edge[.local].walk()
        let away = all.filter { edge[.local].state.inodes[$0.inode]?.residence == .remoteAlone }
        guard let spot = random.pick(away.isEmpty || random.oneIn(2) ? all : away) else { return }
        let path = random.oneIn(6) ? RelativePath.root : spot.path
        guard let node = try store.trees.localNode(at: path), let aim = random.pick([Demand.Aim.here, .here, .away])
        else { return }
        var demand = Demand(aim, node)
        demand.isOpening = aim == .here && random.oneIn(2)
        if random.oneIn(8) { demand.room = Int64(random.below(20)) }
        try make(demand)
    }

    private mutating func make(_ demand: Demand) throws {
        lastDemand += 1
        let id = DemandID(lastDemand)
        demands[id] = SimulatedDemand(demand: demand)
        let path = try store.trees.path(of: demand.item, in: .local) ?? .root
        wantFiles(at: path)
        try tell(.command(.demand(id, demand)))
    }

    /// The session ended: who wanted something and still does asks again.
    mutating func demandAgain(_ lost: [DemandID: SimulatedDemand]) throws {
        for (_, known) in lost.sorted(by: { $0.key < $1.key }) where !known.isWithdrawn && random.oneIn(2) {
            try make(known.demand)
        }
    }

    /// Nobody wants a transfer any more: most of them end at once.
    mutating func abandon(_ id: EffectID) {
        guard let index = pending.firstIndex(where: { $0.id == id }), pending[index].result == nil,
            !random.oneIn(3)
        else { return }
        pending[index].result = .failed(EffectFailure(.changed, Explanation(.abandoned)))
    }

    mutating func note(_ report: DemandReport, of id: DemandID) throws {
        guard let known = demands[id] else { throw violation("\(report) of a demand that is over") }
        guard case .ended(let end, let progress) = report else { return }
        demands[id] = nil
        switch end {
        case .withdrawn: if !known.isWithdrawn { throw violation("\(id) was not withdrawn") }
        case .failed: break
        case .done: try checkDone(known.demand, progress)
        }
    }

    /// A file is where it was demanded to be, on the disk too unless somebody did something to it since.
    private func checkDone(_ demand: Demand, _ progress: DemandProgress) throws {
        if progress.filesFailed > 0 { throw violation("\(demand) is done, though \(progress)") }
        guard let row = try store.trees.node(demand.item, in: .local), row.kind == .file, let version = row.local,
            !row.isMissing
        else { return }
        // What was moved to another file system is another item by now.
        if try store.trees.node(row.id, in: .remote) == nil { return }
        let wanted: Residence = demand.aim == .here ? .here : .remoteAlone
        // What holds nothing is never away.
        if version.residence != wanted && (wanted == .here || version.size > 0) {
            throw violation("\(demand) is done, and \(version.residence)")
        }
        guard demand.aim == .here, let path = try store.trees.path(of: row.id, in: .local),
            let number = edge[.local].inode(at: path), let inode = edge[.local].state.inodes[number],
            edge[.local].version(of: number, now: edge.now).identity == version.identity
        else { return }
        if inode.residence != .here { throw violation("\(path) is not here, though that was told") }
    }

    /// Contents move only where somebody wants them.
    func checkWanted(_ effect: Effect, for node: NodeID?) throws {
        guard has(.onDemand), let node, !user.ledger.hasChosen else { return }
        let wish = try lastingWish(for: node)
        switch effect {
        case .free:
            if wish == .alwaysHere { throw violation("\(node) is freed, which is always wanted here") }
            if try wish != .remoteAlone && !isDemanded(.away, node) { throw violation("\(node) is freed unasked") }
        case .fill:
            if try wish != .alwaysHere && !isDemanded(.here, node) { throw violation("\(node) is fetched unasked") }
        case .within(_, let inner), .opening(_, let inner): try checkWanted(inner, for: node)
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish, .describe,
            .makeDirectory, .setPermissions, .move, .displace, .replaceLocal, .discardLocal, .remove, .removeTree,
            .syncRenames, .discard:
            break
        }
    }

    /// Whether somebody demanded the file; it may have been moved since, when the directory that it was in was.
    private func isDemanded(_ aim: Demand.Aim, _ node: NodeID) throws -> Bool {
        let items = demands.values.filter { $0.demand.aim == aim }.map(\.demand.item)
        if items.isEmpty { return false }
        let isOfDirectory = try items.contains { item in
            try (store.trees.node(item, in: .local) ?? store.trees.node(item, in: .remote))?.kind != .file
        }
        return isOfDirectory || items.contains(node)
    }

    /// Every demand has ended when all is at rest, unless it waits for what cannot be synced.
    func checkDemands() throws {
        guard let left = demands.min(by: { $0.key < $1.key }) else { return }
        if try !store.trees.nodes(inState: .error, after: .none, limit: 1).isEmpty { return }
        throw violation("\(left.value.demand) never ends")
    }
}
