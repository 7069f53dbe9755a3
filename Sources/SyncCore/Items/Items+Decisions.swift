/// Decisions of the planner that change only the store.
extension Items {
    /// Carries out a decision that needs no effect.
    mutating func apply(_ decision: Decision, to id: NodeID, _ outbox: inout Outbox) throws {
        switch decision {
        case .adopt(let base): try write(base, in: .synced)
        case .dropBase where uploads != nil: try forgetUploaded(id)
        case .dropBase:
            if let base = try store.node(id, in: .synced) { recorded.add(base.parent) }
            try erase(id, from: .synced)
            if try store.node(id, in: .local) == nil, let path = try store.path(of: id, in: .remote),
                let message = try returnMessage(of: id, .notDeletable, unless: .delete)
            {
                outbox.report(Activity(kind: .notKept, node: id, path: path, detail: message.stored))
            }
        case .merge(let keep, let drop, let tree): try unite(drop, with: keep, in: tree)
        case .part(let side): try part(id, on: side)
        case .separate:
            guard let copy = try separate(id), let path = try store.path(of: copy, in: .local) else { return }
            outbox.report(Activity(kind: .conflict, node: copy, path: path, detail: ""))
        case .nothing, .hash, .transfer, .describe, .free, .makeDirectory, .move, .setPermissions, .remove, .removeTree,
            .displace,
            .discard, .promoteCopy, .wait, .unseen, .blocked:
            break
        }
    }

    /// The item cannot be synced; it is retried after a while.
    mutating func block(_ id: NodeID, _ message: Explanation) throws {
        if try failDemands(for: id, DemandFailure(.failed, message)) { return }
        blocks.postpone(id, for: pauses.blockedItem, at: now)
        try setError(id, message)
    }

    /// Whether a decision would close a directory to its owner while items in it still have to be synced.
    func closesTooEarly(_ id: NodeID, _ decision: Decision) throws -> Bool {
        guard case .setPermissions(let side, let version, let wanted) = decision,
            let now = version.permissions, now.subtracting(wanted).bits & Permissions.owner.bits != 0,
            try store.node(id, in: side.tree)?.kind == .directory
        else { return false }
        return try counts(of: id).pending > 0
    }

    // MARK: Conflicts that the user decides

    /// Stores the user's decision about a conflict until it is carried out, even across a restart. False if it cannot
    /// be carried out.
    mutating func decide(_ id: NodeID, _ other: NodeID, _ choice: ConflictChoice, _ outbox: inout Outbox) throws -> Bool
    {
        if choice == .both {
            for half in [id, other] {
                forgetChoice(half)
                try endConflict(of: half)
            }
            return true
        }
        let (copy, original) = try isCopy(id, of: other) ? (id, other) : (other, id)
        if let reason = try obstacle(to: choice, copy, original) {
            try refuseChoice(copy, reason, &outbox)
            return false
        }
        try setChoice(choice, for: copy)
        blocks.remove(copy)
        agenda.addSome()
        return true
    }

    /// Whether the first of the two is the local version.
    func isCopy(_ id: NodeID, of other: NodeID) throws -> Bool {
        let isLocal = try [id, other].map { try store.status($0)?.isLocalVersion ?? false }
        if isLocal[0] != isLocal[1] { return isLocal[0] }
        // Found by an older version, which recognised copies by name.
        guard let mine = try name(of: id), let theirs = try name(of: other) else { return id > other }
        if ConflictName.isCopy(mine, of: theirs) { return true }
        if ConflictName.isCopy(theirs, of: mine) { return false }
        return id > other
    }

    private func name(of id: NodeID) throws -> EntryName? {
        try (store.node(id, in: .local) ?? store.node(id, in: .remote))?.name
    }

    /// Why a decision cannot be carried out; nil if it can.
    func obstacle(to choice: ConflictChoice, _ copy: NodeID, _ original: NodeID) throws -> Explanation? {
        guard let mine = try store.path(of: copy, in: .local) else {
            return Explanation(.localVersionGone)
        }
        guard let theirs = try store.path(of: original, in: .local) else {
            // It may be on its way; the decision waits for it.
            return nil
        }
        let (winner, loser) = choice == .mine ? (mine, theirs) : (theirs, mine)
        if winner.names.starts(with: loser.names) {
            return Explanation(.winnerInLoser, .local, "\(loser)", "\(winner)")
        }
        if try choice == .mine && counts(of: original).errors > 0 {
            return Explanation(.loserHoldsUnsynced, .local, "\(theirs)")
        }
        return nil
    }

    /// A decision cannot be carried out: shows the reason to the user, who must decide again.
    mutating func refuseChoice(_ copy: NodeID, _ reason: Explanation, _ outbox: inout Outbox) throws {
        try setChoice(nil, for: copy, message: reason)
        let path = try store.path(of: copy, in: .local) ?? store.path(of: copy, in: .remote) ?? .root
        outbox.report(Activity(kind: .error, node: copy, path: path, detail: reason.stored))
    }
}
