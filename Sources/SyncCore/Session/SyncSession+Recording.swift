/// Writing down what an effect did.
extension SyncSession {
    mutating func record(_ result: EffectResult, of operation: Operation) throws {
        let node = operation.node
        if case .lacking(let result, let sentence) = result {
            try record(result, of: operation)
            return try tell(.notKept, node, operation.side, sentence)
        }
        switch operation.decision {
        case .transfer, .makeDirectory, .move, .setPermissions:
            if case .wrote(let version) = result { try recordWritten(version, by: operation) }
        case .displace(let displaced, let arrival, let place):
            guard case .displaced(let here, let aside) = result else { return }
            try recordDisplacement(of: displaced, aside, for: node, at: place)
            try recordArrival(arrival, operation, at: place, here)
        case .remove(let side, _):
            try tell(side == .local ? .deletedLocal : .deletedRemote, node, side)
            try recordRemoval(node, side)
        case .discard, .promoteCopy:
            try recordChoice(operation, result)
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .wait, .unseen, .blocked:
            break
        }
    }

    private mutating func recordWritten(_ version: Version, by operation: Operation) throws {
        let node = operation.node
        switch operation.decision {
        case .transfer(let from, let source, let place, _):
            try recordTransfer(operation, from: from, source: source, place: place, written: version)
        case .makeDirectory(let side, let place):
            try recordDirectory(node, side, place, version, wanted: operation.permissions)
        case .move(let side, let place, _):
            let detail = try items.store.path(of: node, in: side.tree)?.description ?? ""
            try recordMove(node, side, to: place, version)
            if !operation.isStepAside { try tell(.moved, node, side, detail) }
        case .setPermissions(let side, _, let wanted):
            try recordPermissions(node, side, wanted, version)
        case .nothing, .adopt, .dropBase, .merge, .separate, .hash, .remove, .displace, .discard, .promoteCopy, .wait,
            .unseen, .blocked:
            break
        }
    }

    /// The renames in this directory have to be made durable before the batch is committed.
    mutating func touch(_ side: Side, _ directory: NodeID?) {
        guard let directory else { return }
        batch?.touched[side, default: []].insert(directory)
    }

    private mutating func tell(_ kind: Activity.Kind, _ node: NodeID, _ side: Side, _ detail: String = "") throws {
        let path = try items.store.path(of: node, in: side.tree) ?? .root
        batch?.activities.append(Activity(kind: kind, node: node, path: path, detail: detail))
    }

    private mutating func recordTransfer(
        _ operation: Operation, from: Side, source: Version, place: Place, written: Version
    ) throws {
        let (id, to) = (operation.node, from.other)
        var written = written
        written.hash = operation.hash
        var target = Node(id: id, parent: place.parent, name: place.name, kind: .file)
        target[to] = written
        var source = source
        source.hash = operation.hash
        if var row = try items.store.node(id, in: from.tree), row[from]?.tag == source.tag {
            row[from] = source
            try items.write(row, in: from.tree)
        }
        try items.write(target, in: to.tree)
        var base = target
        // Contents went ahead of a move that waits: where the item belongs is told by where it was.
        if let known = try items.store.node(id, in: .synced), let other = try items.store.node(id, in: from.tree),
            !other.isSamePlace(as: target)
        {
            (base.parent, base.name) = (known.parent, known.name)
        }
        base[from] = source
        base.hash = operation.hash
        if case .transfer = operation.decision {
            try keepAgreement(in: &base, ifWritten: operation.permissions, on: to)
        }
        try items.write(base, in: .synced)
        touch(to, place.parent)
        touch(to, id)
        try tellIfOpen(written, source, to)
        try tell(to == .remote ? .uploaded : .downloaded, id, to)
    }

    private mutating func recordDirectory(
        _ id: NodeID, _ side: Side, _ place: Place, _ version: Version, wanted: Permissions?
    ) throws {
        var row = Node(id: id, parent: place.parent, name: place.name, kind: .directory)
        row[side] = version.ofDirectory
        try items.write(row, in: side.tree)
        var source = try items.store.node(id, in: side.other.tree)?[side.other]
        if let source { try tellIfOpen(version, source, side) }
        // It was made open to its owner, so that it could be filled; the rest follows as a change of the other side.
        if wanted != nil, let own = source?.permissions { source?.permissions = own.union(.owner) }
        row[side.other] = source
        try items.write(row, in: .synced)
        touch(side, id)
        touch(side, place.parent)
    }

    func moved(_ old: Version?, to new: Version, kind: EntryKind) -> Version {
        var version = new
        if kind == .directory { return new.ofDirectory }
        version.hash = old?.hash
        return version
    }

    mutating func recordMove(_ id: NodeID, _ side: Side, to place: Place, _ version: Version) throws {
        guard var row = try items.store.node(id, in: side.tree) else { return }
        let old = row[side]
        touch(side, row.parent)
        touch(side, place.parent)
        row.parent = place.parent
        row.name = place.name
        row[side] = moved(old, to: version, kind: row.kind)
        try items.write(row, in: side.tree)
        // Renaming changes the tag of a file, not its contents.
        if var base = try items.store.node(id, in: .synced), let synced = base[side], let old, synced.isCertainly(old) {
            base[side] = row[side]
            if row.kind == .file { base[side]?.hash = synced.hash }
            base[side]?.permissions = synced.permissions
            try items.write(base, in: .synced)
        }
    }

    // MARK: Permissions

    /// Permissions were changed. What both sides agreed on stays written down until nothing more is to be done about
    /// it; where a side did not take what it was to have, both sides agree to differ.
    private mutating func recordPermissions(
        _ id: NodeID, _ side: Side, _ wanted: Permissions, _ version: Version
    ) throws {
        guard var row = try items.store.node(id, in: side.tree), var base = try items.store.node(id, in: .synced) else {
            return
        }
        let old = row[side]
        row[side] = moved(old, to: version, kind: row.kind)
        try items.write(row, in: side.tree)
        if let synced = base[side], let old, synced.isCertainly(old) {
            base[side] = row[side]
            if row.kind == .file { base[side]?.hash = synced.hash }
            base[side]?.permissions = synced.permissions
        }
        if version.permissions != wanted {
            for side in Side.allCases {
                base[side]?.permissions = try items.store.node(id, in: side.tree)?[side]?.permissions
            }
        }
        try items.write(base, in: .synced)
        touch(side, id)
        if version.permissions == wanted { try tell(.permissions, id, side) }
    }

    /// A file was replaced that both sides held: if it has the permissions that it was to have, what is still to be
    /// done about them on the other side shows against what was agreed before.
    private func keepAgreement(in base: inout Node, ifWritten wanted: Permissions?, on side: Side) throws {
        guard let wanted, base[side]?.permissions == wanted, let known = try items.store.node(base.id, in: .synced)
        else { return }
        for side in Side.allCases { base[side]?.permissions = known[side]?.permissions }
    }

    /// Says, once for each side, that what is private on the other side cannot be private there.
    private mutating func tellIfOpen(_ written: Version, _ source: Version, _ side: Side) throws {
        guard written.permissions == nil, source.permissions?.isPrivate == true else { return }
        let told = try items.store.value(.sidesWithoutPermissions) ?? []
        if told.contains(side.rawValue) { return }
        try items.store.setValue(told + [side.rawValue], for: .sidesWithoutPermissions)
        let place = side == .local ? "on this computer" : "at the remote"
        let detail = "The file system \(place) keeps no permissions: private files are as open there as all others."
        batch?.activities.append(Activity(kind: .notKept, node: .root, path: .root, detail: detail))
    }

    private mutating func recordRemoval(_ id: NodeID, _ side: Side) throws {
        touch(side, try items.store.node(id, in: side.tree)?.parent)
        try items.eraseSubtree(id, in: side.tree)
        if try items.store.node(id, in: .synced) != nil { try items.erase(id, from: .synced) }
    }

    // MARK: Conflicts

    /// What stood at a place stands beside it now, in conflict with the item that takes the place.
    private mutating func recordDisplacement(
        of displaced: Displacement, _ version: Version, for winner: NodeID, at place: Place
    ) throws {
        let isOneItem = displaced.node == winner
        guard let loser = isOneItem ? try items.separate(winner, keepsBase: true) : displaced.node else { return }
        try recordMove(loser, .local, to: Place(parent: place.parent, name: displaced.name), version)
        if !isOneItem { try items.pair(loser, winner) }
        try tell(.conflict, loser, .local)
    }

    private mutating func recordArrival(
        _ arrival: Arrival, _ operation: Operation, at place: Place, _ version: Version
    ) throws {
        switch arrival {
        case .contents(let source):
            try recordTransfer(operation, from: .remote, source: source, place: place, written: version)
        case .directory:
            try recordDirectory(operation.node, .local, place, version, wanted: operation.permissions)
        case .item:
            let detail = try items.store.path(of: operation.node, in: .local)?.description ?? ""
            try recordMove(operation.node, .local, to: place, version)
            try tell(.moved, operation.node, .local, detail)
        }
    }
}
