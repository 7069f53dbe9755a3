/// Where the contents of files are, and where they are wanted.
extension Planner {
    /// What is wanted of an item's contents now: what a demand wants, otherwise what is wanted lastingly. A demand frees
    /// nothing that is always wanted here, and nothing is freed only because it could not be moved.
    func wish(for id: NodeID) throws -> Wish {
        let lasting = try lastingWish(for: id)
        switch demanded[id] {
        case nil: return lasting == .none && brought.contains(id) ? .alwaysHere : lasting
        case .here: return .alwaysHere
        case .away: return lasting == .alwaysHere ? .alwaysHere : .remoteAlone
        }
    }

    /// What is wanted of an item's contents lastingly: its own wish, or that of the nearest directory that has one. Both
    /// versions of a decided conflict must be here, one to replace the other and that to be kept.
    func lastingWish(for id: NodeID) throws -> Wish {
        guard isOnDemand else { return .alwaysHere }
        var (current, found) = (id, Wish.none)
        while current != .none {
            if try isDecided(current) { return .alwaysHere }
            if found == .none { found = wishes[current] }
            current = try (store.node(current, in: .local) ?? store.node(current, in: .remote))?.parent ?? .none
        }
        return found
    }

    private func isDecided(_ id: NodeID) throws -> Bool {
        guard let status = try store.status(id), let other = status.counterpart else { return false }
        return try status.choice != nil || store.status(other)?.choice != nil
    }

    /// Whether a placeholder is another one than that which was synced: one that was not synced before got the name.
    func isForeignPlaceholder(_ rows: Rows) -> Bool {
        guard let version = rows.local?.local, version.residence == .remoteAlone, let known = rows.synced?.local
        else { return false }
        return !known.identity.isEmpty && !version.identity.isEmpty && known.identity != version.identity
    }

    /// Brings the contents of a placeholder. It must stand for the version that the remote has: otherwise it is brought up
    /// to date first, so that nobody ever sees the size of one version with the contents of another.
    func fetch(_ rows: Rows) throws -> Decision {
        isDescribed(rows) ? try update(rows, on: .local, .fetch) : try describe(rows)
    }

    /// Whether the placeholder stands for the version that the remote has now.
    func isDescribed(_ rows: Rows) -> Bool {
        guard let base = rows.synced?.remote, let version = rows.remote?.remote else { return false }
        return !isForeignPlaceholder(rows) && base.isSame(as: version) && rows.local?.local?.size == version.size
    }

    /// Whether there is a placeholder of another size than the remote's file. Who uses the folder cannot have made it: it
    /// was described when the machine stopped, and the remote lost what it was described from.
    func hasOtherSize(_ rows: Rows) -> Bool {
        guard let local = rows.local?.local, local.residence == .remoteAlone else { return false }
        return rows.remote?.remote.map { $0.size != local.size } ?? false
    }

    /// Makes a placeholder, or brings it up to date.
    func describe(_ rows: Rows) throws -> Decision {
        guard let source = rows.remote?.remote else { return .nothing }
        // Who deletes a placeholder deletes exactly the version that it stands for.
        if source.isRacy { return .hash(.remote, source) }
        if rows.local != nil { return try update(rows, on: .local, .describe) }
        let decision = try appear(rows, on: .local)
        guard case .transfer(_, _, let place, nil) = decision else { return decision }
        return .describe(source, at: place, replacing: nil)
    }

    /// Frees a file on which both sides agree in every respect.
    func free(_ rows: Rows) throws -> Decision {
        let rest = try agreeOnPlace(rows)
        guard rest == .nothing, let version = rows.local?.local, let source = rows.remote?.remote else { return rest }
        // Nothing takes no room.
        if version.size == 0 { return .nothing }
        // Another write could have the same tag.
        if version.isRacy { return .hash(.local, version) }
        return source.isRacy ? .hash(.remote, source) : .free(expected: version, remote: source)
    }

    /// Whether an item, or something in it, is a placeholder: it cannot be copied from this computer.
    func holdsPlaceholder(_ id: NodeID) throws -> Bool {
        var stack = [id]
        while let next = stack.popLast() {
            if try store.node(next, in: .local)?.local?.residence == .remoteAlone { return true }
            stack += try store.childIDs(of: next, in: .local)
        }
        return false
    }
}
