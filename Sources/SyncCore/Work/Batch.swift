/// Operations that are published together, and their results.
struct Batch {
    /// The progress of a batch.
    enum Step: Hashable {
        case contents
        case publishing
        case renames
    }

    private(set) var step: Step = .contents
    /// When it began.
    let begun: ContinuousClock.Instant
    /// Operations that have not started, in order, the first one last.
    private(set) var waiting: [NodeID]
    private var running: Set<NodeID> = []
    /// How many operations have started.
    private(set) var begunCount = 0
    /// Whether the running operation must run alone, because a directory changes its path.
    private(set) var isExclusive = false
    /// Barriers that were not answered yet.
    private var barriers = 0
    /// Directories whose entries changed and items whose permissions changed, in addition to what is recorded as
    /// synced.
    private var touched: [Side: Set<NodeID>] = [:]
    /// The identities of created objects, on each side.
    private var made: [Side: Set<Token>] = [:]
    /// Whether anything was replaced or removed.
    private(set) var makesRoom = false
    /// The activities to report once the batch is committed.
    private(set) var activities: [Activity] = []

    /// A batch of ready operations.
    init(_ ready: [Operation], at now: Moment) {
        begun = now.instant
        // Operations that make something more accessible come first: later ones may need that.
        let (opening, others) = (ready.filter(\.isOpening), ready.filter { !$0.isOpening })
        waiting = (opening + others).map(\.node).reversed()
    }

    // MARK: Steps

    /// The operation that starts next.
    var next: NodeID? { waiting.last }
    /// Whether an operation is running.
    var isRunning: Bool { !running.isEmpty }
    /// Whether all operations were carried out.
    var isPublished: Bool { running.isEmpty && waiting.isEmpty }
    /// Whether barriers were not answered yet.
    var hasBarriers: Bool { barriers > 0 }

    /// A barrier was handed out.
    mutating func addBarrier() { barriers += 1 }

    /// A barrier answered.
    mutating func endBarrier() { barriers -= 1 }

    /// The contents are durable.
    mutating func beginPublishing() {
        if step == .contents { step = .publishing }
    }

    /// All operations were carried out.
    mutating func endPublishing() { step = .renames }

    /// Skips the next operation.
    mutating func skip() { waiting.removeLast() }

    /// The next operation is running.
    mutating func beginNext(isExclusive: Bool) {
        self.isExclusive = isExclusive
        begunCount += 1
        running.insert(waiting.removeLast())
    }

    /// An operation was carried out, or failed.
    mutating func end(_ node: NodeID) {
        running.remove(node)
        isExclusive = false
    }

    /// Removes operations that have not started.
    mutating func removeWaiting(where isOver: (NodeID) -> Bool) { waiting.removeAll(where: isOver) }

    /// The items of a side whose renames or permissions must be made durable in addition to what is recorded as synced.
    func touchedItems(on side: Side) -> Set<NodeID> { touched[side] ?? [] }

    // MARK: Recording

    /// Records the result of an operation.
    mutating func record(_ result: EffectResult, of operation: Operation, _ items: inout Items) throws {
        let node = operation.node
        if case .lacking(let result, let explanation) = result {
            try record(result, of: operation, &items)
            return try report(.notKept, node, operation.side, detail: explanation.stored, &items)
        }
        if operation.decision.makesRoom { makesRoom = true }
        switch operation.decision {
        case .transfer, .describe, .free, .makeDirectory, .move, .setPermissions:
            if case .wrote(let version) = result { try recordWritten(version, by: operation, &items) }
        case .displace(let displaced, let arrival, let place):
            guard case .displaced(let here, let aside) = result else { return }
            try recordDisplacement(of: displaced, aside, for: node, at: place, &items)
            try recordArrival(arrival, operation, at: place, here, &items)
        case .remove(let side, _):
            guard case .done = result else { return }
            try report(side == .local ? .deletedLocal : .deletedRemote, node, side, &items)
            try recordRemoval(node, side, &items)
        case .removeTree:
            guard case .done = result else { return }
            try recordRemovedTree(node, &items)
        case .discard, .promoteCopy:
            try recordChoice(operation, result, &items)
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked:
            break
        }
    }

    private mutating func recordWritten(_ version: Version, by operation: Operation, _ items: inout Items) throws {
        let node = operation.node
        switch operation.decision {
        case .transfer(let from, let source, let place, _):
            try recordTransfer(operation, from: from, source: source, place: place, written: version, &items)
            if from == .local { items.noteUpload(into: place.parent) }
        case .describe(let source, let place, _):
            try recordTransfer(operation, from: .remote, source: source, place: place, written: version, &items)
        case .free:
            try recordUnchanged(node, .local, version, &items)
        case .makeDirectory(let side, let place):
            try recordDirectory(node, side, place, version, wanted: operation.permissions, &items)
            if side == .remote { items.noteUpload(into: place.parent) }
        case .move(let side, let place, _):
            let detail = try items.store.path(of: node, in: side.tree)?.description ?? ""
            // Otherwise it follows the remote.
            let isReturn = try items.store.node(node, in: .synced)?.place == place
            try recordMove(node, side, to: place, version, &items)
            if !operation.isStepAside { try report(.moved, node, side, detail: detail, &items) }
            if side == .local, isReturn,
                let message = try items.returnMessage(of: node, .notMovable, unless: [.rename, .move])
            {
                try report(.notKept, node, side, detail: message.stored, &items)
            }
        case .setPermissions(let side, _, let wanted):
            try recordPermissions(node, side, wanted, version, &items)
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .remove, .removeTree, .displace, .discard,
            .promoteCopy, .wait,
            .unseen, .blocked:
            break
        }
    }

    /// The renames in this directory must be made durable before the batch is committed.
    private mutating func touch(_ side: Side, _ directory: NodeID?) {
        guard let directory else { return }
        touched[side, default: []].insert(directory)
    }

    private mutating func report(
        _ kind: Activity.Kind, _ node: NodeID, _ side: Side, detail: String = "", _ items: inout Items
    ) throws {
        let path = try items.store.path(of: node, in: side.tree) ?? .root
        activities.append(Activity(kind: kind, node: node, path: path, detail: detail))
    }

    private mutating func recordTransfer(
        _ operation: Operation, from: Side, source: Version, place: Place, written: Version, _ items: inout Items
    ) throws {
        let (id, to) = (operation.node, from.other)
        let former = try items.store.node(id, in: to.tree)?[to]
        let hash = operation.hash ?? source.hash
        var written = written
        written.hash = hash
        var target = Node(id: id, parent: place.parent, name: place.name, kind: .file)
        var source = source
        source.hash = hash
        if operation.isStagedRacy { source.isRacy = true }
        if var row = try items.store.node(id, in: from.tree), row[from]?.tag == source.tag {
            row[from] = source
            // Its contents are compared with those that were read once another write would show.
            if source.isRacy { row[from]?.hash = nil }
            try items.write(row, in: from.tree)
        }
        target[to] = try noteMade(written, as: id, on: to, &items)
        target.access = try items.store.node(id, in: to.tree)?.access
        try items.write(target, in: to.tree)
        var base = target
        (base.access, base.withheld) = (nil, try items.store.node(id, in: .synced)?.withheld)
        // The contents arrived before a move that waits: the former place shows where the item belongs.
        if let known = try items.store.node(id, in: .synced), let other = try items.store.node(id, in: from.tree),
            !other.isSamePlace(as: target)
        {
            (base.parent, base.name) = (known.parent, known.name)
        } else {
            try standWhereItIsHere(&base, items)
        }
        base[from] = source
        base.hash = hash
        // It came with the permissions to write of any file: those are still to be taken from it.
        if base.withheld != nil, let given = base.local?.permissions { base.local?.permissions = given.withoutWriting }
        if former?.residence == .remoteAlone {
            // The placeholder kept its permissions.
            let known = try items.store.node(id, in: .synced)
            for side in Side.allCases { base[side]?.permissions = known?[side]?.permissions }
        } else if case .transfer = operation.decision {
            try keepAgreement(in: &base, ifWritten: operation.permissions, on: to, items)
        }
        try items.write(base, in: .synced)
        try reportIfOpen(written, source, to, &items)
        if written.residence == .here { try report(to == .remote ? .uploaded : .downloaded, id, to, &items) }
    }

    private mutating func recordDirectory(
        _ id: NodeID, _ side: Side, _ place: Place, _ version: Version, wanted: Permissions?, _ items: inout Items
    ) throws {
        var row = Node(id: id, parent: place.parent, name: place.name, kind: .directory)
        row[side] = try noteMade(version.ofDirectory, as: id, on: side, &items)
        try items.write(row, in: side.tree)
        var source = try items.store.node(id, in: side.other.tree)?[side.other]
        if let source { try reportIfOpen(version, source, side, &items) }
        // It was created accessible to its owner, so that it could be filled; the rest follows like a change of the
        // other side.
        if wanted != nil, let own = source?.permissions { source?.permissions = own.union(.owner) }
        row[side.other] = source
        try standWhereItIsHere(&row, items)
        try items.write(row, in: .synced)
    }

    /// What was uploaded may have another name at the remote: then the base is where the item was here at that time, so that
    /// a move shows.
    private func standWhereItIsHere(_ base: inout Node, _ items: Items) throws {
        guard items.uploads != nil, let local = try items.store.node(base.id, in: .local) else { return }
        (base.parent, base.name) = (local.parent, local.name)
    }

    /// The engine created an object for this item; returns its version. If two objects got the same number because the
    /// first was gone by then, it is unknown which one exists: neither is identified by the number.
    private mutating func noteMade(
        _ version: Version, as id: NodeID, on side: Side, _ items: inout Items
    ) throws -> Version {
        try items.noteMade(version, as: id, on: side)
        if version.identity.isEmpty || made[side, default: []].insert(version.identity).inserted { return version }
        var version = version
        version.identity = .none
        return version
    }

    private func moved(_ old: Version?, to new: Version, kind: EntryKind) -> Version {
        var version = new
        if kind == .directory { return new.ofDirectory }
        version.hash = old?.hash
        return version
    }

    private mutating func recordMove(
        _ id: NodeID, _ side: Side, to place: Place, _ version: Version, _ items: inout Items
    ) throws {
        guard var row = try items.store.node(id, in: side.tree) else { return }
        let old = row[side]
        touch(side, row.parent)
        touch(side, place.parent)
        row.parent = place.parent
        row.name = place.name
        row[side] = moved(old, to: version, kind: row.kind)
        try items.write(row, in: side.tree)
        guard var base = try items.store.node(id, in: .synced) else { return }
        touch(side.other, base.parent)
        // Renaming changes the tag of a file, but not its contents.
        if let old { base.follow(row, from: old, on: side) }
        // Both sides have it here now: if it is deleted on one side before it is looked at again, that does not count
        // as a change of the other one.
        let other = try items.store.node(id, in: side.other.tree)
        if let other, other.isSamePlace(as: row), try items.store.node(place.parent, in: .synced) != nil {
            (base.parent, base.name) = (place.parent, place.name)
        }
        try standWhereItIsHere(&base, items)
        try items.write(base, in: .synced)
    }

    /// An item got another version although its contents stayed the same; returns the base.
    @discardableResult
    private func recordUnchanged(
        _ id: NodeID, _ side: Side, _ version: Version, _ items: inout Items
    ) throws -> Node? {
        guard var row = try items.store.node(id, in: side.tree), var base = try items.store.node(id, in: .synced),
            let old = row[side]
        else { return nil }
        row[side] = moved(old, to: version, kind: row.kind)
        try items.write(row, in: side.tree)
        base.follow(row, from: old, on: side)
        try items.write(base, in: .synced)
        return base
    }

    // MARK: Permissions

    /// Permissions were changed. The base keeps what both sides agreed on until nothing more remains to be done; if a
    /// side did not accept its permissions, both sides agree to differ.
    private mutating func recordPermissions(
        _ id: NodeID, _ side: Side, _ wanted: Permissions, _ version: Version, _ items: inout Items
    ) throws {
        guard var base = try recordUnchanged(id, side, version, &items) else { return }
        let rows = try items.planner.rows(id)
        if version.permissions != wanted || items.planner.permissionsDecision(rows) == nil {
            for side in Side.allCases { base[side]?.permissions = rows[side]?[side]?.permissions }
        }
        // What could not be given back now never will be.
        if side == .local, version.permissions != wanted, rows.remote?.isReadOnly != true { base.withheld = nil }
        try items.write(base, in: .synced)
        if version.permissions == wanted { try report(.permissions, id, side, &items) }
    }

    /// A file was replaced that both sides had. If it has the wanted permissions, the base keeps the earlier agreement,
    /// which shows what the other side still needs.
    private func keepAgreement(in base: inout Node, ifWritten wanted: Permissions?, on side: Side, _ items: Items)
        throws
    {
        guard let wanted, base[side]?.permissions == wanted, let known = try items.store.node(base.id, in: .synced)
        else { return }
        for side in Side.allCases { base[side]?.permissions = known[side]?.permissions }
        var rows = try items.planner.rows(base.id)
        rows.synced = base
        guard items.planner.permissionsDecision(rows) == nil else { return }
        for side in Side.allCases { base[side]?.permissions = rows[side]?[side]?.permissions }
    }

    /// Reports, once for each side, that what is private on the other side cannot be private there.
    private mutating func reportIfOpen(_ written: Version, _ source: Version, _ side: Side, _ items: inout Items) throws
    {
        guard written.permissions == nil, source.permissions?.isPrivate == true else { return }
        let told = try items.store.value(.sidesWithoutPermissions) ?? []
        if told.contains(side.rawValue) { return }
        try items.store.setValue(told + [side.rawValue], for: .sidesWithoutPermissions)
        let detail = Explanation(.permissionsNotKept, side).stored
        activities.append(Activity(kind: .notKept, node: .root, path: .root, detail: detail))
    }

    private mutating func recordRemoval(_ id: NodeID, _ side: Side, _ items: inout Items) throws {
        touch(side, try items.store.node(id, in: side.tree)?.parent)
        touch(side.other, try items.store.node(id, in: .synced)?.parent)
        try items.eraseSubtree(id, in: side.tree)
        if try items.store.node(id, in: .synced) != nil { try items.erase(id, from: .synced) }
    }

    /// Records that a directory is gone from the remote with everything in it, as if each item had been removed.
    private mutating func recordRemovedTree(_ top: NodeID, _ items: inout Items) throws {
        touch(.remote, try items.store.node(top, in: .remote)?.parent)
        touch(.local, try items.store.node(top, in: .synced)?.parent)
        for id in try items.subtreeUpwards(top, in: .remote) {
            try report(.deletedRemote, id, .remote, &items)
            try items.erase(id, from: .remote)
            if try items.store.node(id, in: .synced) != nil { try items.erase(id, from: .synced) }
        }
    }

    // MARK: Conflicts

    /// The item at a place was moved beside it, and is in conflict with the item that takes the place.
    private mutating func recordDisplacement(
        of displaced: Displacement, _ version: Version, for winner: NodeID, at place: Place, _ items: inout Items
    ) throws {
        let isOneItem = displaced.node == winner
        guard let loser = isOneItem ? try items.separate(winner, keepsBase: true) : displaced.node else { return }
        try recordMove(loser, .local, to: Place(parent: place.parent, name: displaced.name), version, &items)
        if !isOneItem { try items.pair(loser, winner) }
        let reason = isOneItem ? try items.reasonBeside(winner) : .nothing
        try items.explain(loser, reason)
        try report(.conflict, loser, .local, detail: reason.stored, &items)
    }

    private mutating func recordArrival(
        _ arrival: Arrival, _ operation: Operation, at place: Place, _ version: Version, _ items: inout Items
    ) throws {
        switch arrival {
        case .contents(let source):
            try recordTransfer(operation, from: .remote, source: source, place: place, written: version, &items)
        case .directory:
            try recordDirectory(operation.node, .local, place, version, wanted: operation.permissions, &items)
        case .item:
            let detail = try items.store.path(of: operation.node, in: .local)?.description ?? ""
            try recordMove(operation.node, .local, to: place, version, &items)
            try report(.moved, operation.node, .local, detail: detail, &items)
        }
    }

    // MARK: Decided conflicts

    private mutating func recordChoice(_ operation: Operation, _ result: EffectResult, _ items: inout Items) throws {
        let copy = operation.node
        items.forgetChoice(copy)
        let other = try items.store.status(copy)?.counterpart
        try items.endConflict(of: copy)
        if let other { try items.endConflict(of: other) }
        if case .discard(let loser, _) = operation.decision { try recordDiscarded(loser, &items) }
        if case .promoteCopy(_, let original, _) = operation.decision, case .wrote(let version) = result {
            try recordPromoted(copy, over: original, version, &items)
        }
    }

    /// Records that the item and its contents are no longer here.
    private mutating func recordDiscarded(_ id: NodeID, _ items: inout Items) throws {
        touch(.local, try items.store.node(id, in: .local)?.parent)
        for gone in try items.subtreeUpwards(id, in: .local) {
            try items.erase(gone, from: .local)
            if try items.isKnown(gone) { try items.markDirty(gone) }
        }
    }

    /// A file in the place of a file becomes its next version; anything else moves there as a separate item.
    private mutating func recordPromoted(
        _ copy: NodeID, over original: NodeID, _ version: Version, _ items: inout Items
    ) throws {
        guard let row = try items.store.node(copy, in: .local),
            let replaced = try items.store.node(original, in: .local)
        else { return }
        if row.kind == .file && replaced.kind == .file {
            try recordDiscarded(copy, &items)
            var promoted = replaced
            promoted.local = moved(row.local, to: version, kind: .file)
            try items.write(promoted, in: .local)
            touch(.local, replaced.parent)
            touch(.local, original)
            try items.markDirty(original)
        } else {
            try recordDiscarded(original, &items)
            try recordMove(copy, .local, to: replaced.place, version, &items)
        }
    }
}

extension Node {
    /// The version of a side changed from `old` to that of a row, but not the contents: the base follows if it was
    /// certain of the former one, or stands for it.
    fileprivate mutating func follow(_ row: Node, from old: Version, on side: Side) {
        guard let synced = self[side] else { return }
        let isStoodFor = side == .remote && standsForTag && synced.isSame(as: old)
        if !isStoodFor && !synced.isCertainly(old) { return }
        self[side] = row[side]
        if row.kind == .file { self[side]?.hash = synced.hash }
        self[side]?.permissions = synced.permissions
    }
}
