/// Converts decisions to effects, with the present paths.
extension Planner {
    /// Whether an operation must run alone, because the path or the permissions of a directory change.
    func changesPaths(_ decision: Decision, of node: NodeID) throws -> Bool {
        switch decision {
        case .move(let side, _, _), .setPermissions(let side, _, _):
            return try store.node(node, in: side.tree)?.kind == .directory
        case .displace(let displaced, _, _):
            return try [node, displaced.node].contains { try store.node($0, in: .local)?.kind == .directory }
        case .discard(let loser, _): return try store.node(loser, in: .local)?.kind == .directory
        case .promoteCopy(_, let other, _):
            return try [node, other].contains { try store.node($0, in: .local)?.kind == .directory }
        case .transfer, .describe, .free, .makeDirectory, .remove, .removeTree: return false
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: return false
        }
    }

    /// The effect of a decision, with the present paths; nil if an item no longer exists.
    func effect(
        of decision: Decision, for operation: Operation, _ permissions: Permissions?
    ) throws -> Effect? {
        func path(_ place: Place, _ side: Side) throws -> RelativePath? {
            try store.path(of: place.parent, in: side.tree)?.appending(place.name)
        }
        let node = operation.node
        switch decision {
        case .transfer(let from, _, let place, let old):
            guard let stage = operation.stage, let path = try path(place, from.other) else { return nil }
            if let old, old.residence == .remoteAlone { return .fill(path, with: stage, expected: old) }
            return .publish(stage, from.other, path, expected: old, permissions: permissions)
        case .describe(let source, let place, let old):
            return try path(place, .local).map { .describe($0, source, expected: old, permissions: permissions) }
        case .free(let expected, let source):
            guard let path = try store.path(of: node, in: .local), let there = try store.path(of: node, in: .remote)
            else { return nil }
            return .free(path, expected: expected, ifRemote: there, has: source)
        case .makeDirectory(let side, let place):
            return try path(place, side).map { .makeDirectory(side, $0, permissions: permissions) }
        case .setPermissions(let side, let expected, let wanted):
            guard let row = try store.node(node, in: side.tree),
                let path = try store.path(of: node, in: side.tree)
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
        case .removeTree(let expected, let tag):
            return try store.path(of: node, in: .remote).map { .removeTree($0, expected: expected, tag: tag) }
        case .discard(let loser, let expected):
            return try localItem(loser, expected).map { .discardLocal($0) }
        case .promoteCopy(let expected, let other, let old):
            guard let from = try localItem(node, expected), let to = try localItem(other, old) else { return nil }
            return .replaceLocal(from: from, to: to)
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: return nil
        }
    }

    private func moveEffect(_ id: NodeID, _ side: Side, _ expected: Version, to: RelativePath?) throws -> Effect? {
        guard let row = try store.node(id, in: side.tree), let from = try store.path(of: id, in: side.tree),
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
        guard let row = try store.node(id, in: .local), let path = try store.path(of: id, in: .local)
        else { return nil }
        return LocalItem(path: path, kind: row.kind, expected: expected)
    }

    private func removeEffect(_ id: NodeID, _ side: Side, _ expected: Version) throws -> Effect? {
        guard let row = try store.node(id, in: side.tree), let path = try store.path(of: id, in: side.tree)
        else { return nil }
        return .remove(side, path, kind: row.kind, expected: expected)
    }
}
