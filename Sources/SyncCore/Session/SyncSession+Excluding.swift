/// Items that are not synced.
extension SyncSession {
    /// Gives excluded entries a row of their own locally, and forgets what was known about them otherwise.
    mutating func excludeEntries(_ merge: inout DirectoryMerge) throws {
        for entry in merge.excluded.values.sorted(by: { $0.name < $1.name }) {
            let rows = try store.nodes(named: entry.name, of: merge.directory, in: merge.side.tree)
            let known = rows.first { merge.leftover[$0.id] != nil && $0.kind == entry.kind }
            if let known { merge.leftover[known.id] = nil }
            if merge.side == .local {
                try excludeLocal(entry, known: known, in: merge.directory)
            } else if let known {
                try detach(known.id)
                try eraseSubtree(known.id, in: .remote)
            }
        }
        for row in merge.leftover.values where try store.status(row.id)?.state == .excluded {
            merge.leftover[row.id] = nil
            try erase(row.id, from: .local)
        }
    }

    private mutating func excludeLocal(_ entry: ListedEntry, known: Node?, in directory: NodeID) throws {
        let isLink = entry.kind == .symlink || entry.kind == .special
        let message =
            entry.kind == .symlink
            ? "Symbolic links are not synced." : isLink ? "Only files and folders are synced." : ""
        let status = NodeStatus(state: .excluded, isDirty: false, message: message)
        if let known {
            if try store.status(known.id) == status && !known.isMissing { return }
            try detach(known.id)
            var row = known
            row.isMissing = false
            try write(row, in: .local)
            return try setStatus(status, for: known.id)
        }
        let id = try store.makeNodeID()
        try write(
            Node(id: id, parent: directory, name: entry.name, kind: entry.kind, local: entry.version), in: .local)
        try setStatus(status, for: id)
    }

    /// Forgets base and remote of an item and all below it, and the local rows below it: nothing is deleted by that.
    private mutating func detach(_ id: NodeID) throws {
        try eraseSubtree(id, in: .remote)
        try eraseSubtree(id, in: .synced)
        for child in try childIDs(of: id, in: .local) { try eraseSubtree(child, in: .local) }
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
        var stack: [(id: NodeID, isOpen: Bool)] = [(id, false)]
        while let (node, isOpen) = stack.popLast() {
            if isOpen {
                try erase(node, from: tree)
            } else {
                stack.append((node, true))
                stack += try childIDs(of: node, in: tree).map { ($0, false) }
            }
        }
    }
}
