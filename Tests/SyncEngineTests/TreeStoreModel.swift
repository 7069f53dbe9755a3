import SyncCore

@testable import SyncEngine

/// The store as plainly as it can be said, to compare the real one with.
final class TreeStoreModel {
    private var trees: [Tree: [NodeID: Node]] = [.local: [:], .remote: [:], .synced: [:]]
    private var statuses: [NodeID: NodeStatus] = [:]
    private var allCounts: [NodeID: StateCounts] = [:]
    private var values: [StoreKey: [UInt8]] = [:]
    private var earlier: [NodeID: [EarlierVersion]] = [:]
    private(set) var wishes: [NodeID: Wish] = [:]

    func copy() -> TreeStoreModel {
        let copy = TreeStoreModel()
        (copy.trees, copy.statuses, copy.allCounts, copy.values) = (trees, statuses, allCounts, values)
        (copy.earlier, copy.wishes) = (earlier, wishes)
        return copy
    }

    func node(_ id: NodeID, in tree: Tree) -> Node? { trees[tree]?[id] }

    func nodes(named name: EntryName, of parent: NodeID, in tree: Tree) -> [Node] {
        rows(tree).filter { $0.parent == parent && $0.name == name }
    }

    func children(of parent: NodeID, in tree: Tree, after: Node?, limit: Int) -> [Node] {
        let sorted = rows(tree).filter { $0.parent == parent }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
        let rest = sorted.filter { node in after.map { (node.name, node.id) > ($0.name, $0.id) } ?? true }
        return Array(rest.prefix(limit))
    }

    func nodes(withIdentity identity: Token, on side: Side) -> [Node] {
        identity.isEmpty ? [] : rows(side.tree).filter { $0[side]?.identity == identity }
    }

    func directories(
        of parent: NodeID, on side: Side, after: EntryName?, through: EntryName?, ifUnchanged entries: [ListedEntry]
    ) -> [NodeID]? {
        let rows = children(of: parent, in: side.tree, after: nil, limit: .max).filter { row in
            after.map { $0 < row.name } ?? true && through.map { row.name <= $0 } ?? true
        }
        let areUnchanged = zip(rows, entries).allSatisfy { row, entry in
            row.isUnchanged(as: entry, on: side) && status(row.id)?.state != .excluded
        }
        guard rows.count == entries.count, areUnchanged else { return nil }
        return rows.filter { $0.kind == .directory }.map(\.id)
    }

    func put(_ node: Node, in tree: Tree) { trees[tree]?[node.id] = node }
    func remove(_ id: NodeID, from tree: Tree) { trees[tree]?[id] = nil }
    func removeAll(in tree: Tree) { trees[tree] = [:] }
    func count(in tree: Tree) -> Int { rows(tree).count }

    func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) {
        guard var node = trees[tree]?.removeValue(forKey: old) else { return }
        node.id = new
        trees[tree]?[new] = node
        for var child in rows(tree) where child.parent == old {
            child.parent = new
            trees[tree]?[child.id] = child
        }
    }

    func missing(on side: Side, after: NodeID, limit: Int) -> [NodeID] {
        Array(rows(side.tree).filter { $0.isMissing && $0.id > after }.map(\.id).prefix(limit))
    }

    func status(_ id: NodeID) -> NodeStatus? { statuses[id] }
    func setStatus(_ status: NodeStatus?, for id: NodeID) { statuses[id] = status }

    func dirty(after: NodeID, limit: Int) -> [NodeID] {
        Array(statuses.filter { $0.value.isDirty && $0.key > after }.keys.sorted().prefix(limit))
    }

    func nodes(inState state: ItemSyncState, after: NodeID, limit: Int) -> [NodeID] {
        Array(statuses.filter { $0.value.state == state && $0.key > after }.keys.sorted().prefix(limit))
    }

    func counts(_ directory: NodeID) -> StateCounts { allCounts[directory] ?? StateCounts() }
    func setCounts(_ counts: StateCounts, for directory: NodeID) { allCounts[directory] = counts }
    func earlierVersions(_ id: NodeID) -> [EarlierVersion] { earlier[id] ?? [] }
    func setEarlierVersions(_ versions: [EarlierVersion], of id: NodeID) { earlier[id] = versions }
    func setWish(_ wish: Wish, for id: NodeID) { wishes[id] = wish == .none ? nil : wish }
    func value(_ key: StoreKey) -> [UInt8]? { values[key] }
    func setValue(_ value: [UInt8]?, for key: StoreKey) { values[key] = value }

    func shownItems(of directory: NodeID, after name: EntryName?, limit: Int) -> [ShownItem] {
        let all = children(of: directory, in: .local, after: nil, limit: .max).filter { !$0.isMissing }
        let rest = all.filter { node in name.map { $0 < node.name } ?? true }
        return rest.prefix(limit).map { node in
            ShownItem(
                id: node.id, name: node.name, isPlain: status(node.id) == nil && counts(node.id).isZero,
                marks: self.node(node.id, in: .remote)?.access?.marks(node.kind) ?? [])
        }
    }

    func shownItem(named name: EntryName, of directory: NodeID) -> ShownItem? {
        shownItems(of: directory, after: nil, limit: .max).first { $0.name == name }
    }

    private func rows(_ tree: Tree) -> [Node] {
        (trees[tree] ?? [:]).values.sorted { $0.id < $1.id }
    }
}
