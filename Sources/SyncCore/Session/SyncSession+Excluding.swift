/// Items that are not synced.
extension SyncSession {
    /// Gives excluded entries a row of their own, known on that side alone, and forgets what was known about them
    /// otherwise: nothing is deleted by that.
    mutating func excludeEntries(_ merge: inout DirectoryMerge) throws {
        for entry in merge.excluded.values.sorted(by: { $0.name < $1.name }) {
            let rows = try items.store.nodes(named: entry.name, of: merge.directory, in: merge.side.tree)
            let known = rows.first { merge.leftover[$0.id] != nil && $0.kind == entry.kind }
            if let known { merge.leftover[known.id] = nil }
            try exclude(entry, known: known, merge)
        }
        for row in merge.leftover.values.sorted(by: { $0.id < $1.id })
        where try items.store.status(row.id)?.state == .excluded {
            if merge.scope == .partial { continue }
            merge.leftover[row.id] = nil
            try items.erase(row.id, from: merge.side.tree)
        }
    }

    private mutating func exclude(_ entry: ListedEntry, known: Node?, _ merge: DirectoryMerge) throws {
        let message =
            switch entry.kind {
            case .symlink: "Symbolic links are not synced."
            case .special: "Only files and folders are synced."
            case .file, .directory: ""
            }
        let status = NodeStatus(state: .excluded, isDirty: false, message: message)
        var row = Node(
            id: try known?.id ?? items.store.makeNodeID(), parent: merge.directory, name: entry.name, kind: entry.kind)
        row[merge.side] = entry.version
        if known?.isMissing == false, try items.store.status(row.id) == status { return }
        for tree in Tree.allCases where tree != merge.side.tree { try items.eraseSubtree(row.id, in: tree) }
        for child in try items.childIDs(of: row.id, in: merge.side.tree) {
            try items.eraseSubtree(child, in: merge.side.tree)
        }
        try items.write(row, in: merge.side.tree)
        if let other = try items.store.status(row.id)?.counterpart { try items.endConflict(of: other) }
        try items.setStatus(status, for: row.id)
    }
}
