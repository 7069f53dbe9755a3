/// The user decides a conflict.
extension SyncSession {
    /// Takes a decision; items without a conflict are left as they are.
    mutating func resolve(_ id: NodeID, _ choice: ConflictChoice) throws {
        guard let other = try store.status(id)?.counterpart else { return }
        if choice == .both {
            try endConflict(of: id)
            try endConflict(of: other)
            return
        }
        choices[try isCopy(id, of: other) ? id : other] = choice
        agenda.addSome()
        isRunning = true
    }

    /// Which of the two stands under the conflict name.
    private func isCopy(_ id: NodeID, of other: NodeID) throws -> Bool {
        func name(_ id: NodeID) throws -> EntryName? {
            try (store.node(id, in: .local) ?? store.node(id, in: .remote))?.name
        }
        guard let mine = try name(id), let theirs = try name(other) else { return id > other }
        if ConflictName.isCopy(mine, of: theirs) { return true }
        if ConflictName.isCopy(theirs, of: mine) { return false }
        return id > other
    }

    /// Begins what follows from the user's decisions, as soon as both versions are here and at the remote.
    mutating func startChoices() throws {
        for copy in choices.keys.sorted() where operations[copy] == nil && !hashing.contains(copy) {
            guard let other = try store.status(copy)?.counterpart else {
                choices[copy] = nil
                continue
            }
            if let decision = try choiceDecision(copy) {
                try begin(decision, node: copy, origin: copy)
            } else if try isSettled(copy) && isSettled(other) {
                choices[copy] = nil
            }
        }
    }

    private func isSettled(_ id: NodeID) throws -> Bool {
        try operations[id] == nil && !hashing.contains(id) && planner.decide(id) == .nothing
    }

    /// The next step for a decided conflict; nil if there is none, or not yet.
    ///
    /// The version that is decided against must be synced: here it goes to the trash or the replaced-store.
    func choiceDecision(_ copy: NodeID) throws -> Decision? {
        guard let choice = choices[copy], let other = try store.status(copy)?.counterpart,
            let row = try store.node(copy, in: .local), let version = row.local, row.kind == .file,
            try isSettled(other)
        else { return nil }
        if choice == .theirs { return .discardCopy(version) }
        guard let original = try store.node(other, in: .local), original.kind == .file, let replaced = original.local
        else { return nil }
        return .promoteCopy(version, over: other, replacing: replaced)
    }

    mutating func recordChoice(_ operation: Operation, _ result: EffectResult) throws {
        let copy = operation.node
        choices[copy] = nil
        guard let row = try store.node(copy, in: .local) else { return }
        touch(.local, row.parent)
        let other = try store.status(copy)?.counterpart
        try endConflict(of: copy)
        if let other { try endConflict(of: other) }
        try erase(copy, from: .local)
        if try isKnown(copy) { try markDirty(copy) }
        guard case .promoteCopy(_, let original, _) = operation.decision, case .wrote(let version) = result,
            let place = try store.node(original, in: .local)?.place
        else { return }
        var promoted = Node(id: original, parent: place.parent, name: place.name, kind: .file)
        promoted.local = moved(row.local, to: version, kind: .file)
        try write(promoted, in: .local)
        touch(.local, place.parent)
        try markDirty(original)
    }
}
