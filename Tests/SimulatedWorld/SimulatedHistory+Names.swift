import SyncCore

/// Promise 12: a name that a person sees stays there.
extension SimulatedHistory {
    /// Carries an effect out. No name of the folder here may go with it but those that it is about, and none because of
    /// a conflict.
    mutating func carryOut(_ effect: Effect) throws -> EffectResult {
        let before = edge
        let result = edge.carryOut(effect)
        let isChange = !effect.changedPaths.isEmpty
        if isChange && (effect.side == .local || effect.side == nil) { try checkNames(effect, before) }
        try judge(effect, result, before: before)
        if case .failed = result { return result }
        noteMove(by: effect)
        for (side, paths) in effect.changedPaths { notices.add(paths, on: side, &random) }
        return result
    }

    /// - Parameter spot: Where it acts, in the directory that it looked at, wherever that is by now.
    func checkNames(_ effect: Effect, _ before: SimulatedEdge, at spot: SteppedEffect.Spot? = nil) throws {
        let names = Set(before[.local].walk().map(\.path))
        let left = Set(edge[.local].walk().map(\.path))
        let place = effect.isRemoval ? spot.flatMap { before.path(of: $0) } : nil
        for gone in names.subtracting(left) where gone != place && !effect.mayTake(gone, edge[.remote]) {
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

extension Effect {
    fileprivate var isRemoval: Bool {
        switch self {
        case .remove: true
        case .within(_, let effect): effect.isRemoval
        case .probeRoots, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish, .makeDirectory,
            .setPermissions, .syncRenames, .discard, .markRoot, .move, .displace, .replaceLocal, .discardLocal,
            .removeTree:
            false
        }
    }

    /// Whether a name of the local side may go with the effect.
    ///
    /// - Parameter remote: Tells an item that follows the remote to its place from one that is set aside.
    fileprivate func mayTake(_ path: RelativePath, _ remote: SimulatedDisk) -> Bool {
        func isAtOrBelow(_ item: RelativePath) -> Bool { path.names.starts(with: item.names) }
        switch self {
        case .probeRoots, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish, .makeDirectory,
            .setPermissions, .syncRenames, .discard, .markRoot, .removeTree:
            return false
        case .within(_, let effect):
            return effect.mayTake(path, remote)
        case .move(_, let from, let to, _, _):
            // Of two long names each may look like a copy of the other.
            let isSetAside =
                from.parent == to.parent && to.isCopy(of: from) && !from.isCopy(of: to)
                && remote.inode(at: to) == nil
            return isAtOrBelow(from) && !isSetAside
        case .displace(let item, _, .item(let newcomer), _):
            return path != item.path && (isAtOrBelow(item.path) || isAtOrBelow(newcomer.path))
        case .displace(let item, _, .staged, _), .displace(let item, _, .directory, _):
            return path != item.path && isAtOrBelow(item.path)
        case .replaceLocal(let from, let to):
            return path != to.path && (isAtOrBelow(from.path) || isAtOrBelow(to.path))
        case .discardLocal(let item):
            return isAtOrBelow(item.path)
        case .remove(_, let item, _, _):
            return path == item
        }
    }
}

extension Effect {
    /// Where the effect changes something, as the watcher of that side tells it.
    var changedPaths: [(side: Side, paths: [RelativePath])] {
        switch self {
        case .within(_, let effect): effect.changedPaths
        case .publish(_, let side, let path, _, _), .makeDirectory(let side, let path, _),
            .setPermissions(let side, let path, _, _, _), .remove(let side, let path, _, _):
            [(side, [path])]
        case .move(let side, let from, let to, _, _): [(side, [from, to])]
        case .displace(let item, let name, let newcomer, _):
            [(.local, [item.path, item.path.parent.appending(name)] + newcomer.paths)]
        case .replaceLocal(let from, let to): [(.local, [from.path, to.path])]
        case .discardLocal(let item): [(.local, [item.path])]
        case .removeTree(let path, _, _): [(.remote, [path])]
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .syncRenames,
            .discard:
            []
        }
    }
}

extension Newcomer {
    fileprivate var paths: [RelativePath] {
        switch self {
        case .staged, .directory: []
        case .item(let item): [item.path]
        }
    }
}

extension RelativePath {
    /// Whether the last name is that of a conflict copy of the other's.
    fileprivate func isCopy(of other: RelativePath) -> Bool {
        guard let name, let original = other.name else { return false }
        return ConflictName.isCopy(name, of: original)
    }
}
