/// Directories that were deleted on this computer and are removed from the remote with everything in them.
///
/// That is a few requests instead of some for each item. The tag of the directory shows the remote that everything in it is
/// as it is known here.
extension Planner {
    /// The topmost directory, a given one or one that contains it, that may be removed from the remote with everything in
    /// it; nil if there is none. What is in it waits for that, so this looks at no more than the directories above: whether
    /// it really may be removed is found out once, when its own turn comes.
    func removedTree(with directory: NodeID) throws -> (top: NodeID, tag: Token)? {
        guard hasTags else { return nil }
        var found: (top: NodeID, tag: Token)?
        var current = directory
        while current != .root, !oneByOne.contains(current), try store.node(current, in: .local) == nil,
            try store.node(current, in: .synced) != nil, let row = try store.node(current, in: .remote),
            row.kind == .directory
        {
            if let tag = try store.listedTag(current) { found = (current, tag) }
            current = row.parent
        }
        return found
    }

    /// Removes a file that was deleted on the other side, unless it goes with a directory.
    func removeFile(_ rows: Rows, _ version: Version, from side: Side) throws -> Decision {
        if side == .remote && mayNotBeDeleted(rows) { return try survive(rows) }
        if side == .remote, let parent = rows.remote?.parent, let tree = try removedTree(with: parent) {
            return .wait(tree.top)
        }
        return .remove(side, expected: version)
    }

    /// Whether the remote's item would be removed if it were decided on by itself, and nothing at all is unusual about it.
    func isSimplyRemoved(_ id: NodeID) throws -> Bool {
        let rows = try rows(id)
        guard rows.local == nil, let row = rows.remote, let base = rows.synced, let version = row.remote,
            let synced = base.remote, row.kind == base.kind, row.isSamePlace(as: base), !row.isMissing,
            !row.isMountRoot,
            !base.isMountRoot, !mayNotBeDeleted(rows), !held.contains(id), copied[id] == nil, !oneByOne.contains(id),
            let status = try store.status(id), status.state == .pending, status.isDirty
        else { return false }
        switch row.kind {
        case .file: return try verdict(on: rows) == .delete(on: .remote) && !version.isRacy
        // The tag of a directory is known only if everything in it is.
        case .directory: return try !synced.isOfReturnedDirectory && store.listedTag(id) != nil
        case .symlink, .special: return false
        }
    }
}
