import SyncCore

extension SyncFolder {
    /// What the folder knows about items that looked different on the two sides, in the given order. Has unnoticed ones
    /// checked, and decides on files whose contents differ as on changes.
    package func standings(of suspects: [Suspect]) -> [Standing] {
        var differing: [NodeID] = []
        defer { if !differing.isEmpty { command(.doubt(differing)) } }
        return suspects.map { suspect in
            let standing = (try? store.withConnection { try self.standing(of: suspect) }) ?? .waiting
            if standing == .unnoticed {
                for side in Side.allCases { changed(side, items: [suspect.path]) }
            }
            if standing == .settled, suspect.sight == .different, let id = try? node(at: suspect.path) {
                differing.append(id)
            }
            return standing
        }
    }

    /// The item at a path, on either side.
    private func node(at path: RelativePath) throws -> NodeID? {
        try store.withConnection {
            var found = NodeID.root
            for name in path.names {
                guard let id = try known(name, in: found) else { return nil }
                found = id
            }
            return found
        }
    }

    private func standing(of suspect: Suspect) throws -> Standing {
        var found = NodeID.root
        for name in suspect.path.names {
            guard let id = try known(name, in: found) else { return .unnoticed }
            found = id
            if try store.status(found)?.state == .excluded { return .excluded }
        }
        if case .unreadable = suspect.sight { return .settled }
        guard try hasNothingToDo(found) else { return .waiting }
        return try isAsSeen(found, suspect) ? .settled : .unnoticed
    }

    /// The item of that name in a directory, on either side.
    private func known(_ name: EntryName, in parent: NodeID) throws -> NodeID? {
        for side in Side.allCases {
            let rows = try store.nodes(named: name, of: parent, in: side.tree)
            if let row = rows.first(where: { !$0.isMissing }) ?? rows.first { return row.id }
        }
        return nil
    }

    private func hasNothingToDo(_ id: NodeID) throws -> Bool {
        if let status = try store.status(id), status.isDirty || status.state != .synced { return false }
        guard let base = try store.node(id, in: .synced) else { return false }
        // A directory shows the work on its contents.
        if base.kind == .directory { return true }
        return try presentation(of: id).state == .synced
    }

    private func isAsSeen(_ id: NodeID, _ suspect: Suspect) throws -> Bool {
        try Side.allCases.allSatisfy { side in
            guard let row = try store.node(id, in: side.tree), !row.isMissing else { return false }
            guard let seen = suspect.seen[side], let known = row[side] else { return suspect.seen[side] == nil }
            return known.isSame(as: seen)
        }
    }
}
