/// The user decides a conflict.
extension SyncSession {
    /// Takes a decision, which stays until it is carried out, also over a restart; items without a conflict are left as
    /// they are.
    mutating func resolve(_ id: NodeID, _ choice: ConflictChoice) throws {
        guard let other = try items.store.status(id)?.counterpart else { return }
        outbox.beginRun()
        if choice == .both {
            for half in [id, other] {
                items.forgetChoice(half)
                try items.endConflict(of: half)
            }
        } else {
            let (copy, original) = try isCopy(id, of: other) ? (id, other) : (other, id)
            if let reason = try obstacle(to: choice, copy, original) { return try refuse(copy, reason) }
            try items.setChoice(choice, for: copy)
            items.blocks.remove(copy)
            items.agenda.addSome()
        }
        // What was published is committed after its barriers; the decision goes with it.
        if batch == nil && !survey.isBusy { try items.commit() }
    }

    /// Whether the first of the two is the local version.
    private func isCopy(_ id: NodeID, of other: NodeID) throws -> Bool {
        let isLocal = try [id, other].map { try items.store.status($0)?.isLocalVersion ?? false }
        if isLocal[0] != isLocal[1] { return isLocal[0] }
        // Found by an older version, which told them by their names.
        guard let mine = try name(of: id), let theirs = try name(of: other) else { return id > other }
        if ConflictName.isCopy(mine, of: theirs) { return true }
        if ConflictName.isCopy(theirs, of: mine) { return false }
        return id > other
    }

    private func name(of id: NodeID) throws -> EntryName? {
        try (items.store.node(id, in: .local) ?? items.store.node(id, in: .remote))?.name
    }

    // MARK: What cannot be done

    /// Why a decision cannot be carried out, in a sentence; nil if it can.
    private func obstacle(to choice: ConflictChoice, _ copy: NodeID, _ original: NodeID) throws -> String? {
        guard let mine = try items.store.path(of: copy, in: .local) else {
            return "The local version is not on this computer any more, so there is nothing to decide."
        }
        guard let theirs = try items.store.path(of: original, in: .local) else {
            // It may be on its way; what is decided waits for it.
            return nil
        }
        let (winner, loser) = choice == .mine ? (mine, theirs) : (theirs, mine)
        if winner.names.starts(with: loser.names) {
            return "“\(loser)” holds “\(winner)”, which is to stay. Move that out of it first."
        }
        if try choice == .mine && items.counts(of: original).errors > 0 {
            return "“\(theirs)” holds items that could not be synced. Mend that first, or choose the other version."
        }
        return nil
    }

    private mutating func refuse(_ copy: NodeID, _ reason: String) throws {
        try items.setChoice(nil, for: copy, message: reason)
        let path = try items.store.path(of: copy, in: .local) ?? items.store.path(of: copy, in: .remote) ?? .root
        outbox.report(Activity(kind: .error, node: copy, path: path, detail: reason))
    }

    /// The effect of a decision failed: true if the user has to decide anew, which he is told. What only came at a bad
    /// time is tried again.
    mutating func takeBackChoice(_ operation: Operation, _ failure: EffectFailure) throws -> Bool {
        guard operation.decision.isChoice else { return false }
        switch failure.reason {
        case .busy, .unreachable, .notMounted: return false
        case .nameClash, .denied, .noSpace, .io: try refuse(operation.node, failure.message)
        case .changed, .notFound, .exists, .notEmpty:
            try refuse(operation.node, "One of the versions changed before the decision was carried out. Decide again.")
        }
        return true
    }

    // MARK: Carrying out

    /// Begins what follows from the user's decisions, as soon as both versions are here and at the remote.
    mutating func startChoices() throws {
        for copy in items.choices.keys.sorted() where operations[copy] == nil && !hashing.contains(copy) {
            if items.blocks.isBlocked(copy, at: items.now) { continue }
            guard let choice = items.choices[copy], let other = try items.store.status(copy)?.counterpart else {
                items.forgetChoice(copy)
                continue
            }
            if let decision = try choiceDecision(copy) {
                try begin(decision, node: copy, origin: copy)
            } else if try isSettled(copy) && isSettled(other), let reason = try obstacle(to: choice, copy, other) {
                try refuse(copy, reason)
            }
        }
    }

    /// Whether nothing is to be done for the item or what is in it.
    private func isSettled(_ id: NodeID) throws -> Bool {
        try operations[id] == nil && !hashing.contains(id) && items.counts(of: id).pending == 0
            && items.planner.decide(id) == .nothing
    }

    /// The next step for a decided conflict; nil if there is none, or not yet.
    ///
    /// The version that stays must be synced, with all that is in it; the other one goes to the trash or the
    /// replaced-items.store.
    func choiceDecision(_ copy: NodeID) throws -> Decision? {
        guard let choice = items.choices[copy], let other = try items.store.status(copy)?.counterpart,
            let mine = try items.store.node(copy, in: .local), let version = mine.local,
            try isSettled(other) && items.counts(of: copy).pending == 0, try obstacle(to: choice, copy, other) == nil
        else { return nil }
        if choice == .theirs { return .discard(copy, version) }
        guard let original = try items.store.node(other, in: .local), let replaced = original.local else { return nil }
        // The machine stopped after the names were exchanged.
        if ConflictName.isCopy(original.name, of: mine.name) { return .discard(other, replaced) }
        return .promoteCopy(version, over: other, replacing: replaced)
    }

    mutating func recordChoice(_ operation: Operation, _ result: EffectResult) throws {
        let copy = operation.node
        items.forgetChoice(copy)
        let other = try items.store.status(copy)?.counterpart
        try items.endConflict(of: copy)
        if let other { try items.endConflict(of: other) }
        if case .discard(let loser, _) = operation.decision { try recordDiscarded(loser) }
        if case .promoteCopy(_, let original, _) = operation.decision, case .wrote(let version) = result {
            try recordPromoted(copy, over: original, version)
        }
    }

    /// It stands here no longer, nor does what was in it.
    private mutating func recordDiscarded(_ id: NodeID) throws {
        touch(.local, try items.store.node(id, in: .local)?.parent)
        for gone in try items.subtreeUpwards(id, in: .local) {
            try items.erase(gone, from: .local)
            if try items.isKnown(gone) { try items.markDirty(gone) }
        }
    }

    /// A file in the place of a file becomes its next version; anything else moves there as the item that it is.
    private mutating func recordPromoted(_ copy: NodeID, over original: NodeID, _ version: Version) throws {
        guard let row = try items.store.node(copy, in: .local),
            let replaced = try items.store.node(original, in: .local)
        else { return }
        if row.kind == .file && replaced.kind == .file {
            try recordDiscarded(copy)
            var promoted = replaced
            promoted.local = moved(row.local, to: version, kind: .file)
            try items.write(promoted, in: .local)
            touch(.local, replaced.parent)
            try items.markDirty(original)
        } else {
            try recordDiscarded(original)
            try recordMove(copy, .local, to: replaced.place, version)
        }
    }
}
