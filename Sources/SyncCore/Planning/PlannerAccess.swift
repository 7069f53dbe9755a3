/// What the remote does not let the user do. It is not tried: the item is read-only here as well, and what was done to it
/// nevertheless is kept beside it, or undone.
extension Planner {
    // MARK: Permissions to write

    /// What the base has to say before permissions to write are taken from an item; nil if it says so already. It is
    /// recorded first, so that whatever happens in between, the item gets back what it had.
    func withholding(_ rows: Rows) -> (withheld: Permissions, left: Permissions)? {
        guard rows.id != .root, rows.remote?.isReadOnly == true, let now = rows.local?.local?.permissions else {
            return nil
        }
        let writing = now.ofWriting
        let known = rows.synced?.withheld
        if writing.isNothing && known == nil && rows.synced?.local?.permissions == nil {
            // What was taken is not known any more: without the owner's, nothing of the remote could come into it.
            return (Permissions(0o200), now)
        }
        guard !writing.isNothing, known.map({ !writing.subtracting($0).isNothing }) ?? true else { return nil }
        return (known?.union(writing) ?? writing, now.withoutWriting)
    }

    /// The permissions that the local item should have because of what the remote allows; nil if it keeps no bits.
    func allowed(_ rows: Rows) -> Permissions? {
        guard let now = rows.local?.local?.permissions else { return nil }
        guard let base = rows.synced, let withheld = base.withheld else { return now }
        if rows.remote?.isReadOnly != true { return now.givenBack(withheld) }
        // The disk did not take that last time.
        return base.local?.permissions == now ? now : now.withoutWriting
    }

    // MARK: What was done here

    /// Whether the remote certainly refuses to delete an item.
    func mayNotBeDeleted(_ rows: Rows) -> Bool { rows.remote?.forbids(.delete) ?? false }

    /// Whether the remote certainly refuses to move an item to a place.
    func mayNotMove(_ remote: Node, to place: Place) throws -> Bool {
        if place.name != remote.name && remote.forbids(.rename) { return true }
        if place.parent == remote.parent { return false }
        if remote.forbids(.move) { return true }
        let target = try store.node(place.parent, in: .remote)
        return target?.access.map { !$0.takes(remote.kind) } ?? false
    }

    /// Why an item of this computer cannot be new in a directory of the remote; nil if it may be.
    func refusal(of rows: Rows, in directory: NodeID) throws -> Explanation? {
        guard let parent = try store.node(directory, in: .remote), let access = parent.access, !access.takes(rows.kind)
        else { return nil }
        let path = try store.path(of: rows.id, in: .local) ?? .root
        return Explanation(
            .readOnlyDirectory, .remote,
            ["\(path)", "\(path.parent)"] + (access.sharedBy.isEmpty ? [] : [access.sharedBy]))
    }
}

extension ItemAccess {
    /// The arguments of a message about an item that the user may not change: its path, and who shares it if that is known.
    func arguments(_ path: RelativePath) -> [String] { ["\(path)"] + (sharedBy.isEmpty ? [] : [sharedBy]) }
}

extension Items {
    /// The local directories of which an effect changes entries, and that are closed to their owner because the remote
    /// does not let its user change them.
    func closedDirectories(of effect: Effect) throws -> [RelativePath] {
        try effect.footprint.localDirectories.filter { path in
            guard let id = try store.nodeID(at: path, in: .local), let row = try store.node(id, in: .local),
                row.kind == .directory, let now = row.local?.permissions, now.ofWriting.isNothing
            else { return false }
            return try store.node(id, in: .synced)?.withheld?.isNothing == false
        }
    }

    /// Why the local version of an item was kept beside it; `nothing` if it was not because the remote does not let it be
    /// changed.
    func reasonBeside(_ id: NodeID) throws -> Explanation {
        guard let row = try store.node(id, in: .remote), row.isReadOnly, row.kind == .file, let access = row.access
        else { return .nothing }
        return Explanation(.readOnlyFile, .remote, access.arguments(try store.path(of: id, in: .remote) ?? .root))
    }

    /// Shows a reason at an item in conflict.
    mutating func explain(_ id: NodeID, _ message: Explanation) throws {
        guard !message.isEmpty, var status = try store.status(id), status.state == .conflict else { return }
        status.message = message
        try setStatus(status, for: id)
    }

    /// The message that an item came back to this computer, or to its place, because the remote did not let it go; nil if
    /// that is not why.
    func returnMessage(of id: NodeID, _ code: Explanation.Code, unless facts: ItemAccess.Facts) throws -> Explanation? {
        guard let row = try store.node(id, in: .remote), row.forbids(facts), let access = row.access else { return nil }
        return Explanation(code, .remote, access.arguments(try store.path(of: id, in: .remote) ?? .root))
    }
}
