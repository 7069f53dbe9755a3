import SyncCore

/// Promise 12: a name that a person sees stays there.
extension SimulatedHistory {
    /// Carries an effect out. No name of the folder here may go with it but those that it is about, and none because of
    /// a conflict.
    mutating func carryOut(_ effect: Effect) throws -> EffectResult {
        guard effect.side == .local || effect.side == nil else { return edge.carryOut(effect) }
        let before = Set(edge[.local].walk().map(\.path))
        let result = edge.carryOut(effect)
        let after = Set(edge[.local].walk().map(\.path))
        for gone in before.subtracting(after) where !effect.mayTake(gone, edge[.remote]) {
            throw violation("the name \(gone) went with \(effect)")
        }
        return result
    }
}

extension Effect {
    /// Whether a name of the local side may go with the effect.
    ///
    /// - Parameter remote: Tells an item that follows the remote to its place from one that is set aside.
    fileprivate func mayTake(_ path: RelativePath, _ remote: SimulatedDisk) -> Bool {
        func isAtOrBelow(_ item: RelativePath) -> Bool { path.names.starts(with: item.names) }
        switch self {
        case .probeRoots, .listDirectory, .checkEntry, .hashFile, .stage, .syncContents, .publish, .makeDirectory,
            .setPermissions, .syncRenames, .discard, .markRoot:
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

extension RelativePath {
    /// Whether the last name is that of a conflict copy of the other's.
    fileprivate func isCopy(of other: RelativePath) -> Bool {
        guard let name, let original = other.name else { return false }
        return ConflictName.isCopy(name, of: original)
    }
}
