extension TreeStore {
    /// The item at a local path, including excluded ones; nil if none was seen there.
    package func localNode(at path: RelativePath) throws -> NodeID? {
        try nodeID(at: path, in: .local)
    }

    /// The item at a path of a tree; a missing row counts as absent.
    package func nodeID(at path: RelativePath, in tree: Tree) throws -> NodeID? {
        var current = NodeID.root
        for name in path.names {
            guard let next = try present(named: name, of: current, in: tree) else { return nil }
            current = next.id
        }
        return current
    }

    /// The items directly in a directory, ordered by name.
    func childIDs(of id: NodeID, in tree: Tree) throws -> [NodeID] {
        var found: [NodeID] = []
        var last: Node?
        while true {
            let page = try children(of: id, in: tree, after: last, limit: 256)
            found += page.map(\.id)
            if page.count < 256 { return found }
            last = page.last
        }
    }

    /// The row at a place that is not missing.
    func present(named name: EntryName, of parent: NodeID, in tree: Tree) throws -> Node? {
        try nodes(named: name, of: parent, in: tree).first { !$0.isMissing }
    }

    /// The path of an item in a tree; nil if it has no row there.
    package func path(of id: NodeID, in tree: Tree) throws -> RelativePath? {
        var names: [EntryName] = []
        var current = id
        while current != .root {
            guard let node = try node(current, in: tree) else { return nil }
            names.append(node.name)
            current = node.parent
        }
        return RelativePath(names.reversed())
    }
}
