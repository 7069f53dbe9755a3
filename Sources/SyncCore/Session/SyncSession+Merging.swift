/// Merging what was seen into the tree of a side.
extension SyncSession {
    /// What a set of entries says about its directory.
    enum Scope: Hashable {
        /// All there is.
        case whole
        /// Some of what there is.
        case partial
        /// All there is under one name.
        case name(EntryName)
    }

    /// Brings the rows of a directory in line with what was seen in it.
    ///
    /// A row stays with the entry of its identity, wherever that is found, then with the entry of its name; what is
    /// found nowhere becomes missing, and is decided on when everything was looked at.
    mutating func merge(
        _ entries: [ListedEntry], of directory: NodeID, on side: Side, scope: Scope, isDeep: Bool
    ) throws {
        // It may have been excluded since it was begun to be listed.
        guard let row = try items.store.node(directory, in: side.tree), !row.isMissing, row.kind == .directory,
            try items.store.status(directory)?.state != .excluded,
            let path = try items.store.path(of: directory, in: side.tree)
        else { return }
        looking.isUnsettled = true
        looking.wasProbed = false
        var merge = DirectoryMerge(side: side, directory: directory, scope: scope, isDeep: isDeep)
        for var entry in entries {
            if entry.kind == .directory {
                entry.version = Self.directoryVersion(entry.version)
            }
            merge.seen[entry.name] = entry.version.identity
            if isExcluded(entry, at: path) {
                merge.excluded[entry.name] = entry
            } else {
                merge.open[entry.name] = entry
            }
        }
        try holdMounts(&merge)
        try matchInPlace(&merge)
        try excludeEntries(&merge)
        try matchByIdentity(&merge)
        for entry in merge.open.values.sorted(by: { $0.name < $1.name }) { try matchByName(entry, &merge) }
        if scope != .partial {
            for row in merge.leftover.values.sorted(by: { $0.id < $1.id }) { try loseSight(of: row, on: side) }
        }
    }

    /// As much of a directory's version as is kept: which one it is, and who may do what in it.
    static func directoryVersion(_ version: Version) -> Version {
        Version(identity: version.identity, tag: .none, size: 0, permissions: version.permissions)
    }

    private func isExcluded(_ entry: ListedEntry, at directory: RelativePath) -> Bool {
        if entry.kind == .symlink || entry.kind == .special { return true }
        return configuration.excludes.excludes(directory.appending(entry.name), kind: entry.kind)
    }

    /// Rows whose entry stands where it stood; the others are left over.
    private mutating func matchInPlace(_ merge: inout DirectoryMerge) throws {
        var last: Node?
        while true {
            let rows: [Node]
            if case .name(let name) = merge.scope {
                rows = try items.store.nodes(named: name, of: merge.directory, in: merge.side.tree)
            } else {
                rows = try items.store.children(of: merge.directory, in: merge.side.tree, after: last, limit: 256)
            }
            for row in rows {
                if let entry = merge.open[row.name], isSameObject(row, entry, merge.side) {
                    merge.open[row.name] = nil
                    try see(row, as: entry, at: row.place, merge)
                } else if !merge.held.contains(row.id) {
                    merge.leftover[row.id] = row
                }
            }
            if rows.count < 256 { return }
            if case .name = merge.scope { return }
            last = rows.last
        }
    }

    private func isSameObject(_ row: Node, _ entry: ListedEntry, _ side: Side) -> Bool {
        guard row.kind == entry.kind, let known = row[side]?.identity else { return false }
        return known == entry.version.identity && !known.isEmpty
    }

    /// Entries with the identity of a row that stood elsewhere.
    private mutating func matchByIdentity(_ merge: inout DirectoryMerge) throws {
        for entry in merge.open.values.sorted(by: { $0.name < $1.name }) {
            guard let candidate = try movedCandidate(for: entry, merge) else { continue }
            if candidate.isMissing || merge.leftover[candidate.id] != nil {
                merge.open[entry.name] = nil
                merge.leftover[candidate.id] = nil
                try moveRow(candidate, to: entry, merge)
            } else if !isInScope(candidate, merge) {
                merge.open[entry.name] = nil
                let claim = Claim(side: merge.side, directory: merge.directory, entry: entry, candidate: candidate.id)
                looking.claims.append(claim)
            }
        }
    }

    /// Whether what was seen tells where the row is.
    private func isInScope(_ row: Node, _ merge: DirectoryMerge) -> Bool {
        guard row.parent == merge.directory else { return false }
        switch merge.scope {
        case .whole: return true
        case .partial: return merge.seen[row.name] != nil
        case .name(let name): return row.name == name
        }
    }

    private func movedCandidate(for entry: ListedEntry, _ merge: DirectoryMerge) throws -> Node? {
        let identity = entry.version.identity
        if identity.isEmpty { return nil }
        for row in try items.store.nodes(withIdentity: identity, on: merge.side) where row.kind == entry.kind {
            if row.id == .root || (row.parent == merge.directory && merge.seen[row.name] == identity) { continue }
            if try items.store.status(row.id)?.state != .excluded { return row }
        }
        return nil
    }

    /// The row of an entry that is known by its name alone, or a new one.
    private mutating func matchByName(_ entry: ListedEntry, _ merge: inout DirectoryMerge) throws {
        let rows = try items.store.nodes(named: entry.name, of: merge.directory, in: merge.side.tree)
        for row in rows where merge.leftover[row.id] != nil && row.kind == entry.kind {
            let isRecreated =
                row.kind == .directory && !(row[merge.side]?.identity.isEmpty ?? true)
                && !entry.version.identity.isEmpty
            if isRecreated { continue }
            merge.leftover[row.id] = nil
            return try see(row, as: entry, at: row.place, merge)
        }
        let id = try pairedNode(for: entry, merge) ?? items.store.makeNodeID()
        let place = Place(parent: merge.directory, name: entry.name)
        var node = Node(
            id: id, parent: place.parent, name: place.name, kind: entry.kind, isMountRoot: entry.isMountRoot)
        node[merge.side] = entry.version
        try items.write(node, in: merge.side.tree)
        try items.markDirty(id)
        if entry.kind == .directory { looking.list(merge.side, id, isDeep: true) }
    }

    /// The item that stands at the same place on the other side, if it is known there alone.
    private func pairedNode(for entry: ListedEntry, _ merge: DirectoryMerge) throws -> NodeID? {
        let rows = try items.store.nodes(named: entry.name, of: merge.directory, in: merge.side.other.tree)
        for row in rows where row.kind == entry.kind && !row.isMissing {
            if try items.store.node(row.id, in: merge.side.tree) != nil { continue }
            if try items.store.status(row.id)?.state != .excluded { return row.id }
        }
        return nil
    }

    /// A row is seen as this entry, at its place.
    private mutating func see(_ row: Node, as entry: ListedEntry, at place: Place, _ merge: DirectoryMerge) throws {
        let side = merge.side
        let old = row[side] ?? .unknown
        var new = row
        new.isMissing = false
        new.isMountRoot = entry.isMountRoot
        new.parent = place.parent
        new.name = place.name
        new[side] = entry.version
        let isSameContents = old.isCertainly(entry.version) && old.size == entry.version.size
        if isSameContents && entry.version.hash == nil { new[side]?.hash = old.hash }
        if entry.version.permissions == nil { new[side]?.permissions = old.permissions }
        let isChangedMode = new[side]?.permissions != old.permissions
        let wasExcluded = try items.store.status(row.id)?.state == .excluded
        if wasExcluded { try items.setStatus(nil, for: row.id) }
        if new != row { try items.write(new, in: side.tree) }
        let isBack = try items.mountReturned(row.id, on: side)
        if new != row && side == .remote && row.kind == .file, try items.noteRestored(row, new) { noteUnrest() }
        let isNews = row.isMissing || !isSameContents || !row.isSamePlace(as: new) || wasExcluded
        if isChangedMode || (isNews && (row.kind == .file || row.isMissing || !row.isSamePlace(as: new) || wasExcluded))
        {
            // A database of an older version holds no permissions yet.
            let looksTheSame =
                old.isSame(as: entry.version) && old.size == entry.version.size
                && (!isChangedMode || old.permissions == nil)
            let isOnlyUncertain = looksTheSame && !row.isMissing && row.isSamePlace(as: new) && !wasExcluded
            try items.markDirty(row.id, onlyToVerify: isOnlyUncertain)
        }
        let isElsewhere = row.isMissing || !row.isSamePlace(as: new) || wasExcluded
        if row.kind == .directory && (merge.isDeep || isElsewhere || isBack) {
            looking.list(side, row.id, isDeep: true)
        }
    }

    /// An item was found at another place than before.
    private mutating func moveRow(_ row: Node, to entry: ListedEntry, _ merge: DirectoryMerge) throws {
        // A directory inside itself is a bind mount, or was moved while it was looked at.
        var current = merge.directory
        while current != .root, row.kind == .directory {
            if current == row.id { return }
            guard let node = try items.store.node(current, in: merge.side.tree) else { return }
            current = node.parent
        }
        try see(row, as: entry, at: Place(parent: merge.directory, name: entry.name), merge)
    }

    /// It was looked whether a candidate of a move is still where it was: if so, the entry is another one (a hard
    /// link), else the item moved.
    mutating func settle(_ claim: Claim, isStillThere: Bool) throws {
        guard let directory = try items.store.node(claim.directory, in: claim.side.tree), !directory.isMissing,
            directory.kind == .directory, try items.store.status(directory.id)?.state != .excluded
        else { return }
        let name = claim.entry.name
        var merge = DirectoryMerge(side: claim.side, directory: claim.directory, scope: .name(name), isDeep: false)
        let rows = try items.store.nodes(named: name, of: claim.directory, in: claim.side.tree)
        for row in rows { merge.leftover[row.id] = row }
        looking.isUnsettled = true
        looking.wasProbed = false
        let candidate = try items.store.node(claim.candidate, in: claim.side.tree)
        if !isStillThere, let candidate, isSameObject(candidate, claim.entry, claim.side) {
            merge.leftover[candidate.id] = nil
            try moveRow(candidate, to: claim.entry, merge)
        } else {
            try matchByName(claim.entry, &merge)
        }
        for row in merge.leftover.values.sorted(by: { $0.id < $1.id }) { try loseSight(of: row, on: claim.side) }
    }

    /// Its directory was listed without it: it and what is below is missing from now on.
    private mutating func loseSight(of row: Node, on side: Side) throws {
        var stack = [row]
        while var node = stack.popLast() {
            if try !node.isMissing && items.store.status(node.id)?.state != .excluded {
                node.isMissing = true
                try items.write(node, in: side.tree)
                if try items.store.node(node.id, in: .synced) != nil { noteUnrest() }
            }
            var last: Node?
            while node.kind == .directory {
                let page = try items.store.children(of: node.id, in: side.tree, after: last, limit: 256)
                stack += page.filter { !$0.isMissing }
                if page.count < 256 { break }
                last = page.last
            }
        }
    }
}

/// The state of one merge.
struct DirectoryMerge {
    let side: Side
    let directory: NodeID
    let scope: SyncSession.Scope
    let isDeep: Bool
    /// Identities of everything seen, by name.
    var seen: [EntryName: Token] = [:]
    /// Entries that no row was found for yet.
    var open: [EntryName: ListedEntry] = [:]
    /// Entries that are not synced.
    var excluded: [EntryName: ListedEntry] = [:]
    /// Rows that no entry was found for yet.
    var leftover: [NodeID: Node] = [:]
    /// Rows that stay as they are, whatever was seen at their places.
    var held: Set<NodeID> = []

    init(side: Side, directory: NodeID, scope: SyncSession.Scope, isDeep: Bool) {
        self.side = side
        self.directory = directory
        self.scope = scope
        self.isDeep = isDeep
    }
}
