/// File systems that are mounted inside the folder: one that is not there says nothing about what was in it.
extension SyncSession {
    /// Looks again at the places at which file systems are mounted or should be.
    mutating func lookAtMounts() throws {
        guard looking.needsMounts else { return }
        looking.needsMounts = false
        for side in Side.allCases {
            for id in items.mounts.roots(on: side) {
                if let row = try items.store.node(id, in: side.tree) { lookAt(side, row.place) }
            }
        }
    }

    /// Every effect on an item within a mounted file system is carried out only while that is mounted.
    mutating func guardMounts() throws {
        if items.mounts.isEmpty { return }
        let points = try items.mountPoints()
        outbox.replaceEffects { effect in
            let crossed = points.filter { effect.isWithin($0) }
            return crossed.isEmpty ? effect : .within(crossed, effect)
        }
    }

    /// Takes items out of a merge at whose place something else is than the file system that was synced there: their
    /// rows, and all below them, stay as they are.
    mutating func holdMounts(_ merge: inout DirectoryMerge) throws {
        let mounted = merge.open.values.filter(\.isMountRoot).map(\.name)
        if items.mounts.isEmpty && mounted.isEmpty { return }
        let known = try items.mounts.roots(on: merge.side).compactMap { try items.store.node($0, in: merge.side.tree) }
            .filter { $0.parent == merge.directory }.map(\.name)
        for name in Set(mounted + known).sorted() {
            guard let entry = merge.open[name], let row = try mountRow(at: name, entry, merge),
                let trouble = try trouble(with: row, as: entry, on: merge.side)
            else { continue }
            merge.open[name] = nil
            merge.held.insert(row.id)
            try items.leaveMount(row, trouble, on: merge.side)
        }
    }

    /// The row that an entry may stand for: one at which a file system was mounted, even if it is missing items.now.
    private func mountRow(at name: EntryName, _ entry: ListedEntry, _ merge: DirectoryMerge) throws -> Node? {
        let rows = try items.store.nodes(named: name, of: merge.directory, in: merge.side.tree)
            .filter { $0.kind == entry.kind }
        return rows.first(where: \.isMountRoot) ?? rows.first { !$0.isMissing }
    }

    private func trouble(with row: Node, as entry: ListedEntry, on side: Side) throws -> Mounts.Trouble? {
        if try items.store.status(row.id)?.state == .excluded { return nil }
        let (known, seen) = (row[side]?.identity ?? .none, entry.version.identity)
        switch (row.isMountRoot, entry.isMountRoot) {
        case (true, false): return .unmounted
        case (true, true): return known.isEmpty || seen.isEmpty || known == seen ? nil : .another
        case (false, true):
            if known.isEmpty || known == seen { return nil }
            // An empty directory is there to be mounted at.
            let isUsed =
                try row.kind == .file || !items.store.children(of: row.id, in: side.tree, after: nil, limit: 1).isEmpty
            return isUsed ? .covered : nil
        case (false, false): return nil
        }
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
