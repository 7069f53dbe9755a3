import SyncCore
import TestSupport

/// Effects with an inside, and what else a world may have.
extension SimulatedHistory {
    /// Carries an effect out, or makes one step of it: then it has no result yet.
    mutating func advanceOrCarryOut(_ index: Int) throws {
        let effect = pending[index].effect
        let hasBegun = pending[index].stepped != nil
        if !hasBegun || pending[index].stepped?.hasActed == false, let (side, path) = effect.removal {
            pending[index].contents = [:]
            for (file, number) in edge[side].walk() where file.names.starts(with: path.names) {
                guard let inode = edge[side].state.inodes[number], inode.kind == .file else { continue }
                pending[index].contents[file] = inode.content
            }
        }
        guard has(.inside), effect.footprint.hasInside else {
            pending[index].result = try carryOut(effect)
            return
        }
        if !hasBegun { pending[index].stepped = SteppedEffect(effect) }
        repeat { try makeStep(index) } while pending[index].result == nil && random.oneIn(3)
    }

    /// The machine stops in the midst of an effect.
    mutating func carryOutSomeSteps(_ index: Int) throws {
        guard has(.inside), pending[index].effect.footprint.hasInside else {
            _ = try carryOut(pending[index].effect)
            return
        }
        if pending[index].stepped == nil { pending[index].stepped = SteppedEffect(pending[index].effect) }
        for _ in 0..<(1 + random.below(4)) where pending[index].result == nil { try makeStep(index) }
    }

    /// What was begun comes to its end: the world changes in ways that no effect goes on in.
    mutating func finishSteps() throws {
        for index in pending.indices where pending[index].stepped != nil {
            while pending[index].result == nil { try makeStep(index) }
        }
    }

    private mutating func makeStep(_ index: Int) throws {
        guard var stepped = pending[index].stepped else { return }
        let (effect, before, hadActed) = (pending[index].effect, edge, stepped.hasActed)
        let footprint = effect.footprint
        let result = edge.advance(&stepped)
        pending[index].stepped = stepped
        pending[index].result = result
        if stepped.hasActed != hadActed || !stepped.hasActed { pending[index].before = before }
        if stepped.hasActed && !hadActed && footprint.side == .local {
            try checkNames(effect, before, at: stepped.spot)
        }
        if stepped.hasActed && !hadActed { noteMove(by: footprint) }
        if let result {
            // Where its directory was moved meanwhile, other things are by its path.
            if isInPlace(stepped, footprint) {
                try judge(effect, result, before: pending[index].before ?? before)
            } else {
                user.ledger.disturb()
            }
        }
        guard stepped.hasActed else { return }
        tellChanges(by: footprint)
        for spot in [stepped.spot, stepped.target].compactMap(\.self) {
            if let path = edge.path(of: spot) { notices.add([path], on: spot.side, &random) }
        }
    }

    /// An effect was carried out that may have moved something.
    mutating func noteMove(by footprint: Footprint) {
        guard let arrival = footprint.arrival, let number = edge[arrival.side].inode(at: arrival.path) else { return }
        unwrittenMoves.append((arrival.side, number))
    }

    /// The session has written down all that it knows of.
    mutating func forgetWrittenMoves() {
        let isUntold = pending.contains {
            $0.effect.footprint.arrival != nil && ($0.result != nil || $0.stepped?.hasActed == true)
        }
        if !isUntold { unwrittenMoves = [] }
    }

    /// The session ends: what it moved and did not write down looks as if a person had moved it.
    mutating func loseUnwrittenMoves() {
        for (side, number) in unwrittenMoves {
            guard let inode = edge[side].state.inodes[number] else { continue }
            let below = edge[side].numbers(from: number)
            user.ledger.move(inode.content, with: below, isDirectory: inode.kind == .directory, on: side)
        }
        unwrittenMoves = []
    }

    private func isInPlace(_ stepped: SteppedEffect, _ footprint: Footprint) -> Bool {
        guard let spot = stepped.spot else { return true }
        return edge.path(of: spot).map { footprint.changedPaths.contains($0) } ?? false
    }

    /// Where effects act that have looked and did not look again yet: people are there at the same time.
    func pathsInWork(on side: Side) -> [RelativePath] {
        let effects = pending.filter { $0.stepped != nil && $0.result == nil }.map(\.effect)
        let trees = side == .remote ? effects.flatMap { pathsInTree($0) } : []
        return trees
            + effects.map(\.footprint).filter { $0.side == side }.flatMap { $0.paths { $0 != .stage } }
    }

    /// What is in the directory that an effect removes with everything in it.
    private func pathsInTree(_ effect: Effect) -> [RelativePath] {
        guard case .removeTree(let path, _, _) = effect else { return [] }
        return edge[.remote].walk().map(\.path).filter { $0.names.starts(with: path.names) }
    }

    // MARK: Other worlds

    /// The clock of a side is set to any time within some days.
    mutating func setClock(_ side: Side) {
        edge[side].clockOffset = Int64(random.below(2_000_000_000) - 1_000_000_000) * 1_000_003
        log { "the clock on \(side) is \(edge[side].clockOffset) ahead" }
    }

    /// What is there now is on the remote as well.
    mutating func beginAlike() {
        for _ in 0..<(4 + random.below(8)) { _ = user.edit(&edge, .local, &random) }
        user.copyAll(&edge)
        for _ in 0..<random.below(4) { _ = user.edit(&edge, .local, &random) }
    }
}

extension Footprint {
    /// Where it moves something to.
    fileprivate var arrival: Spot? { spots.first { $0.touch == .arrive } }
}
