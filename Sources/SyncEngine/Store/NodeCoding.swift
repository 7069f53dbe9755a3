import SyncCore

/// Rows of the tree tables as nodes.
enum NodeCoding {
    /// The node in a row whose columns are id, parent, name, kind and those of its tree.
    static func node(_ row: StoreStatement, in tree: Tree) throws -> Node {
        let bytes = row.bytes(2) ?? []
        guard let name = bytes.isEmpty ? EntryName.root : EntryName(bytes),
            let kind = EntryKind(rawValue: UInt8(truncatingIfNeeded: row.number(3)))
        else { throw UnreadableRow() }
        var node = Node(id: NodeID(row.number(0)), parent: NodeID(row.number(1)), name: name, kind: kind)
        if let side = tree.side {
            node[side] = try version(row, 5, identity: row.bytes(4).map { Token($0) } ?? Token.none)
            node.isMissing = row.number(6) != 0
            node.isMountRoot = row.number(7) != 0
            node.access = row.bytes(8).flatMap { ItemAccess(bytes: $0) }
        } else {
            node.local = try version(row, 4, identity: nil)
            node.remote = try version(row, 5, identity: nil)
            node.hash = row.bytes(6).map { ContentHash($0) }
            node.withheld = row.isNull(7) ? nil : Permissions(row.number(7))
        }
        return node
    }

    /// Binds a node to the statement that writes it, in the same column order as it is read.
    static func bind(_ node: Node, in tree: Tree, to statement: StoreStatement) {
        statement.bind(node.id.rawValue, at: 1)
        statement.bind(node.parent.rawValue, at: 2)
        statement.bind(node.name.bytes, at: 3)
        statement.bind(Int64(node.kind.rawValue), at: 4)
        if let side = tree.side {
            let version = node[side]
            statement.bind(version.flatMap { $0.identity.isEmpty ? nil : $0.identity.bytes }, at: 5)
            statement.bind(version.map { VersionCoding.encode($0, withIdentity: false) }, at: 6)
            statement.bind(node.isMissing ? 1 : 0, at: 7)
            statement.bind(node.isMountRoot ? 1 : 0, at: 8)
            statement.bind(node.access?.bytes, at: 9)
        } else {
            statement.bind(node.local.map { VersionCoding.encode($0, withIdentity: true) }, at: 5)
            statement.bind(node.remote.map { VersionCoding.encode($0, withIdentity: true) }, at: 6)
            statement.bind(node.hash?.bytes, at: 7)
            statement.bind(optional: node.withheld.map { Int64($0.bits) }, at: 8)
        }
    }

    /// Whether an entry matches a row whose columns are id, name, kind, identity, version, missing, mount, the state of the
    /// item and its access: as ``SyncCore/Node/isUnchanged(as:on:)`` defines it, and the item is not excluded.
    static func isUnchanged(_ row: StoreStatement, as entry: ListedEntry) -> Bool {
        guard row.number(2) == Int64(entry.kind.rawValue), row.number(5) == 0, row.number(6) == 0, !entry.isMountRoot,
            row.isNull(7) || row.number(7) != Int64(ItemSyncState.excluded.rawValue),
            row.buffer(1).elementsEqual(entry.name.bytes), !row.isNull(3), !entry.version.identity.isEmpty,
            row.buffer(3).elementsEqual(entry.version.identity.bytes)
        else { return false }
        if let access = entry.access, row.isNull(8) || !row.buffer(8).elementsEqual(access.bytes) { return false }
        if entry.kind != .directory { return VersionCoding.isUnchanged(row.buffer(4), as: entry.version) }
        let version = Version(identity: .none, tag: .none, size: 0, permissions: entry.version.permissions)
        return VersionCoding.isUnchanged(row.buffer(4), as: version)
    }

    private static func version(_ row: StoreStatement, _ column: Int32, identity: Token?) throws -> Version? {
        if row.isNull(column) { return nil }
        guard let version = VersionCoding.decode(row.buffer(column), identity: identity) else { throw UnreadableRow() }
        return version
    }
}
