package import SyncCore

/// The three trees in dictionaries.
package final class MemoryTreeStore: TreeStore {
    struct Key: Hashable {
        var tree: Tree
        var id: NodeID
    }

    struct IdentityKey: Hashable {
        var side: Side
        var identity: Token
    }

    struct Child {
        var name: EntryName
        var id: NodeID

        func precedes(_ other: Child) -> Bool {
            name == other.name ? id < other.id : name < other.name
        }
    }

    /// Ids in order.
    struct SortedIDs {
        private var ids: [NodeID] = []
        var count: Int { ids.count }

        private func firstIndex(notBefore id: NodeID) -> Int {
            var (low, high) = (0, ids.count)
            while low < high {
                let middle = (low + high) / 2
                if ids[middle] < id { low = middle + 1 } else { high = middle }
            }
            return low
        }

        mutating func insert(_ id: NodeID) {
            let index = firstIndex(notBefore: id)
            if index == ids.count || ids[index] != id { ids.insert(id, at: index) }
        }

        mutating func remove(_ id: NodeID) {
            let index = firstIndex(notBefore: id)
            if index < ids.count && ids[index] == id { ids.remove(at: index) }
        }

        func following(_ id: NodeID, _ limit: Int) -> [NodeID] {
            Array(ids[firstIndex(notBefore: NodeID(id.rawValue + 1))...].prefix(limit))
        }
    }

    struct State {
        var nodes: [Key: Node] = [:]
        var children: [Key: [Child]] = [:]
        var identities: [IdentityKey: [NodeID]] = [:]
        var missing = [SortedIDs(), SortedIDs()]
        var statuses: [NodeID: NodeStatus] = [:]
        var dirty = SortedIDs()
        var counts: [NodeID: StateCounts] = [:]
        var values: [StoreKey: [UInt8]] = [:]
        var earlier: [NodeID: [EarlierVersion]] = [:]
        var tags: [NodeID: Token] = [:]
        var wishes: [NodeID: Wish] = [:]
        var rows = [0, 0, 0]
        var lastID: Int64 = 1
    }

    private var state: State
    private(set) var committed: State

    init(_ state: State = State()) {
        self.state = state
        committed = state
    }

    /// See `TreeStore`.
    package func makeNodeID() -> NodeID {
        state.lastID += 1
        return NodeID(state.lastID)
    }

    /// See `TreeStore`.
    package func node(_ id: NodeID, in tree: Tree) -> Node? { state.nodes[Key(tree: tree, id: id)] }

    /// See `TreeStore`.
    package func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) -> [Node] {
        let list = state.children[Key(tree: tree, id: parent)] ?? []
        let start = Self.firstIndex(in: list, notBefore: Child(name: name, id: NodeID(Int64.min)))
        return list[start...].prefix { $0.name == name }.compactMap { node($0.id, in: tree) }
    }

    /// See `TreeStore`.
    package func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) -> [Node] {
        let list = state.children[Key(tree: tree, id: parent)] ?? []
        var start = 0
        if let after {
            let mark = Child(name: after.name, id: after.id)
            start = Self.firstIndex(in: list, notBefore: mark)
            if start < list.count && list[start].id == mark.id && list[start].name == mark.name { start += 1 }
        }
        return list[start...].prefix(limit).compactMap { node($0.id, in: tree) }
    }

    /// See `TreeStore`.
    package func nodes(withIdentity identity: Token, on side: Side) -> [Node] {
        if identity.isEmpty { return [] }
        let ids = state.identities[IdentityKey(side: side, identity: identity)] ?? []
        return ids.sorted().compactMap { node($0, in: side.tree) }
    }

    /// See `TreeStore`.
    package func put(_ node: Node, in tree: Tree) {
        unlink(node.id, in: tree)
        state.nodes[Key(tree: tree, id: node.id)] = node
        state.rows[Int(tree.rawValue)] += 1
        let child = Child(name: node.name, id: node.id)
        let parent = Key(tree: tree, id: node.parent)
        let index = Self.firstIndex(in: state.children[parent] ?? [], notBefore: child)
        state.children[parent, default: []].insert(child, at: index)
        guard let side = Side.allCases.first(where: { $0.tree == tree }) else { return }
        if node.isMissing { state.missing[Int(side.rawValue)].insert(node.id) }
        if let identity = node[side]?.identity, !identity.isEmpty {
            state.identities[IdentityKey(side: side, identity: identity), default: []].append(node.id)
        }
    }

    /// See `TreeStore`.
    package func remove(_ id: NodeID, from tree: Tree) { unlink(id, in: tree) }

    private func unlink(_ id: NodeID, in tree: Tree) {
        guard let old = state.nodes.removeValue(forKey: Key(tree: tree, id: id)) else { return }
        state.rows[Int(tree.rawValue)] -= 1
        let parent = Key(tree: tree, id: old.parent)
        let index = Self.firstIndex(in: state.children[parent] ?? [], notBefore: Child(name: old.name, id: id))
        state.children[parent]?.remove(at: index)
        if state.children[parent]?.isEmpty == true { state.children[parent] = nil }
        guard let side = Side.allCases.first(where: { $0.tree == tree }) else { return }
        state.missing[Int(side.rawValue)].remove(id)
        if let identity = old[side]?.identity, !identity.isEmpty {
            let key = IdentityKey(side: side, identity: identity)
            state.identities[key]?.removeAll { $0 == id }
            if state.identities[key]?.isEmpty == true { state.identities[key] = nil }
        }
    }

    private static func firstIndex(in list: [Child], notBefore child: Child) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if list[middle].precedes(child) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// See `TreeStore`.
    package func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) {
        guard var node = node(old, in: tree) else { return }
        let below = children(of: old, in: tree, after: nil, limit: .max)
        remove(old, from: tree)
        node.id = new
        put(node, in: tree)
        for var child in below {
            child.parent = new
            put(child, in: tree)
        }
    }

    /// See `TreeStore`.
    package func count(in tree: Tree) -> Int { state.rows[Int(tree.rawValue)] }

    /// See `TreeStore`.
    package func removeAll(in tree: Tree) {
        for key in state.nodes.keys where key.tree == tree { unlink(key.id, in: tree) }
    }

    /// See `TreeStore`.
    package func missingCount(on side: Side) -> Int { state.missing[Int(side.rawValue)].count }

    /// See `TreeStore`.
    package func missing(on side: Side, after: NodeID, limit: Int) -> [NodeID] {
        state.missing[Int(side.rawValue)].following(after, limit)
    }

    /// See `TreeStore`.
    package func forgetIdentities(on side: Side) {
        for (key, node) in state.nodes where key.tree == side.tree {
            var node = node
            node[side]?.identity = .none
            put(node, in: side.tree)
        }
    }

    /// See `TreeStore`.
    package func mountRoots(on side: Side) -> [NodeID] {
        state.nodes.filter { $0.key.tree == side.tree && $0.value.isMountRoot }.map(\.key.id).sorted()
    }

    /// See `TreeStore`.
    package func status(_ id: NodeID) -> NodeStatus? { state.statuses[id] }

    /// See `TreeStore`.
    package func setStatus(_ status: NodeStatus?, for id: NodeID) {
        state.statuses[id] = status
        if status?.isDirty == true { state.dirty.insert(id) } else { state.dirty.remove(id) }
    }

    /// See `TreeStore`.
    package func dirty(after: NodeID, limit: Int) -> [NodeID] {
        state.dirty.following(after, limit)
    }

    /// See `TreeStore`.
    package func nodes(inState wanted: ItemSyncState, after: NodeID, limit: Int) -> [NodeID] {
        Array(state.statuses.filter { $0.value.state == wanted && $0.key > after }.keys.sorted().prefix(limit))
    }

    /// See `TreeStore`.
    package func counts(_ directory: NodeID) -> StateCounts { state.counts[directory] ?? StateCounts() }

    /// See `TreeStore`.
    package func setCounts(_ counts: StateCounts, for directory: NodeID) {
        state.counts[directory] = counts.isZero ? nil : counts
    }

    /// See `TreeStore`.
    package func earlierVersions(_ id: NodeID) -> [EarlierVersion] { state.earlier[id] ?? [] }
    /// See `TreeStore`.
    package func setEarlierVersions(_ versions: [EarlierVersion], of id: NodeID) {
        state.earlier[id] = versions.isEmpty ? nil : versions
    }

    /// See `TreeStore`.
    package func wishes() -> [NodeID: Wish] { state.wishes }
    /// See `TreeStore`.
    package func setWish(_ wish: Wish, for id: NodeID) { state.wishes[id] = wish == .none ? nil : wish }

    /// See `TreeStore`.
    package func listedTag(_ directory: NodeID) -> Token? { state.tags[directory] }
    /// See `TreeStore`.
    package func setListedTag(_ tag: Token?, of directory: NodeID) { state.tags[directory] = tag }
    /// See `TreeStore`.
    package func hasListedTags() -> Bool { !state.tags.isEmpty }
    /// See `TreeStore`.
    package func removeListedTags() { state.tags = [:] }

    /// See `TreeStore`.
    package func value(_ key: StoreKey) -> [UInt8]? { state.values[key] }
    /// See `TreeStore`.
    package func setValue(_ value: [UInt8]?, for key: StoreKey) { state.values[key] = value }
    /// See `TreeStore`.
    package func commit() { committed = state }
}
