/// Items that are not synced.
extension SyncSession {
    /// Gives excluded entries a row of their own, known on that side alone, and forgets what was known about them
    /// otherwise: nothing is deleted by that.
    mutating func excludeEntries(_ merge: inout DirectoryMerge) throws {
        for entry in merge.excluded.values.sorted(by: { $0.name < $1.name }) {
            let rows = try store.nodes(named: entry.name, of: merge.directory, in: merge.side.tree)
            let known = rows.first { merge.leftover[$0.id] != nil && $0.kind == entry.kind }
            if let known { merge.leftover[known.id] = nil }
            try exclude(entry, known: known, merge)
        }
        for row in merge.leftover.values.sorted(by: { $0.id < $1.id })
        where try store.status(row.id)?.state == .excluded {
            if merge.scope == .partial { continue }
            merge.leftover[row.id] = nil
            try erase(row.id, from: merge.side.tree)
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
            id: try known?.id ?? store.makeNodeID(), parent: merge.directory, name: entry.name, kind: entry.kind)
        row[merge.side] = entry.version
        if known?.isMissing == false, try store.status(row.id) == status { return }
        for tree in Tree.allCases where tree != merge.side.tree { try eraseSubtree(row.id, in: tree) }
        for child in try childIDs(of: row.id, in: merge.side.tree) { try eraseSubtree(child, in: merge.side.tree) }
        try write(row, in: merge.side.tree)
        if let other = try store.status(row.id)?.counterpart { try endConflict(of: other) }
        try setStatus(status, for: row.id)
    }

    func childIDs(of id: NodeID, in tree: Tree) throws -> [NodeID] {
        var found: [NodeID] = []
        var last: Node?
        while true {
            let page = try store.children(of: id, in: tree, after: last, limit: 256)
            found += page.map(\.id)
            if page.count < 256 { return found }
            last = page.last
        }
    }

    /// Removes the rows of an item and all below it from a tree, those below first.
    mutating func eraseSubtree(_ id: NodeID, in tree: Tree) throws {
        guard try store.node(id, in: tree) != nil else { return }
        var seen: Set<NodeID> = []
        var stack: [(id: NodeID, isOpen: Bool)] = [(id, false)]
        while let (node, isOpen) = stack.popLast() {
            if isOpen {
                try erase(node, from: tree)
            } else if seen.insert(node).inserted {
                stack.append((node, true))
                stack += try childIDs(of: node, in: tree).map { ($0, false) }
            }
        }
    }
}
