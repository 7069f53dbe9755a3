/// Walks through the trees.
extension Items {
    /// The row of the folder itself.
    static let rootRow = Node(
        id: .root, parent: .none, name: .root, kind: .directory, local: .unknown, remote: .unknown)

    /// Gives every tree the row of the folder itself.
    func makeRoots() throws {
        for tree in Tree.allCases where try store.node(.root, in: tree) == nil {
            try store.put(Self.rootRow, in: tree)
        }
    }

    /// Whether the item has a row in any tree.
    func isKnown(_ id: NodeID) throws -> Bool {
        try Tree.allCases.contains { try store.node(id, in: $0) != nil }
    }

    /// The directory that was last seen at a path of a side.
    func knownDirectory(at path: RelativePath, on side: Side) throws -> NodeID? {
        guard let id = try store.nodeID(at: path, in: side.tree),
            try store.node(id, in: side.tree)?.kind == .directory
        else { return nil }
        return id
    }

    /// Whether the item, or a local directory that contains it, is excluded.
    func isExcluded(_ id: NodeID) throws -> Bool {
        var current = id
        while current != .root {
            if try store.status(current)?.state == .excluded { return true }
            guard let row = try store.node(current, in: .local) else { return false }
            current = row.parent
        }
        return false
    }

    /// Whether an item is missing on any side.
    func isAnythingMissing() throws -> Bool {
        try Side.allCases.contains { try store.missingCount(on: $0) > 0 }
    }

    /// The directory in which an item is shown: the local one if it exists locally. Items that are gone on both sides
    /// count for the root; rows that exist only in the base may form a ring while directories change places.
    func home(of id: NodeID) throws -> NodeID {
        if id == .root { return .none }
        let row = try store.node(id, in: .local) ?? store.node(id, in: .remote)
        return row?.parent ?? .root
    }

    /// A directory and its ancestors, upwards, ending with the root.
    func ancestors(from directory: NodeID) throws -> [NodeID] {
        var chain: [NodeID] = []
        var current = directory
        while current != .none {
            chain.append(current)
            current = try home(of: current)
        }
        return chain
    }

    /// The greater of a file's sizes on the two sides; 0 for a directory.
    func size(of id: NodeID) throws -> Int64 {
        let (local, remote) = (try store.node(id, in: .local), try store.node(id, in: .remote))
        if local?.kind == .directory || remote?.kind == .directory { return 0 }
        return max(local?.local?.size ?? 0, remote?.remote?.size ?? 0)
    }

    /// The items directly in a directory, ordered by name.
    func childIDs(of id: NodeID, in tree: Tree) throws -> [NodeID] { try store.childIDs(of: id, in: tree) }

    /// An item and everything below it, contents first.
    func subtreeUpwards(_ id: NodeID, in tree: Tree) throws -> [NodeID] {
        var order: [NodeID] = []
        var stack = [id]
        while let node = stack.popLast() {
            order.append(node)
            stack += try childIDs(of: node, in: tree)
        }
        return order.reversed()
    }

    /// Removes the rows of an item and everything below it from a tree, contents first: in the base, the item may have
    /// no row while its contents do.
    mutating func eraseSubtree(_ id: NodeID, in tree: Tree) throws {
        var seen: Set<NodeID> = []
        var stack: [(id: NodeID, isOpen: Bool)] = [(id, false)]
        while let (node, isOpen) = stack.popLast() {
            if isOpen {
                if try store.node(node, in: tree) != nil { try erase(node, from: tree) }
            } else if seen.insert(node).inserted {
                stack.append((node, true))
                stack += try childIDs(of: node, in: tree).map { ($0, false) }
            }
        }
    }

    /// Merges both sides from now on: equal items are adopted, different ones conflict, none is deleted.
    mutating func forgetBase() throws {
        if uploads != nil { try forgetAllUploaded() }
        try store.removeAll(in: .synced)
        try forgetTags()
        try store.put(Self.rootRow, in: .synced)
        try forgetUnknown()
        for side in Side.allCases {
            var stack = [NodeID.root]
            while let id = stack.popLast() {
                for child in try childIDs(of: id, in: side.tree) {
                    try markDirty(child)
                    stack.append(child)
                }
            }
        }
        try commit()
    }

    /// Forgets items that were gone on both sides and known only in the base.
    private mutating func forgetUnknown() throws {
        for state in ItemSyncState.allCases {
            var page = try store.nodes(inState: state, after: .none, limit: 256)
            while let last = page.last {
                for id in page where try !isKnown(id) { try forget(id) }
                page = try store.nodes(inState: state, after: last, limit: 256)
            }
        }
    }
}
