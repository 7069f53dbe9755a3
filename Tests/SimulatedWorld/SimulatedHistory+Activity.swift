import SyncCore

/// What is shown of items while effects are under way.
extension SimulatedHistory {
    /// An effect that the session wants, with the item that it is for.
    mutating func make(_ id: EffectID, _ effect: Effect) throws -> Pending {
        var made = Pending(id: id, effect: effect, step: steps)
        switch effect {
        case .stage(let stage, let side, let path, let expected):
            made.node = try item(at: path, on: side, .file, expected)
            stages[stage] = made.node
        case .publish(let stage, _, _, _, _), .displace(_, _, .staged(let stage), _), .fill(_, let stage, _):
            made.node = stages[stage]
        case .free(let path, let expected, _, _): made.node = try item(at: path, on: .local, .file, expected)
        case .describe(let path, let source, let old, _):
            made.node = try item(at: path, on: old == nil ? .remote : .local, .file, old ?? source)
        case .move(let side, let path, _, let kind, let expected), .remove(let side, let path, let kind, let expected),
            .setPermissions(let side, let path, let kind, let expected, _):
            made.node = try item(at: path, on: side, kind, expected)
        case .removeTree(let path, let expected, _):
            made.node = try item(at: path, on: .remote, .directory, expected)
        case .probeRoots, .markRoot, .listDirectory, .checkEntry, .hashFile, .syncContents, .makeDirectory,
            .displace, .replaceLocal, .discardLocal, .syncRenames, .discard, .within, .opening:
            break
        }
        try checkWanted(effect, for: made.node)
        return made
    }

    /// While items are looked at two rows may stand at one path, one of them missing; the version that an effect expects
    /// says which it means, unless they are two names of one file.
    private func item(
        at path: RelativePath, on side: Side, _ kind: EntryKind, _ expected: Version
    ) throws -> NodeID? {
        let meant = try store.trees.nodes(withIdentity: expected.identity, on: side).filter { row in
            try row.kind == kind && store.trees.path(of: row.id, in: side.tree) == path
        }
        if let row = meant.first(where: { !$0.isMissing }) ?? meant.first { return row.id }
        guard let name = path.name, let parent = try store.trees.nodeID(at: path.parent, in: side.tree) else {
            return nil
        }
        return try store.trees.nodes(named: name, of: parent, in: side.tree).first { !$0.isMissing }?.id
    }

    /// An item is shown as syncing while an effect of its own runs, and not while that only waits for its turn.
    func checkActivity() throws {
        for effect in pending {
            // What is gone meanwhile is not shown.
            guard let node = effect.node, let shown = published[node] else { continue }
            if case .stage = effect.effect, !effect.hasBegun {
                if shown == .syncing { throw violation("\(node) is shown as syncing before its transfer runs") }
            } else if shown < .syncing {
                throw violation("\(node) is shown as \(shown) while it is synced: \(effect.effect)")
            }
        }
        if steps % 8 == 0 { try checkPublished() }
    }

    /// While a root is away nothing is deleted on the other side that it holds. Of a file with several names, or of two files
    /// that are the same version, one may have taken the place of another before. What a person deleted there, and a backup
    /// put back before the root went away, comes back from there as another item.
    func checkRemoval(_ done: Pending) throws {
        guard let side = done.effect.removal?.side, case .done = done.result,
            let away = edge.away[Int(side.other.rawValue)]
        else { return }
        for (path, removed) in done.contents {
            guard let number = away.inode(at: path), let content = away.state.inodes[number]?.content,
                content == removed, !user.ledger.hasLostName(content, on: side.other),
                !user.ledger.hasItsOwnPlace(content), !user.ledger.isDeleted(content, on: side.other)
            else { continue }
            throw violation("\(path) was deleted on \(side) while the other root is away")
        }
    }

    /// What was told of every item is what the session says of it.
    private func checkPublished() throws {
        for (id, told) in published {
            let shown = try session.presentation(of: id).state
            if shown != told { throw violation("\(id) is \(shown), told was \(told)") }
        }
    }
}
