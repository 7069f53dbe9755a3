/// File systems that are mounted inside the folder. If one is missing, that says nothing about its contents.
extension Items {
    /// Finds where file systems were mounted when the store was last written.
    mutating func loadMounts() throws {
        for side in Side.allCases {
            for id in try store.mountRoots(on: side) { mounts.set(id, true, in: side.tree) }
        }
    }

    /// The places at which file systems are mounted or should be.
    func mountPoints() throws -> [MountPoint] {
        try Side.allCases.flatMap { side in
            try mounts.roots(on: side).compactMap { id in
                try store.path(of: id, in: side.tree).map { MountPoint(side: side, path: $0) }
            }
        }
    }

    /// The row that an entry may belong to: preferably one at which a file system was mounted, even if it is missing
    /// now.
    func mountRow(for entry: ListedEntry, in directory: NodeID, on side: Side) throws -> Node? {
        let rows = try store.nodes(named: entry.name, of: directory, in: side.tree).filter { $0.kind == entry.kind }
        return rows.first(where: \.isMountRoot) ?? rows.first { !$0.isMissing }
    }

    /// Why an entry is not the file system that was synced at a row; nil if it is.
    func mountTrouble(with row: Node, as entry: ListedEntry, on side: Side) throws -> Mounts.Trouble? {
        if try store.status(row.id)?.state == .excluded { return nil }
        let (known, seen) = (row[side]?.identity ?? .none, entry.version.identity)
        switch (row.isMountRoot, entry.isMountRoot) {
        case (true, false): return .unmounted
        case (true, true): return known.isEmpty || seen.isEmpty || known == seen ? nil : .another
        case (false, true):
            if known.isEmpty || known == seen { return nil }
            // An empty directory is a plausible mount point.
            let isUsed =
                try row.kind == .file || !store.children(of: row.id, in: side.tree, after: nil, limit: 1).isEmpty
            return isUsed ? .covered : nil
        case (false, false): return nil
        }
    }

    /// Another file system than the synced one, or none, is at the place of an item: its rows and everything below stay
    /// as they are.
    mutating func leaveMount(_ row: Node, _ trouble: Mounts.Trouble, on side: Side) throws {
        try findAgain(row, on: side)
        mounts.leave(row.id, on: side)
        var status = try store.status(row.id) ?? NodeStatus(state: .error, isDirty: false)
        (status.state, status.isDirty) = (.error, false)
        status.message = trouble.explanation(at: try store.path(of: row.id, in: side.tree) ?? .root, on: side)
        try setStatus(status, for: row.id)
    }

    /// An item, and everything below it, no longer counts as missing: without its file system that is unknown.
    private mutating func findAgain(_ row: Node, on side: Side) throws {
        if !row.isMissing { return }
        for id in try subtreeUpwards(row.id, in: side.tree) {
            guard var node = try store.node(id, in: side.tree), node.isMissing else { continue }
            node.isMissing = false
            try write(node, in: side.tree)
        }
    }

    /// The item was seen as it should be. True if it was unreliable before, so that everything below must be scanned.
    mutating func mountReturned(_ id: NodeID, on side: Side) throws -> Bool {
        guard mounts.comeBack(id, on: side) else { return false }
        if !mounts.isAway(id) { try endError(of: id) }
        agenda.addAll()
        return true
    }

    /// Whether the item is, on either side, within a file system that is unreliable now.
    func isOnMountAway(_ id: NodeID) throws -> Bool {
        guard mounts.hasAway else { return false }
        for side in Side.allCases {
            var current = id
            while current != .root, let row = try store.node(current, in: side.tree) {
                if mounts.isAway(current) { return true }
                current = row.parent
            }
        }
        return mounts.isAway(id)
    }

    /// An item was moved, with its contents, on the other side to a place that is on another file system on this side, or
    /// that this side refuses to move it to. On the other side it becomes a different item, which is new there.
    ///
    /// - Parameter isRemovedLast: Whether each item stays on this side until the one at its new place has arrived.
    mutating func part(_ id: NodeID, on side: Side, isRemovedLast: Bool = false) throws {
        let (staying, tree) = (Set(try subtreeUpwards(id, in: side.tree)), side.other.tree)
        var parted: [(old: NodeID, new: NodeID)] = []
        var stack: [(id: NodeID, parent: NodeID?)] = [(id, nil)]
        while let (old, parent) = stack.popLast() {
            guard var row = try store.node(old, in: tree) else { continue }
            row.parent = parent ?? row.parent
            if staying.contains(old) {
                row.id = try store.makeNodeID()
                parted.append((old, row.id))
                stack += try childIDs(of: old, in: tree).map { ($0, row.id) }
            }
            try write(row, in: tree)
        }
        for (old, new) in parted.reversed() {
            try erase(old, from: tree)
            noteRenumbered(old, as: new, on: side.other)
            if isRemovedLast { copied.note(old, as: new) }
            if side == .local && isOnDemand { try bring(new, for: old) }
            try passConflict(of: old, to: new)
            try passWish(of: old, to: new, staysHere: side == .local)
            for item in [old, new] { try markDirty(item) }
        }
    }

    /// An item is removed here, and another one comes in its place: if its contents are here, they come again.
    private mutating func bring(_ new: NodeID, for old: NodeID) throws {
        guard let row = try store.node(old, in: .local), row.kind == .file else { return }
        if row.local?.residence == .here { brought.add(new) }
    }

    /// What an item is in conflict with is in conflict with another one from now on, in the same way.
    private mutating func passConflict(of old: NodeID, to new: NodeID) throws {
        guard let status = try store.status(old), let other = status.counterpart else { return }
        let choice = try status.choice ?? store.status(other)?.choice
        let (copy, original) = try isCopy(old, of: other) ? (new, other) : (other, new)
        for id in [old, other] { forgetChoice(id) }
        try pair(copy, original, detected: status.detected)
        if let choice { try setChoice(choice, for: copy) }
    }

    /// Whether a place at which a file system was mounted is missing. Unmounting may also remove the directory, so the
    /// user is asked, however little was in it.
    func isMountRootMissing(on side: Side) throws -> Bool {
        try mounts.roots(on: side).contains { try store.node($0, in: side.tree)?.isMissing == true }
    }
}
