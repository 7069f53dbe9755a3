import GRDB
package import SyncCore

extension SQLiteStore {
    /// The row of an item in a tree.
    package func node(_ id: NodeID, in tree: Tree) throws -> Node? {
        let index = Int(tree.rawValue)
        if let known = nodeCache[index].known(id) { return known }
        let node = try first(.node(tree), { $0.bind(id.rawValue, at: 1) }, { try NodeCoding.node($0, in: tree) })
        nodeCache[index].read(node, id)
        return node
    }

    /// The rows with this parent and name, ordered by id.
    package func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) throws -> [Node] {
        try nodes(.named(tree), in: tree) { statement in
            statement.bind(parent.rawValue, at: 1)
            statement.bind(name.bytes, at: 2)
        }
    }

    /// At most `limit` rows with this parent, ordered by name and id, after the given row.
    package func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) throws -> [Node] {
        try nodes(after == nil ? .children(tree) : .childrenAfter(tree), in: tree) { statement in
            statement.bind(parent.rawValue, at: 1)
            statement.bind(Int64(limit), at: 2)
            if let after {
                statement.bind(after.name.bytes, at: 3)
                statement.bind(after.id.rawValue, at: 4)
            }
        }
    }

    /// The directories among the rows with this parent, or nil if the entries differ from the rows. Compares the stored
    /// bytes.
    package func directories(
        of parent: NodeID, on side: Side, after: EntryName?, through: EntryName?, ifUnchanged entries: [ListedEntry]
    ) throws -> [NodeID]? {
        let isWhole = after == nil && through == nil
        let tree = Int(side.tree.rawValue)
        if isWhole, let known = listings[tree].directories(of: parent, ifUnchanged: entries) { return known }
        try flushNodes(side.tree)
        try flushStatuses()
        var index = 0
        var directories: [NodeID] = []
        let isUnchanged = try allRows(.unchanged(side)) { statement in
            statement.bind(parent.rawValue, at: 1)
            statement.bind(after?.bytes ?? [], at: 2)
        } satisfy: { row in
            if let through, through.bytes.lexicographicallyPrecedes(row.buffer(1)) { return nil }
            guard index < entries.count, NodeCoding.isUnchanged(row, as: entries[index]) else { return false }
            if entries[index].kind == .directory { directories.append(NodeID(row.number(0))) }
            index += 1
            return true
        }
        guard isUnchanged && index == entries.count else { return nil }
        if isWhole { listings[tree].note(directories, of: parent, as: entries) }
        return directories
    }

    /// A row is about to be written, or to be removed: what matched in its directory, and in the one that it leaves, may
    /// not match any more.
    private func forgetListing(with id: NodeID, of parent: NodeID?, in tree: Tree) throws {
        let index = Int(tree.rawValue)
        if listings[index].isEmpty { return }
        if let parent { listings[index].forget(parent) }
        if let row = try node(id, in: tree) { listings[index].forget(row.parent) }
    }

    /// The rows of a side's tree whose version has this identity, ordered by id.
    package func nodes(withIdentity identity: Token, on side: Side) throws -> [Node] {
        if identity.isEmpty { return [] }
        return try nodes(.identity(side), in: side.tree) { $0.bind(identity.bytes, at: 1) }
    }

    /// Writes a row, replacing the item's row in that tree.
    package func put(_ node: Node, in tree: Tree) throws {
        try forgetListing(with: node.id, of: node.parent, in: tree)
        nodeCache[Int(tree.rawValue)].write(node, node.id)
        if nodeCache[Int(tree.rawValue)].isFull { try flushNodes(tree) }
    }

    /// Removes the row of an item from one tree.
    package func remove(_ id: NodeID, from tree: Tree) throws {
        try forgetListing(with: id, of: nil, in: tree)
        nodeCache[Int(tree.rawValue)].write(nil, id)
        if nodeCache[Int(tree.rawValue)].isFull { try flushNodes(tree) }
    }

    /// Writes the rows of a tree that are waiting.
    func flushNodes(_ tree: Tree) throws {
        for change in nodeCache[Int(tree.rawValue)].takeWaiting() {
            if let node = change.row {
                try execute(change.isNew ? .add(tree) : .put(tree)) { NodeCoding.bind(node, in: tree, to: $0) }
            } else {
                try execute(.remove(tree)) { $0.bind(change.id.rawValue, at: 1) }
            }
        }
    }

    /// In one tree: gives the row `old` the id `new`, and its children the new parent.
    package func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws {
        try flushNodes(tree)
        nodeCache[Int(tree.rawValue)].forget()
        nodeCache[Int(tree.rawValue)].noteRow(new)
        listings[Int(tree.rawValue)].forgetAll()
        for query in [StoreQuery.renumber(tree), .adoptChildren(tree)] {
            try execute(query) { statement in
                statement.bind(new.rawValue, at: 1)
                statement.bind(old.rawValue, at: 2)
            }
        }
    }

    /// The number of rows in a tree, including the root.
    package func count(in tree: Tree) throws -> Int {
        try flushNodes(tree)
        return try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(TreeSchema.table(tree))") ?? 0 }
    }

    /// Removes every row of a tree.
    package func removeAll(in tree: Tree) throws {
        nodeCache[Int(tree.rawValue)].forget()
        listings[Int(tree.rawValue)].forgetAll()
        try execute("DELETE FROM \(TreeSchema.table(tree))")
    }

    /// The number of missing rows in a side's tree.
    package func missingCount(on side: Side) throws -> Int {
        try flushNodes(side.tree)
        return try read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(TreeSchema.table(side.tree)) WHERE missing") ?? 0
        }
    }

    /// At most `limit` missing rows of a side's tree, ordered by id, after that id.
    package func missing(on side: Side, after: NodeID, limit: Int) throws -> [NodeID] {
        try flushNodes(side.tree)
        return try identifiers(.missing(side), after, limit)
    }

    /// Deletes the identities in a side's tree.
    package func forgetIdentities(on side: Side) throws {
        try flushNodes(side.tree)
        nodeCache[Int(side.tree.rawValue)].forget()
        listings[Int(side.tree.rawValue)].forgetAll()
        try execute("UPDATE \(TreeSchema.table(side.tree)) SET identity = NULL")
    }

    /// The rows of a side's tree at which a file system was mounted, ordered by id.
    package func mountRoots(on side: Side) throws -> [NodeID] {
        try flushNodes(side.tree)
        return try read {
            try Int64.fetchAll($0, sql: "SELECT id FROM \(TreeSchema.table(side.tree)) WHERE mount ORDER BY id")
        }.map { NodeID($0) }
    }

    /// At most `limit` ids from a query, after that id.
    func identifiers(
        _ query: StoreQuery, _ after: NodeID, _ limit: Int, _ bind: (StoreStatement) -> Void = { _ in }
    ) throws -> [NodeID] {
        try rows(
            query,
            { statement in
                statement.bind(after.rawValue, at: 1)
                statement.bind(Int64(limit), at: 2)
                bind(statement)
            }, { NodeID($0.number(0)) })
    }

    private func nodes(_ query: StoreQuery, in tree: Tree, _ bind: (StoreStatement) -> Void) throws -> [Node] {
        try flushNodes(tree)
        let nodes = try rows(query, bind, { try NodeCoding.node($0, in: tree) })
        for node in nodes { nodeCache[Int(tree.rawValue)].read(node, node.id) }
        return nodes
    }
}

extension Tree {
    /// The side whose state this tree holds; nil for the merge base.
    var side: Side? {
        switch self {
        case .local: .local
        case .remote: .remote
        case .synced: nil
        }
    }
}
