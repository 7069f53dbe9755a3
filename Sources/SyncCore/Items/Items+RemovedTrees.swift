/// What keeps a directory from being removed from the remote with everything in it.
enum TreeObstacle {
    /// Something is being done for this item; that ends soon.
    case underWay(NodeID)
    /// This item would not be removed by itself, or not now, or holds too many items.
    case lasting(NodeID)
}

/// Directories that are removed from the remote with everything in them.
extension Items {
    /// The first obstacle found to removing a directory with everything in it; nil if there is none.
    ///
    /// - Parameter isUnderWay: Whether something is being done for an item.
    func obstacle(toRemovingTree top: NodeID, isUnderWay: (NodeID) -> Bool) throws -> TreeObstacle? {
        // Nothing is known for certain while any file system is missing.
        if mounts.hasAway { return .lasting(top) }
        let planner = planner
        var count = 0
        var stack = [top]
        while let id = stack.popLast() {
            count += 1
            if id != top {
                if isUnderWay(id) { return .underWay(id) }
                if blocks.isBlocked(id, at: now) { return .lasting(id) }
            }
            guard try planner.isSimplyRemoved(id) else { return .lasting(id) }
            guard try store.node(id, in: .remote)?.kind == .directory else { continue }
            var last: Node?
            repeat {
                let page = try store.children(of: id, in: .remote, after: last, limit: 256)
                stack += page.map(\.id)
                last = page.count < 256 ? nil : page.last
                // The directories in it are removed one by one.
                if count + stack.count > treeLimit { return .lasting(top) }
            } while last != nil
        }
        return nil
    }

    /// An item keeps all directories around it, up to this one, from being removed with everything in them. Other
    /// directories in that one may still be.
    mutating func removeOneByOne(_ item: NodeID, upTo top: NodeID) throws {
        noteOneByOne(top)
        var current = item
        while current != top, current != .root, let row = try store.node(current, in: .remote) {
            if row.kind == .directory { noteOneByOne(current) }
            current = row.parent
        }
        // What waited for the directory does so no longer.
        agenda.addAll()
    }

    /// The remote did not remove a directory with everything in it: everything in it is removed one by one.
    mutating func removeOneByOne(treeOf top: NodeID) throws {
        for id in try subtreeUpwards(top, in: .remote) where try store.node(id, in: .remote)?.kind == .directory {
            noteOneByOne(id)
        }
        agenda.addAll()
    }
}
