import Foundation
import GRDB
public import SyncCore

extension SQLiteStore {
    /// The row of an item in a tree.
    public func node(_ id: NodeID, in tree: Tree) throws -> Node? {
        try fetch(tree, "WHERE id = ?", [id.rawValue]).first
    }

    /// The rows with this parent and name, ordered by id.
    public func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) throws -> [Node] {
        try fetch(tree, "WHERE parent = ? AND name = ? ORDER BY id", [parent.rawValue, Data(name.bytes)])
    }

    /// At most `limit` rows with this parent, ordered by name and id, after the given row.
    public func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) throws -> [Node] {
        guard let after else {
            return try fetch(tree, "WHERE parent = ? ORDER BY name, id LIMIT ?", [parent.rawValue, limit])
        }
        return try fetch(
            tree, "WHERE parent = ? AND (name, id) > (?, ?) ORDER BY name, id LIMIT ?",
            [parent.rawValue, Data(after.name.bytes), after.id.rawValue, limit])
    }

    /// The rows of a side's tree whose version has this identity, ordered by id.
    public func nodes(withIdentity identity: Token, on side: Side) throws -> [Node] {
        if identity.isEmpty { return [] }
        return try fetch(side.tree, "WHERE identity = ? ORDER BY id", [Data(identity.bytes)])
    }

    /// Writes a row, in place of the one that the item has in that tree.
    public func put(_ node: Node, in tree: Tree) throws {
        let place: [(any DatabaseValueConvertible)?] = [
            node.id.rawValue, node.parent.rawValue, Data(node.name.bytes), Int(node.kind.rawValue),
        ]
        guard let side = tree.side else {
            return try execute(
                "INSERT OR REPLACE INTO synced (id, parent, name, kind, local, remote, hash) VALUES (?,?,?,?,?,?,?)",
                place + [
                    node.local.map { VersionCoding.encode($0, withIdentity: true) },
                    node.remote.map { VersionCoding.encode($0, withIdentity: true) },
                    node.hash.map { Data($0.bytes) },
                ])
        }
        let version = node[side]
        let identity = version.flatMap { $0.identity.isEmpty ? nil : Data($0.identity.bytes) }
        try execute(
            "INSERT OR REPLACE INTO \(TreeSchema.table(tree)) (id, parent, name, kind, identity, version, missing) "
                + "VALUES (?,?,?,?,?,?,?)",
            place + [
                identity, version.map { VersionCoding.encode($0, withIdentity: false) }, node.isMissing ? 1 : 0,
            ])
    }

    /// Removes the row of an item from one tree.
    public func remove(_ id: NodeID, from tree: Tree) throws {
        try execute("DELETE FROM \(TreeSchema.table(tree)) WHERE id = ?", [id.rawValue])
    }

    /// In one tree: gives the row `old` the id `new`, and its children the new parent.
    public func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) throws {
        let table = TreeSchema.table(tree)
        try execute("UPDATE \(table) SET id = ? WHERE id = ?", [new.rawValue, old.rawValue])
        try execute("UPDATE \(table) SET parent = ? WHERE parent = ?", [new.rawValue, old.rawValue])
    }

    /// Rows in a tree, the root's included.
    public func count(in tree: Tree) throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(TreeSchema.table(tree))") ?? 0 }
    }

    /// Removes every row of a tree.
    public func removeAll(in tree: Tree) throws {
        try execute("DELETE FROM \(TreeSchema.table(tree))", [])
    }

    /// Rows of a side's tree that are missing.
    public func missingCount(on side: Side) throws -> Int {
        try read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM \(TreeSchema.table(side.tree)) WHERE missing") ?? 0
        }
    }

    /// At most `limit` missing rows of a side's tree, ordered by id, after that id.
    public func missing(on side: Side, after: NodeID, limit: Int) throws -> [NodeID] {
        try identifiers(
            "SELECT id FROM \(TreeSchema.table(side.tree)) WHERE missing AND id > ? ORDER BY id LIMIT ?",
            [after.rawValue, limit])
    }

    /// The ids that a query of one column gives.
    func identifiers(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws -> [NodeID] {
        try read { database in
            let statement = try database.cachedStatement(sql: sql)
            statement.setUncheckedArguments(StatementArguments(arguments))
            return try Int64.fetchAll(statement).map { NodeID($0) }
        }
    }

    private func fetch(
        _ tree: Tree, _ condition: String, _ arguments: [(any DatabaseValueConvertible)?]
    ) throws -> [Node] {
        let columns = tree == .synced ? "local, remote, hash" : "identity, version, missing"
        let sql = "SELECT id, parent, name, kind, \(columns) FROM \(TreeSchema.table(tree)) \(condition)"
        return try read { database in
            let statement = try database.cachedStatement(sql: sql)
            statement.setUncheckedArguments(StatementArguments(arguments))
            let rows = try Row.fetchCursor(statement)
            var nodes: [Node] = []
            while let row = try rows.next() { nodes.append(try NodeCoding.node(row, in: tree)) }
            return nodes
        }
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
