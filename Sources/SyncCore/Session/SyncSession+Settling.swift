/// Why nothing is begun.
enum Halt: Hashable {
    /// A safeguard: a root is missing or another one. The message says what to do.
    case stopped(FolderStatus.StopReason, String)
    /// A side cannot be reached.
    case offline(String)
    /// So many deletions on that side wait for the user, after those that were carried out within the last hour.
    case confirmDeletes(count: Int, side: Side, before: Int)
    /// The remote looks restored from a backup.
    case restored(Restore)
}

/// What the user confirmed of the deletions that are not decided on yet.
enum Confirmation: Hashable {
    /// Nothing.
    case none
    /// So many on that side.
    case deletions(Int, Side)
    /// All that the present look at everything finds.
    case run

    func covers(_ question: DeletionQuestion) -> Bool {
        switch self {
        case .none: false
        case .deletions(let count, let side): question.count <= count && question.missingOn.other == side
        case .run: true
        }
    }
}

/// So many items are missing on a side that the user has to say whether they are to be deleted on the other one.
struct DeletionQuestion {
    var count: Int
    var missingOn: Side
    /// How many were deleted for that within the last hour.
    var before: Int
}

/// The safeguards: roots, and what is missing.
extension SyncSession {
    /// The deletions that are carried out without asking.
    enum DeletionLimit {
        /// More than this many are asked about, whatever the size of the folder.
        static let absolute = 1_000
        /// More than half are asked about if they are more than this many.
        static let ofHalf = 20
    }

    /// Both roots were probed.
    mutating func takeRoots(local: RootState, remote: RootState) throws {
        for (side, state) in [(Side.local, local), (.remote, remote)] {
            switch state {
            case .missing(let message):
                halt = .stopped(side == .local ? .rootMissing : .remoteMissing, message)
                return
            case .unreachable(let message):
                halt = .offline(message)
                return
            case .present(let identity, let generation):
                if try !isKnownRoot(identity, on: side) { return }
                try checkGeneration(generation, on: side)
            }
        }
        if isBarredHalt { halt = nil }
        looking.wasProbed = true
        if looking.needsScan {
            looking.needsScan = false
            looking.emptied = []
            for side in Side.allCases { looking.list(side, .root, isDeep: true) }
        }
    }

    private var isBarredHalt: Bool {
        switch halt {
        case .stopped, .offline: true
        case .confirmDeletes, .restored, nil: false
        }
    }

    private mutating func isKnownRoot(_ identity: Token, on side: Side) throws -> Bool {
        let key = Self.rootKey(side)
        guard let known = try items.store.value(key) else {
            try items.store.setValue(identity.bytes, for: key)
            markRoot(identity, on: side)
            return true
        }
        let which = side == .local ? "The folder on this computer" : "The remote folder"
        let reason = side == .local ? FolderStatus.StopReason.rootReplaced : .remoteReplaced
        switch RootIdentity.compare(known: Token(known), found: identity) {
        case .same:
            markRoot(Token(known), found: identity, on: side)
            return true
        case .copy:
            let remedy =
                side == .local
                ? "If you moved it here, tell Roundel with “roundel relocate OLD NEW”, the same path twice if only the disk "
                    + "is new. If it comes from a backup, remove the folder and add it again."
                : "Bring the old one back, or remove the folder and add it again."
            halt = .stopped(reason, "\(which) is a copy of the one that was synced. \(remedy)")
        case nil:
            halt = .stopped(
                reason,
                "\(which) is not the one that was synced. Bring the old one back, or remove the folder and add it again."
            )
        }
        return false
    }

    private static func rootKey(_ side: Side) -> StoreKey {
        switch side {
        case .local: .localRoot
        case .remote: .remoteRoot
        }
    }

    /// A root without a mark gets one, the same one again if it had one: only a mark tells where inode numbers do not
    /// last, and after the folder was moved to another file system.
    private mutating func markRoot(_ known: Token, found: Token? = nil, on side: Side) {
        guard let identity = RootIdentity(found ?? known) else { return }
        if identity.mark != nil && known == found ?? known { return }
        if marked.insert(side).inserted { outbox.run(.markRoot(side, knownAs: known), for: .mark(side)) }
    }

    mutating func takeMark(_ result: EffectResult, _ side: Side) throws {
        // A root that cannot be written is known by its inode alone.
        guard case .marked(let identity) = result else { return }
        try items.store.setValue(identity.bytes, for: Self.rootKey(side))
        try items.commit()
    }

    /// A remote restored from a backup holds old versions: without a base nothing of the newer ones is deleted.
    private mutating func checkGeneration(_ generation: Token, on side: Side) throws {
        guard side == .remote, !generation.isEmpty else { return }
        let known = try items.store.value(.remoteGeneration)
        if known == generation.bytes { return }
        try items.store.setValue(generation.bytes, for: .remoteGeneration)
        if known == nil { return }
        try items.forgetBase()
        looking.needsScan = true
    }

    /// Everything was looked at: what is missing now is gone, unless so much is that the user has to confirm it.
    ///
    /// What goes while the folder is paused is decided on together when it goes on.
    mutating func settle() throws {
        guard !items.isPaused, looking.running == 0, !looking.hasWork, batch == nil, looking.isUnsettled else { return }
        switch halt {
        case .stopped, .offline: return
        case .confirmDeletes, .restored, nil: break
        }
        if try mayMoreGoMissing() || isProbeDue() { return }
        if try settleRestore() {
            confirmation = .none
            looking.isUnsettled = false
            outbox.beginRun()
            return try items.commit()
        }
        let questions = try Side.allCases.compactMap { try deletionQuestion(on: $0) }
        let open = questions.filter { !confirmation.covers($0) }
        confirmation = .none
        looking.isUnsettled = false
        for side in Side.allCases {
            let isAsked = questions.contains { $0.missingOn == side }
            let isConfirmed = isAsked && !open.contains { $0.missingOn == side }
            if isConfirmed || open.isEmpty { try settleMissing(on: side, isConfirmed: isConfirmed) }
        }
        if let question = open.first {
            halt = .confirmDeletes(count: question.count, side: question.missingOn.other, before: question.before)
            outbox.beginRun()
            return try items.commit()
        }
        if case .confirmDeletes = halt { halt = nil }
        looking.emptied = []
        // What waited for missing items goes on.
        items.agenda.addAll()
        try items.commit()
    }

    /// The user wants the deletions that were asked about. The roots are looked at again before they are carried out.
    mutating func confirmDeletes() {
        guard case .confirmDeletes(let count, let side, _) = halt else { return }
        confirmation = .deletions(count, side)
        looking.isUnsettled = true
        looking.wasProbed = false
        halt = nil
    }

    /// A root that went away takes all that is in it along: what is missing was deleted only if the root is still there.
    private mutating func isProbeDue() throws -> Bool {
        if looking.wasProbed { return false }
        guard try isAnythingMissing() else { return false }
        looking.needsProbe = true
        try look()
        return true
    }

    private func isAnythingMissing() throws -> Bool {
        try Side.allCases.contains { try items.store.missingCount(on: $0) > 0 }
    }

    // MARK: Quiet

    /// How long it is waited for further deletions, in milliseconds; longer than a watcher takes to tell of them.
    private static let quiet: Int64 = 3_000

    /// A synced item went missing, or something was put back.
    mutating func noteUnrest() {
        let isOneOfMany = looking.losses > 0 && items.now.monotonic - looking.lastLoss < Self.quiet
        looking.losses = isOneOfMany ? looking.losses + 1 : 1
        looking.lastLoss = items.now.monotonic
    }

    /// What an earlier session found missing and did not decide on may have been the first of many.
    mutating func expectLosses() throws {
        for side in Side.allCases where try items.store.missingCount(on: side) > 0 {
            for _ in 0..<2 { noteUnrest() }
        }
    }

    /// While items are deleted one after the other it is not known how many will be. So none of them is decided on
    /// until no further one came for a while. One item alone is not waited for, unless it returned to an older version.
    private mutating func mayMoreGoMissing() throws -> Bool {
        let due = looking.lastLoss + Self.quiet
        looking.isAwaitingQuiet =
            try items.now.monotonic < due
            && (!items.restored.returned.isEmpty || (looking.losses > 1 && confirmation != .run && isAnythingMissing()))
        guard looking.isAwaitingQuiet else { return false }
        looking.wasProbed = false
        if looking.quietDue != due {
            looking.quietDue = due
            outbox.add(.setTimer(.settle, milliseconds: Int(due - items.now.monotonic)))
        }
        return true
    }

    // MARK: How many

    private static func deletions(_ side: Side) -> StoreKey {
        switch side {
        case .local: .localDeletions
        case .remote: .remoteDeletions
        }
    }

    private func deletionQuestion(on side: Side) throws -> DeletionQuestion? {
        let missing = try items.store.missingCount(on: side)
        if missing == 0 { return nil }
        let window = try window(Self.deletions(side))
        let question = DeletionQuestion(count: missing, missingOn: side, before: window?.count ?? 0)
        let known = try items.store.count(in: .synced) - 1
        let hasNothingLeft = try looking.emptied.contains(side) || items.store.count(in: side.tree) - 1 == missing
        let isEmptied = hasNothingLeft && missing >= 2
        if try isEmptied || Self.isTooMany(missing, of: known) || items.isMountRootMissing(on: side) { return question }
        guard let window else { return nil }
        // No more are missing than the limit, so that they can be looked at one by one.
        let losses = try items.store.missing(on: side, after: .none, limit: missing).count {
            try isLoss($0, in: window)
        }
        return losses > 0 && Self.isTooMany(window.count + losses, of: window.known) ? question : nil
    }

    private static func isTooMany(_ count: Int, of known: Int) -> Bool {
        count > DeletionLimit.absolute || (count > DeletionLimit.ofHalf && count * 2 > known)
    }

    /// Whether the item was synced when the window began, or as it would begin items.now.
    private func isLoss(_ id: NodeID, in window: LossWindow) throws -> Bool {
        try id < window.firstYoung && items.store.node(id, in: .synced) != nil
    }

    /// What was counted within the last hour; nil if nothing was.
    func window(_ key: StoreKey) throws -> LossWindow? {
        guard let bytes = try items.store.value(key), var window = LossWindow(bytes) else { return nil }
        return window.isOver(at: items.seconds) ? nil : window
    }

    private mutating func settleMissing(on side: Side, isConfirmed: Bool) throws {
        if try items.store.missingCount(on: side) == 0 { return }
        var window =
            try window(Self.deletions(side))
            ?? LossWindow(
                began: items.seconds, known: try items.store.count(in: .synced) - 1,
                firstYoung: items.store.makeNodeID())
        while let id = try items.store.missing(on: side, after: .none, limit: 1).first {
            for gone in try items.subtreeUpwards(id, in: side.tree) {
                if try isLoss(gone, in: window) { window.count += 1 }
                try items.erase(gone, from: side.tree)
                if try items.isKnown(gone) { try items.markDirty(gone) }
            }
        }
        // With what a person confirmed, the counting ends.
        let value = isConfirmed ? nil : window.bytes
        if isConfirmed || window.count > 0 { try items.store.setValue(value, for: Self.deletions(side)) }
    }
}
