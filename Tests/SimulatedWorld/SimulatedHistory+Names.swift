import SyncCore

/// Promise 12: a name that a person sees stays there.
extension SimulatedHistory {
    /// Carries an effect out. No name of the folder here may go with it but those that it is about, and none because of
    /// a conflict.
    mutating func carryOut(_ effect: Effect) throws -> EffectResult {
        let (before, footprint) = (edge, effect.footprint)
        let result = edge.carryOut(effect)
        if footprint.isChange && footprint.side == .local { try checkNames(effect, before) }
        try judge(effect, result, before: before)
        if case .failed = result { return result }
        noteMove(by: footprint)
        tellChanges(by: footprint)
        return result
    }

    /// The watcher of a side tells what an effect changes there.
    mutating func tellChanges(by footprint: Footprint) {
        if let side = footprint.side { notices.add(footprint.changedPaths, on: side, &random) }
    }

    /// - Parameter spot: Where it acts, in the directory that it looked at, wherever that is by now.
    func checkNames(_ effect: Effect, _ before: SimulatedEdge, at spot: SteppedEffect.Spot? = nil) throws {
        let names = Set(before[.local].walk().map(\.path))
        let left = Set(edge[.local].walk().map(\.path))
        let place = effect.footprint.has(.remove) ? spot.flatMap { before.path(of: $0) } : nil
        for gone in names.subtracting(left) where gone != place && !effect.footprint.mayTake(gone, edge[.remote]) {
            // A person gave it the name of a copy on the remote, where it may be elsewhere by now, or it had that name when the
            // store was backed up.
            if case .move(_, let from, _, _, _) = effect, let number = before[.local].inode(at: from),
                let content = before[.local].state.inodes[number]?.content,
                user.ledger.hasOldBase || user.ledger.isMoved(content, on: .remote)
            {
                continue
            }
            throw violation("the name \(gone) went with \(effect)")
        }
    }
}

extension Footprint {
    /// Whether a name of the local side may go with the effect.
    ///
    /// - Parameter remote: Tells an item that follows the remote to its place from one that is set aside.
    fileprivate func mayTake(_ path: RelativePath, _ remote: SimulatedDisk) -> Bool {
        let isTaken = spots.contains { spot in
            spot.touch.takesAway && path.names.starts(with: spot.path.names)
                && (spot.touch != .remove || spot.path == path)
        }
        // Something else has the name from now on.
        let isGiven = spots.contains { $0.path == path && $0.touch.isChange && !$0.touch.takesAway }
        return isTaken && !isGiven && !isSetAside(remote)
    }

    /// Whether it moves an item to a name beside its own, which the other side does not have.
    private func isSetAside(_ remote: SimulatedDisk) -> Bool {
        guard let from = spots.first(where: { $0.touch == .leave })?.path,
            let to = spots.first(where: { $0.touch == .arrive })?.path
        else { return false }
        // Of two long names each may look like a copy of the other.
        return from.parent == to.parent && to.isCopy(of: from) && !from.isCopy(of: to) && remote.inode(at: to) == nil
    }
}

extension RelativePath {
    /// Whether the last name is that of a conflict copy of the other's.
    fileprivate func isCopy(of other: RelativePath) -> Bool {
        guard let name, let original = other.name else { return false }
        return ConflictName.isCopy(name, of: original)
    }
}
