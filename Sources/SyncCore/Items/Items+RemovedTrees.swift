/// Directories that are removed from the remote with everything in them.
extension Items {
    /// The first item found that keeps a directory from being removed with everything in it: one that would not be removed
    /// by itself, or not now. Nil if there is none.
    ///
    /// - Parameter isUnderWay: Whether something is being done for an item.
    func obstacle(toRemovingTree top: NodeID, isUnderWay: (NodeID) -> Bool) throws -> NodeID? {
        // Nothing is known for certain while any file system is missing.
        if mounts.hasAway { return top }
        let planner = planner
        var stack = [top]
        while let id = stack.popLast() {
            let isFree = id == top || !(isUnderWay(id) || blocks.isBlocked(id, at: now))
            guard isFree, try planner.isSimplyRemoved(id) else { return id }
            if try store.node(id, in: .remote)?.kind == .directory { stack += try childIDs(of: id, in: .remote) }
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
