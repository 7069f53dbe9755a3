/// The state of an item.
extension Items {
    /// Marks an item that must be planned.
    ///
    /// - Parameter onlyToVerify: It could have changed within the clock's grain, although nothing indicates it: it
    ///   keeps its state until its contents were compared.
    mutating func markDirty(_ id: NodeID, onlyToVerify: Bool = false) throws {
        agenda.add(id)
        if id == .root { return }
        var status = try store.status(id) ?? NodeStatus(state: onlyToVerify ? .synced : .pending, isDirty: true)
        if status.state == .excluded { return }
        if status.state == .synced && !onlyToVerify { status.state = .pending }
        status.isDirty = true
        // A failed item stays in error until it is retried: seeing it again fixes nothing.
        let isWaiting = blocks.isBlocked(id, at: now) || mounts.isAway(id)
        if status.state == .error && !isWaiting { status = Self.withoutError(status) }
        if status.state == .pending { status.bytes = try bytesToMove(id) }
        try setStatus(status, for: id)
    }

    /// The contents of a synced file differ between the sides although neither side reported a change. Which of them is
    /// the good one nobody knows, and a side that rotted must not replace the last good copy: they are compared like
    /// two new files. Equal ones are adopted after all, and of different ones both stay, in conflict.
    mutating func doubt(_ id: NodeID) throws {
        // What was uploaded is not read again.
        guard uploads == nil, let base = try store.node(id, in: .synced), base.kind == .file else { return }
        let rows = try Side.allCases.map { try store.node(id, in: $0.tree) }
        // What is gone from a side was deleted there, and a placeholder is equal to what it stands for.
        guard rows.allSatisfy({ $0?.kind == .file && $0?.isMissing == false && $0?.local?.residence != .remoteAlone })
        else { return }
        for side in Side.allCases {
            guard var row = try store.node(id, in: side.tree), row[side]?.hash != nil else { continue }
            row[side]?.hash = nil
            try write(row, in: side.tree)
        }
        try erase(id, from: .synced)
        blocks.remove(id)
        try markDirty(id)
    }

    /// How many bytes must be transferred: none if each side has the synced version, or nothing, and none for a
    /// placeholder that stays one.
    private func bytesToMove(_ id: NodeID) throws -> Int64 {
        let residence = try store.node(id, in: .local)?.local?.residence
        if residence != .here, try planner.wish(for: id) != .alwaysHere { return 0 }
        if residence == .remoteAlone { return try size(of: id) }
        let base = try store.node(id, in: .synced)
        let isChanged = try Side.allCases.contains { side in
            guard let version = try store.node(id, in: side.tree)?[side] else { return false }
            return base?[side]?.isSame(as: version) != true
        }
        return isChanged ? try size(of: id) : 0
    }

    /// Both sides of the item agree.
    mutating func markClean(_ id: NodeID) throws {
        blocks.remove(id)
        // The next deletion is another one.
        endOneByOne(id)
        guard var status = try store.status(id) else { return }
        if status.state == .error { status = Self.withoutError(status) }
        if status.state == .conflict {
            status.isDirty = false
            try setStatus(status, for: id)
        } else if status.state != .excluded {
            try setStatus(nil, for: id)
        }
    }

    /// The item cannot be synced for now.
    mutating func setError(_ id: NodeID, _ message: Explanation) throws {
        var status = try store.status(id) ?? NodeStatus(state: .error, isDirty: true)
        (status.state, status.isDirty, status.message) = (.error, true, message)
        try setStatus(status, for: id)
    }

    /// The item waits for this reason, and is tried again by itself.
    mutating func setReason(_ id: NodeID, _ message: Explanation) throws {
        guard var status = try store.status(id), status.state == .pending || status.state == .error else { return }
        if status.state == .error { status = Self.withoutError(status) }
        status.isDirty = true
        if status.state == .pending {
            status.message = message
            status.bytes = try bytesToMove(id)
        }
        try setStatus(status, for: id)
    }

    /// What an item waited for is over.
    mutating func endReason(of id: NodeID) throws {
        guard var status = try store.status(id), status.state == .pending, !status.message.isEmpty else { return }
        status.message = .nothing
        try setStatus(status, for: id)
    }

    /// A new session knows nothing yet of what items wait for.
    mutating func endReasons() throws {
        var last = NodeID.none
        while true {
            let page = try store.nodes(inState: .pending, after: last, limit: 256)
            for id in page { try endReason(of: id) }
            guard page.count == 256, let end = page.last else { return }
            last = end
        }
    }

    /// A directory can be listed again.
    mutating func endError(of id: NodeID) throws {
        guard try store.status(id)?.state == .error else { return }
        if id == .root { try setStatus(nil, for: id) } else { try markDirty(id) }
    }

    /// Makes directories that could not be listed, or were not mounted, be scanned again.
    mutating func endErrorsOfDirectories() throws {
        var last = NodeID.none
        while let id = try store.nodes(inState: .error, after: last, limit: 1).first {
            last = id
            if try store.status(id)?.isDirty == false { try endError(of: id) }
        }
    }

    /// A directory could not be listed, which is shown: nothing is planned for it until it can be.
    ///
    /// - Parameter mayBeGone: Whether it may be gone, so that what was to be planned for it still is.
    mutating func setUnlisted(_ id: NodeID, _ message: Explanation, mayBeGone: Bool = false) throws {
        var status = try store.status(id) ?? NodeStatus(state: .error, isDirty: false)
        (status.state, status.isDirty, status.message) = (.error, mayBeGone && status.isDirty, message)
        try setStatus(status, for: id)
    }

    /// The status of an item without its error: an item in conflict stays in conflict.
    private static func withoutError(_ status: NodeStatus) -> NodeStatus {
        var status = status
        (status.state, status.isDirty) = (status.counterpart == nil ? .pending : .conflict, true)
        (status.message, status.bytes) = (.nothing, 0)
        return status
    }

    // MARK: Excluded items

    /// Gives an excluded entry a row of its own on that side only, and forgets everything else that was known about it.
    /// This deletes nothing.
    mutating func exclude(_ entry: ListedEntry, known: Node?, in directory: NodeID, on side: Side) throws {
        let message =
            switch entry.kind {
            case .symlink: Explanation(.symbolicLink)
            case .special: Explanation(.specialFile)
            case .file, .directory: Explanation.nothing
            }
        let status = NodeStatus(state: .excluded, isDirty: false, message: message)
        var known = known
        if let item = known, let other = try store.node(item.id, in: side.other.tree), !other.isSamePlace(as: item) {
            try part(item, on: side)
            known = nil
        }
        var row = Node(
            id: try known?.id ?? store.makeNodeID(), parent: directory, name: entry.name, kind: entry.kind)
        row[side] = entry.version
        if known?.isMissing == false, try store.status(row.id) == status { return }
        let below = try Side.allCases.flatMap { try subtreeUpwards(row.id, in: $0.tree) }.filter { $0 != row.id }
        for tree in Tree.allCases where tree != side.tree { try eraseSubtree(row.id, in: tree) }
        for child in try childIDs(of: row.id, in: side.tree) {
            try eraseSubtree(child, in: side.tree)
        }
        try write(row, in: side.tree)
        // The contents that are elsewhere on the other side are now gone from this one.
        for id in below where try isKnown(id) { try markDirty(id) }
        if let other = try store.status(row.id)?.counterpart { try endConflict(of: other) }
        try setStatus(status, for: row.id)
        // Nothing is tried again for it.
        blocks.remove(row.id)
    }

    /// A placeholder, or a directory with one in it, got a name that is not synced. The remote has the only contents, so
    /// nothing is deleted there: the item there is another one from now on, which is new.
    ///
    /// - Returns: The items that the entry was before.
    mutating func keepContents(
        ofExcluded entry: ListedEntry, besides known: NodeID?, on side: Side
    ) throws -> [NodeID] {
        guard side == .local, isOnDemand, !entry.version.identity.isEmpty,
            entry.kind == .directory || entry.version.residence == .remoteAlone
        else { return [] }
        let former = try store.nodes(withIdentity: entry.version.identity, on: side).filter { row in
            try row.id != known && row.kind == entry.kind && store.status(row.id)?.state != .excluded
                && planner.holdsPlaceholder(row.id)
        }
        for row in former { try part(row, on: side) }
        return former.map(\.id)
    }

    /// An item that is excluded on one side is at another place, where it is not excluded, on the other: there it
    /// becomes a different item, which is new on its side.
    private mutating func part(_ item: Node, on side: Side) throws {
        for tree in [side.tree, .synced] { try eraseSubtree(item.id, in: tree) }
        for id in try subtreeUpwards(item.id, in: side.other.tree) { try markDirty(id) }
    }

    // MARK: Conflicts

    /// The local contents become a separate item, and the item itself stands for the remote's contents; returns the new
    /// item.
    ///
    /// - Parameter keepsBase: Whether the item gets contents and a base at once.
    mutating func separate(_ id: NodeID, keepsBase: Bool = false) throws -> NodeID? {
        guard var row = try store.node(id, in: .local) else { return nil }
        let copy = try store.makeNodeID()
        try renumber(id, to: copy, in: .local)
        row.id = copy
        try write(row, in: .local)
        if try !keepsBase && store.node(id, in: .synced) != nil { try erase(id, from: .synced) }
        try markDirty(id)
        try markDirty(copy)
        try pair(copy, id)
        return copy
    }

    /// Two items are in conflict: the local version, which is renamed, and the one that has the name.
    ///
    /// - Parameter detected: When the conflict was found; nil for now.
    mutating func pair(_ copy: NodeID, _ original: NodeID, detected: Int64? = nil) throws {
        for (id, other) in [(copy, original), (original, copy)] {
            var status = NodeStatus(
                state: .conflict, isDirty: true, counterpart: other, isLocalVersion: id == copy,
                detected: detected ?? now.unixSeconds)
            if let old = try store.status(id), let known = old.counterpart {
                if known == other { status.detected = old.detected } else { try endConflict(of: known) }
            }
            try setStatus(status, for: id)
        }
        forgetChoice(copy)
        forgetChoice(original)
        for id in [copy, original] { agenda.add(id) }
    }

    /// An item is no longer in conflict; if it is dirty, it is planned again. Any other error remains: a directory that
    /// could not be listed is planned once it was.
    mutating func endConflict(of id: NodeID) throws {
        guard let status = try store.status(id), status.counterpart != nil else { return }
        if status.state == .error {
            let rest = NodeStatus(state: .error, isDirty: status.isDirty, message: status.message)
            try setStatus(rest, for: id)
        } else {
            try setStatus(nil, for: id)
            if status.isDirty { try markDirty(id) }
        }
        // A decision may have kept its contents here.
        if !wishes.isEmpty { try reviseWishes(from: id) }
    }

    /// Two items turned out to be one.
    mutating func unite(_ drop: NodeID, with keep: NodeID, in tree: Tree) throws {
        try remember(drop)
        if let other = try store.status(drop)?.counterpart { try endConflict(of: other) }
        try setStatus(nil, for: drop)
        for child in try childIDs(of: drop, in: tree) { try remember(child) }
        for side in Side.allCases where side.tree == tree { noteRenumbered(drop, as: keep, on: side) }
        try renumber(drop, to: keep, in: tree)
        copied.replace(drop, as: keep)
        try passWish(of: drop, to: keep)
        try markDirty(keep)
    }
}
