/// File systems that are mounted inside the folder: one that is not there says nothing about what was in it.
extension SyncSession {
    /// Takes up where file systems were mounted when the store was last written.
    mutating func loadMounts() throws {
        for side in Side.allCases {
            for id in try store.mountRoots(on: side) { mounts.set(id, true, in: side.tree) }
        }
    }

    /// Looks again at the places at which file systems are mounted or should be.
    mutating func lookAtMounts() throws {
        guard looking.needsMounts else { return }
        looking.needsMounts = false
        for side in Side.allCases {
            for id in mounts.roots(on: side) {
                if let row = try store.node(id, in: side.tree) { lookAt(side, row.place) }
            }
        }
    }

    /// Every effect on an item within a mounted file system is carried out only while that is mounted.
    mutating func guardMounts() throws {
        if mounts.isEmpty { return }
        let points = try Side.allCases.flatMap { side in
            try mounts.roots(on: side).compactMap { id in
                try store.path(of: id, in: side.tree).map { MountPoint(side: side, path: $0) }
            }
        }
        outbox.replaceEffects { effect in
            let crossed = points.filter { effect.isWithin($0) }
            return crossed.isEmpty ? effect : .within(crossed, effect)
        }
    }

    /// Takes items out of a merge at whose place something else is than the file system that was synced there: their
    /// rows, and all below them, stay as they are.
    mutating func holdMounts(_ merge: inout DirectoryMerge) throws {
        let mounted = merge.open.values.filter(\.isMountRoot).map(\.name)
        if mounts.isEmpty && mounted.isEmpty { return }
        let known = try mounts.roots(on: merge.side).compactMap { try store.node($0, in: merge.side.tree) }
            .filter { $0.parent == merge.directory }.map(\.name)
        for name in Set(mounted + known).sorted() {
            guard let entry = merge.open[name], let row = try mountRow(at: name, entry, merge),
                let trouble = try trouble(with: row, as: entry, on: merge.side)
            else { continue }
            merge.open[name] = nil
            merge.held.insert(row.id)
            try leaveMount(row, trouble, on: merge.side)
        }
    }

    /// The row that an entry may stand for: one at which a file system was mounted, even if it is missing now.
    private func mountRow(at name: EntryName, _ entry: ListedEntry, _ merge: DirectoryMerge) throws -> Node? {
        let rows = try store.nodes(named: name, of: merge.directory, in: merge.side.tree)
            .filter { $0.kind == entry.kind }
        return rows.first(where: \.isMountRoot) ?? rows.first { !$0.isMissing }
    }

    private func trouble(with row: Node, as entry: ListedEntry, on side: Side) throws -> Mounts.Trouble? {
        if try store.status(row.id)?.state == .excluded { return nil }
        let (known, seen) = (row[side]?.identity ?? .none, entry.version.identity)
        switch (row.isMountRoot, entry.isMountRoot) {
        case (true, false): return .unmounted
        case (true, true): return known.isEmpty || seen.isEmpty || known == seen ? nil : .another
        case (false, true):
            if known.isEmpty || known == seen { return nil }
            // An empty directory is there to be mounted at.
            let isUsed =
                try row.kind == .file || !store.children(of: row.id, in: side.tree, after: nil, limit: 1).isEmpty
            return isUsed ? .covered : nil
        case (false, false): return nil
        }
    }

    private mutating func leaveMount(_ row: Node, _ trouble: Mounts.Trouble, on side: Side) throws {
        try findAgain(row, on: side)
        mounts.leave(row.id, on: side)
        var status = try store.status(row.id) ?? NodeStatus(state: .error, isDirty: false)
        (status.state, status.isDirty) = (.error, false)
        status.message = Self.sentence(trouble, try store.path(of: row.id, in: side.tree) ?? .root, side)
        try setStatus(status, for: row.id)
    }

    /// An item that was missing, and what was missing with it, is not: nobody knows.
    private mutating func findAgain(_ row: Node, on side: Side) throws {
        if !row.isMissing { return }
        for id in try subtreeUpwards(row.id, in: side.tree) {
            guard var node = try store.node(id, in: side.tree), node.isMissing else { continue }
            node.isMissing = false
            try write(node, in: side.tree)
        }
    }

    private static func sentence(_ trouble: Mounts.Trouble, _ path: RelativePath, _ side: Side) -> String {
        let place = side == .local ? "on this computer" : "on the remote"
        switch trouble {
        case .unmounted:
            return "“\(path)” is not mounted \(place), so nothing in it is synced. Mount it again. If it is gone for "
                + "good, remove its empty directory, or exclude it."
        case .another:
            return
                "Another file system is mounted at “\(path)” \(place), so nothing in it is synced. Mount the one that "
                + "was synced. To sync the new one instead, exclude “\(path)” and then sync it again."
        case .covered:
            return "A file system is mounted over “\(path)” \(place) and hides what was synced there, so nothing in it "
                + "is synced. Unmount it, or mount it at an empty directory."
        }
    }

    /// The item was seen as it should be. True if it could not be relied on before: all below is looked at then.
    mutating func mountReturned(_ id: NodeID, on side: Side) throws -> Bool {
        guard mounts.comeBack(id, on: side) else { return false }
        if !mounts.isAway(id) { try endError(of: id) }
        agenda.addAll()
        return true
    }

    /// Whether the item is, on either side, within a file system that cannot be relied on now.
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

    /// Whether a place at which a file system was mounted went away: whoever unmounts may remove the directory as well,
    /// so that the person is asked, however little was in it.
    func isMountRootMissing(on side: Side) throws -> Bool {
        try mounts.roots(on: side).contains { try store.node($0, in: side.tree)?.isMissing == true }
    }
}

extension Effect {
    /// Whether the effect looks at or changes something within the file system mounted at a place.
    fileprivate func isWithin(_ point: MountPoint) -> Bool {
        if case .listDirectory(point.side, let path, _) = self, path == point.path { return true }
        return places.contains { place in
            place.side == point.side && place.path.names.count > point.path.names.count
                && place.path.names.starts(with: point.path.names)
        }
    }

    /// The items that the effect looks at or changes.
    private var places: [MountPoint] {
        switch self {
        case .probeRoots, .markRoot, .syncContents, .syncRenames, .discard, .within: []
        case .listDirectory(let side, let path, _), .checkEntry(let side, let path), .hashFile(let side, let path, _),
            .publish(_, let side, let path, _, _), .makeDirectory(let side, let path, _),
            .setPermissions(let side, let path, _, _, _), .remove(let side, let path, _, _):
            [MountPoint(side: side, path: path)]
        case .stage(_, let from, let path, _):
            [MountPoint(side: from, path: path), MountPoint(side: from.other, path: path)]
        case .move(let side, let from, let to, _, _):
            [MountPoint(side: side, path: from), MountPoint(side: side, path: to)]
        case .replaceLocal(let from, let to):
            [MountPoint(side: .local, path: from.path), MountPoint(side: .local, path: to.path)]
        case .displace(let item, _, .item(let other), _):
            [MountPoint(side: .local, path: item.path), MountPoint(side: .local, path: other.path)]
        case .discardLocal(let item), .displace(let item, _, .staged, _), .displace(let item, _, .directory, _):
            [MountPoint(side: .local, path: item.path)]
        }
    }
}
