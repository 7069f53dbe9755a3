/// Decides what to do for one item, from its rows in the three trees and those of items in its way.
///
/// It only reads. It examines the item, its parents and whatever occupies its place, never a whole tree. Every
/// decision, once carried out, brings the item closer to being equal on both sides, so that planning again after each
/// one terminates.
struct Planner {
    let store: any TreeStore
    let tag: String
    /// Who makes conflict copies, as their names tell it.
    let author: String
    let now: Moment
    /// Items for which nothing is done yet.
    var held: Set<NodeID> = []
    /// Items whose move a side refused, so that their contents do not wait for it.
    var stuck: Set<NodeID> = []
    /// Items that could not be moved and are removed where they were once a copy of each is at its new place.
    var copied: [NodeID: NodeID] = [:]
    /// Whether directories of the remote have tags.
    var hasTags = false
    /// Directories of the remote that are not removed with everything in them.
    var oneByOne: Set<NodeID> = []
    /// What the user wants of the contents of items, which counts if the folder is on demand.
    var wishes = Wishes()
    /// Where demands want the contents of files now.
    var demanded: [NodeID: Demand.Aim] = [:]
    /// Items that come here with their contents although no wish says so.
    var brought: Set<NodeID> = []
    /// Whether files may be here without their contents.
    var isOnDemand = false
    /// The rules of a folder from which items are only uploaded; nil for any other folder.
    var uploads: UploadRules?

    /// The rows of one item.
    struct Rows {
        var id: NodeID
        var local: Node?
        var remote: Node?
        var synced: Node?

        subscript(side: Side) -> Node? { side == .local ? local : remote }
        var kind: EntryKind { (local ?? remote ?? synced)?.kind ?? .file }
        /// Whether it is missing on a side, so that its fate is not decided yet.
        var isUnseen: Bool { local?.isMissing == true || remote?.isMissing == true }
    }

    func rows(_ id: NodeID) throws -> Rows {
        Rows(
            id: id, local: try store.node(id, in: .local), remote: try store.node(id, in: .remote),
            synced: try store.node(id, in: .synced))
    }

    /// The next thing to do for an item; `nothing` if both sides and the base agree.
    func decide(_ id: NodeID) throws -> Decision {
        let rows = try rows(id)
        if id == .root || (rows.local == nil && rows.remote == nil && rows.synced == nil) { return .nothing }
        if try store.status(id)?.state == .excluded { return .nothing }
        if let uploads { return rows.isUnseen ? .unseen : try decideUpload(rows, uploads) }
        if rows.isUnseen || held.contains(id) || isExchangedElsewhere(rows) { return .unseen }
        // What is gone from both sides waits for nothing.
        let isAnywhere = rows.local != nil || rows.remote != nil
        if let copy = copied[id], isAnywhere, try isComing(copy) { return .wait(copy) }
        return rows.kind == .directory ? try decideDirectory(rows) : try decideFile(rows)
    }

    /// Whether an item is on one side alone yet.
    private func isComing(_ id: NodeID) throws -> Bool {
        let rows = try rows(id)
        guard (rows.local == nil) != (rows.remote == nil), rows.synced == nil else { return false }
        return try store.status(id)?.state != .excluded
    }

    /// Whether another client has given the item a temporary name on the remote while it exchanges names: that client
    /// will move it to its place, and until then the place is unknown.
    func isExchangedElsewhere(_ rows: Rows) -> Bool {
        guard let remote = rows.remote, rows.local != nil, let base = rows.synced else { return false }
        // A name of this form that is synced is the item's real name.
        return !remote.isSamePlace(as: base) && IntermediateName.isForeign(remote.name, to: tag)
    }

    // MARK: Files

    private func decideFile(_ rows: Rows) throws -> Decision {
        let verdict = try verdict(on: rows)
        switch verdict {
        case .nothing: return hasOtherSize(rows) ? try describe(rows) : try agreeOnPlace(rows)
        case .adopt: return try adoptWhereItStands(rows) ?? agreeOnPlace(rows)
        case .forget: return .dropBase
        case .survive: return try survive(rows)
        case .create(let side): return try appear(rows, on: side)
        case .update(let side), .delete(let side):
            guard let version = rows[side]?[side] else { return .nothing }
            // What is about to be removed must be certain: another write could have the same tag.
            if version.isRacy { return .hash(side, version) }
            if case .delete = verdict { return try removeFile(rows, version, from: side) }
            // What was written here although the remote does not let it be written is kept beside it.
            if side == .remote && rows.remote?.isReadOnly == true { return try conflict(rows) }
            return try update(rows, on: side, verdict)
        case .conflict: return try conflict(rows)
        case .hash: return hash(rows, verdict)
        case .fetch: return try fetch(rows)
        case .describe: return try describe(rows)
        case .free: return try free(rows)
        case .orphan: return .blocked(Explanation(.contentsNowhere))
        }
    }

    /// What happened to the file on a side. A move counts as a change if the other side no longer has the file.
    func change(of rows: Rows, on side: Side) -> SideChange {
        guard let row = rows[side], let version = row[side] else { return .absent }
        guard let base = rows.synced, let synced = base[side] else { return .changed }
        // A temporary name in an exchange of names is not a move by the user.
        let isMoved = !row.isSamePlace(as: base) && !IntermediateName.isIntermediate(row.name)
        // Neither is a return to the place where it was deleted: then the base says nothing about the version.
        if rows[side.other] == nil && (isMoved || synced.tag.isEmpty) { return .changed }
        // It was not looked at since it was synced, or its version was certain then.
        if version == synced || synced.isCertainly(version) { return .unchanged }
        if side == .remote && base.standsForTag && synced.isSame(as: version) { return .unchanged }
        guard version.size == synced.size, let expected = base.hash else { return .changed }
        guard let hash = version.hash else { return .uncertain }
        return hash == expected ? .unchanged : .changed
    }

    private func areEqual(_ rows: Rows) -> Bool? {
        guard let local = rows.local?.local, let remote = rows.remote?.remote else { return false }
        if local.size != remote.size { return false }
        guard let mine = knownHash(rows, .local), let theirs = knownHash(rows, .remote) else { return nil }
        return mine == theirs
    }

    /// The hash of the file on a side, taken from the base if that certainly has the same version.
    private func knownHash(_ rows: Rows, _ side: Side) -> ContentHash? {
        guard let version = rows[side]?[side] else { return nil }
        if let hash = version.hash { return hash }
        guard let base = rows.synced, let synced = base[side], synced.isCertainly(version) else { return nil }
        return base.hash
    }

    /// Requests the hash of one side first; the other follows when that is known.
    private func hash(_ rows: Rows, _ verdict: Verdict) -> Decision {
        guard case .hash(let wanted) = verdict else { return .nothing }
        for side in [wanted, wanted.other] {
            if let version = rows[side]?[side], knownHash(rows, side) == nil { return .hash(side, version) }
        }
        return .nothing
    }

    func update(_ rows: Rows, on side: Side, _ verdict: Verdict) throws -> Decision {
        if stuck.contains(rows.id) { return updateInPlace(rows, on: side, verdict) }
        switch try moveDecision(rows) {
        // Contents do not wait until a place is free: that may require the user.
        case nil, .wait, .blocked: return updateInPlace(rows, on: side, verdict)
        case .some(let move): return move
        }
    }

    private func updateInPlace(_ rows: Rows, on side: Side, _ verdict: Verdict) -> Decision {
        guard let source = rows[side.other], let target = rows[side], let version = source[side.other],
            let old = target[side]
        else { return .nothing }
        if verdict == .describe { return .describe(version, at: target.place, replacing: old) }
        return .transfer(from: side.other, source: version, to: target.place, replacing: old)
    }

    /// Transfers new contents to the file's present place although it will be moved: they were transferred while its
    /// new place was not free. Nil if it needs no contents.
    func contentsBeforeMove(of id: NodeID) throws -> Decision? {
        let rows = try rows(id)
        guard rows.kind == .file else { return nil }
        let verdict = try verdict(on: rows)
        if case .update(let side) = verdict {
            return side == .remote && rows.remote?.isReadOnly == true ? nil : updateInPlace(rows, on: side, verdict)
        }
        guard verdict == .fetch else { return nil }
        if isDescribed(rows) { return updateInPlace(rows, on: .local, verdict) }
        return rows.remote?.remote?.isRacy == false ? updateInPlace(rows, on: .local, .describe) : nil
    }

    func verdict(on rows: Rows) throws -> Verdict {
        Verdict.of(
            local: change(of: rows, on: .local), remote: change(of: rows, on: .remote),
            hasBase: rows.synced != nil && !isForeignPlaceholder(rows), areEqual: areEqual(rows),
            residence: rows.local?.local?.residence ?? .here, wish: try wish(for: rows.id))
    }

    private func conflict(_ rows: Rows) throws -> Decision {
        guard let local = rows.local, let version = local.local, let remote = rows.remote, let source = remote.remote
        else { return .nothing }
        // A copy that was moved aside before a crash already has its name.
        let original = (rows.synced ?? remote).name
        if local.name != original, ConflictName.isCopy(local.name, of: original) {
            return try nameBack(rows, on: .remote) ?? .separate
        }
        switch try moveDecision(rows) {
        case nil, .wait, .blocked:
            let name = IntermediateName.isIntermediate(local.name) ? original : local.name
            let displacement = Displacement(
                node: rows.id, expected: version, name: try freeName(for: name, in: local.parent))
            return .displace(displacement, by: .contents(source: source), at: local.place)
        case .some(let move): return move
        }
    }

    // MARK: Directories

    private func decideDirectory(_ rows: Rows) throws -> Decision {
        switch (rows.local != nil, rows.remote != nil, rows.synced != nil) {
        case (false, false, _): return .dropBase
        case (true, true, true): return try agreeOnPlace(rows)
        // Its contents have a base only if it has one itself.
        case (true, true, false): return try adoptWhereItStands(rows) ?? agreeOnPlace(rows)
        case (true, false, false): return try appear(rows, on: .remote)
        case (false, true, false): return try appear(rows, on: .local)
        case (true, false, true): return try removeDirectory(rows, from: .local)
        case (false, true, true): return try removeDirectory(rows, from: .remote)
        }
    }

    /// A directory that was deleted on the other side is removed if nothing in it must stay; its contents are removed
    /// first.
    private func removeDirectory(_ rows: Rows, from side: Side) throws -> Decision {
        guard let version = rows[side]?[side] else { return .nothing }
        // It exists again, which the other side did not know.
        if rows.synced?[side]?.isOfReturnedDirectory == true { return try survive(rows) }
        if side == .remote && mayNotBeDeleted(rows) { return try survive(rows) }
        if side == .remote, let tree = try removedTree(with: rows.id) {
            return tree.top == rows.id ? .removeTree(expected: version, tag: tree.tag) : .wait(tree.top)
        }
        for child in try store.children(of: rows.id, in: side.tree, after: nil, limit: 16) {
            if try store.status(child.id)?.state == .excluded { return try survive(rows) }
            let below = try self.rows(child.id)
            guard below.synced != nil else { return try survive(rows) }
            // Its destination is not known yet: deletions around it belong to the exchange.
            if isExchangedElsewhere(below) { return .wait(child.id) }
            if below[side.other] != nil, try desiredPlace(below)?.place.parent == rows.id { return try survive(rows) }
            return .wait(child.id)
        }
        return .remove(side, expected: version)
    }
}
