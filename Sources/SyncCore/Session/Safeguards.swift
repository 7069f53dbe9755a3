/// The safeguards: check whether the roots exist and are the right ones, and whether so much is missing that the user
/// must confirm it.
struct Safeguards {
    /// The limits up to which deletions need no confirmation.
    private enum DeletionLimit {
        /// More than this many need one, whatever the size of the folder.
        static let absolute = 1_000
        /// More than half of all items need one if they are more than this many.
        static let ofHalf = 20
    }

    /// With this many signs, the user is asked whether the remote was restored.
    private static let restoreLimit = 5

    /// Why nothing is started; nil if all is well.
    private(set) var halt: Halt?
    /// Whether both roots were found to be the known ones in this session.
    private(set) var areRootsKnown = false
    /// Which pending deletions the user has answered.
    private var confirmation = Confirmation.none
    /// The user's answers to questions that this run may ask.
    private var answers: SyncAnswers = []
    /// The sides whose root was given a mark in this session, or cannot have one.
    private var marked: Set<Side> = []
    /// The sides whose root got a mark and was not seen with it. A probe that began before may still report none.
    private var unseenMarks: Set<Side> = []
    /// Whether the user was asked about a restored remote and has not answered.
    private var isRestoreKnown = false
    /// The root that was found in place of the known one, about which the user is asked.
    private var stranger: (side: Side, identity: Token)?
    /// The user's answer about that root.
    private var strangerAnswer: RootAnswer?

    /// Whether the roots cannot be scanned.
    var isBarred: Bool {
        switch halt {
        case .stopped, .offline: true
        case .confirmDeletes, .restored, nil: false
        }
    }

    /// Continues where an earlier session stopped: items that it found missing and did not decide on may have been the
    /// first of many, and its questions are still open.
    mutating func resume(_ items: inout Items, _ survey: inout Survey) throws {
        for side in Side.allCases where try items.store.missingCount(on: side) > 0 {
            for _ in 0..<2 { survey.losses.note(at: items.now) }
        }
        for _ in 0..<(try items.findReturned()) { survey.losses.note(at: items.now) }
        guard try items.store.value(.remoteRestored) != nil else { return }
        isRestoreKnown = true
        halt = .restored(
            Restore(returned: items.restored.returned.count, missing: try items.store.missingCount(on: .remote)))
    }

    /// A side cannot be reached: schedules a full scan of it for when it can be reached again. Changes on the other side
    /// are still reported meanwhile.
    mutating func goOffline(_ failure: EffectFailure, _ survey: inout Survey) {
        halt = .offline(failure.message)
        survey.queue.requestScanAfterProbe(of: failure.message.side)
    }

    /// Answers in advance the questions that the run may ask.
    mutating func answer(_ answers: SyncAnswers) {
        self.answers = answers
        if stranger != nil {
            // If both are given, nothing is deleted.
            strangerAnswer = answers.contains(.unite) ? .unite : answers.contains(.sameRoot) ? .same : nil
        }
        if answers.contains(.confirmDeletes) { confirmation = .run(.delete) }
        // If both are given, nothing is deleted.
        if answers.contains(.restoreDeleted) { confirmation = .run(.putBack) }
    }

    /// The user answered the pending deletions. The roots are probed again before anything is done.
    mutating func answerDeletions(_ answer: DeletionAnswer, _ survey: inout Survey) {
        guard case .confirmDeletes(let count, let side, _) = halt else { return }
        confirmation = .deletions(count, side, answer)
        survey.noteSight()
        halt = nil
    }

    /// The run is over: discards the answers that were given for it.
    mutating func endRun() {
        confirmation = .none
        answers = []
        strangerAnswer = nil
    }

    // MARK: Roots

    /// Both roots were probed, or the probe failed.
    mutating func handleProbe(
        _ result: EffectResult, _ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox
    ) throws {
        let gone = items.takeSuspected()
        if case .failed(let failure) = result { halt = .offline(failure.message) }
        guard case .roots(let local, let remote) = result else { return }
        var remoteTag = Token.none
        for (side, state) in [(Side.local, local), (.remote, remote)] {
            switch state {
            case .missing(let message):
                halt = .stopped(side == .local ? .rootMissing : .remoteMissing, message)
                return survey.queue.requestScanAfterProbe()
            case .unreachable(let message):
                halt = .offline(message)
                return
            case .present(let identity, let generation, let tag):
                // What is being looked at may be in the wrong root: it is looked at again in the right one.
                if try !isKnownRoot(identity, on: side, &items, &survey, &outbox) {
                    return survey.queue.requestScanAfterProbe()
                }
                if try isRestored(generation, on: side, items) {
                    try items.forgetBase()
                    survey.queue.requestScanAfterProbe()
                }
                if side == .remote { remoteTag = tag }
            }
        }
        if isBarred { halt = nil }
        areRootsKnown = true
        for id in gone { try items.loseUploaded(id) }
        try survey.rootsFound(remoteTag: remoteTag, &items)
    }

    private mutating func isKnownRoot(
        _ identity: Token, on side: Side, _ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox
    ) throws -> Bool {
        let key = Self.rootKey(side)
        guard let known = try items.store.value(key) else {
            try items.store.setValue(identity.bytes, for: key)
            markRoot(identity, found: identity, on: side, &outbox)
            return true
        }
        let likeness = RootIdentity.compare(known: Token(known), found: identity)
        let mayBeOld = unseenMarks.remove(side) != nil && RootIdentity(identity)?.mark == nil
        if likeness == .same {
            if stranger?.side == side { stranger = nil }
            markRoot(Token(known), found: identity, on: side, &outbox)
            return true
        }
        if mayBeOld {
            survey.queue.requestProbe()
            return false
        }
        // The answer is about the root that the user was asked about, and no other.
        if let answer = strangerAnswer, let stranger, stranger.side == side, stranger.identity == identity {
            try adopt(identity, insteadOf: Token(known), answer, on: side, &items, &survey, &outbox)
            return true
        }
        stranger = (side, identity)
        let reason = side == .local ? SessionStatus.StopReason.rootReplaced : .remoteReplaced
        halt = .stopped(reason, Explanation(likeness == .copy ? .rootCopied : .rootReplaced, side))
        return false
    }

    /// The user says what the root is that was found in place of the known one.
    private mutating func adopt(
        _ found: Token, insteadOf known: Token, _ answer: RootAnswer, on side: Side, _ items: inout Items,
        _ survey: inout Survey, _ outbox: inout Outbox
    ) throws {
        (stranger, strangerAnswer) = (nil, nil)
        try items.store.setValue(found.bytes, for: Self.rootKey(side))
        marked.remove(side)
        switch answer {
        case .same:
            try items.forgetTags()
            // Other computers that sync it know it by that mark.
            markRoot(RootIdentity.adopted(known: known, found: found), found: found, on: side, &outbox)
        case .unite:
            try items.forgetBase()
            // Nothing is deleted without a base.
            confirmation = .run(.delete)
            markRoot(found, found: found, on: side, &outbox)
        }
        survey.queue.requestScanAfterProbe()
    }

    private static func rootKey(_ side: Side) -> StoreKey {
        switch side {
        case .local: .localRoot
        case .remote: .remoteRoot
        }
    }

    /// Gives a root a mark if it has none, the same one if it had a mark: only the mark identifies the root where inode
    /// numbers are not permanent, and after the folder was moved to another file system.
    private mutating func markRoot(_ known: Token, found: Token, on side: Side, _ outbox: inout Outbox) {
        guard let identity = RootIdentity(found) else { return }
        if identity.mark != nil && known == found { return }
        if marked.insert(side).inserted { outbox.run(.markRoot(side, knownAs: known), for: .mark(side)) }
    }

    /// A root now has a mark, or could not be given one.
    mutating func handleMark(_ result: EffectResult, _ side: Side, _ items: inout Items) throws {
        // A root that cannot be written is identified by its inode alone.
        guard case .marked(let identity) = result else { return }
        unseenMarks.insert(side)
        try items.store.setValue(identity.bytes, for: Self.rootKey(side))
        try items.commit()
    }

    /// Whether the side reports that it was restored from a backup. It then holds old versions, and without a base,
    /// none of the newer ones is deleted.
    private func isRestored(_ generation: Token, on side: Side, _ items: Items) throws -> Bool {
        // What was uploaded is never taken for deleted.
        guard side == .remote, !generation.isEmpty, items.uploads == nil else { return false }
        let known = try items.store.value(.remoteGeneration)
        if known == generation.bytes { return false }
        try items.store.setValue(generation.bytes, for: .remoteGeneration)
        return known != nil
    }

    // MARK: Missing items

    /// Everything was scanned: what is missing now counts as deleted, unless so much is missing that the user must
    /// confirm it.
    ///
    /// Items that disappear while the folder is paused are decided on together when it is resumed.
    mutating func decideOnMissing(_ items: inout Items, _ survey: inout Survey, _ outbox: inout Outbox) throws {
        guard !items.isPaused, !isBarred, survey.isIdle, survey.isUnsettled else { return }
        if try survey.mayMoreGoMissing(items, isConfirmed: confirmation == .run(.delete), &outbox) { return }
        // If the root is gone, all its contents are missing: they were deleted only if the root still exists.
        if try !survey.wasProbed && items.isAnythingMissing() { return survey.probe(&outbox) }
        try Reunion.run(&items, &survey)
        if try asksAboutRestore(&items) {
            confirmation = .none
            survey.endUnsettled()
            outbox.beginRun()
            return try items.commit()
        }
        let questions = try Side.allCases.compactMap { try deletionQuestion(on: $0, items, survey) }
        let answered = confirmation
        let open = questions.filter { answered.answer(to: $0) == nil }
        confirmation = .none
        survey.endUnsettled()
        for side in Side.allCases {
            guard let question = questions.first(where: { $0.missingOn == side }) else {
                if answered.putsBack(missingOn: side) {
                    try putBackMissing(on: side, &items)
                } else if open.isEmpty {
                    try acceptMissing(on: side, isConfirmed: false, &items, survey)
                }
                continue
            }
            switch answered.answer(to: question) {
            case .delete: try acceptMissing(on: side, isConfirmed: true, &items, survey)
            case .putBack: try putBackMissing(on: side, &items)
            case nil: break
            }
        }
        if let question = open.first {
            halt = .confirmDeletes(count: question.count, side: question.missingOn.other, before: question.before)
            outbox.beginRun()
            return try items.commit()
        }
        if case .confirmDeletes = halt { halt = nil }
        survey.forgetEmptied()
        // Items that waited for missing ones can be planned.
        items.agenda.addAll()
        try items.commit()
    }

    private static func deletions(_ side: Side) -> StoreKey {
        switch side {
        case .local: .localDeletions
        case .remote: .remoteDeletions
        }
    }

    private func deletionQuestion(on side: Side, _ items: Items, _ survey: Survey) throws -> DeletionQuestion? {
        let missing = try items.store.missingCount(on: side)
        // Where items are only uploaded, what is deleted here is deleted nowhere else.
        if missing == 0 || items.uploads != nil { return nil }
        let window = try items.window(Self.deletions(side))
        let question = DeletionQuestion(count: missing, missingOn: side, before: window?.count ?? 0)
        let known = try items.store.count(in: .synced) - 1
        let hasNothingLeft = try survey.isEmptied(side) || items.store.count(in: side.tree) - 1 == missing
        let isEmptied = hasNothingLeft && missing >= 2
        if try isEmptied || Self.isTooMany(missing, of: known) || items.isMountRootMissing(on: side) {
            return question
        }
        guard let window else { return nil }
        // No more are missing than the limit, so they can be checked one by one.
        let losses = try items.store.missing(on: side, after: .none, limit: missing)
            .count { try items.isLoss($0, in: window) }
        return losses > 0 && Self.isTooMany(window.count + losses, of: window.known) ? question : nil
    }

    private static func isTooMany(_ count: Int, of known: Int) -> Bool {
        count > DeletionLimit.absolute || (count > DeletionLimit.ofHalf && count * 2 > known)
    }

    /// The items missing on a side were deleted there: removes their rows, so that the other side follows.
    ///
    /// A placeholder may have been moved to where nobody could look. What it stands for is at the remote alone, so that it
    /// stays missing until everything was seen.
    private func acceptMissing(on side: Side, isConfirmed: Bool, _ items: inout Items, _ survey: Survey) throws {
        if try items.store.missingCount(on: side) == 0 { return }
        let keepsPlaceholders = try side == .local && items.isOnDemand && survey.isPartlyUnknown(items, on: [.local])
        var window = try items.window(Self.deletions(side)) ?? items.newWindow()
        var last = NodeID.none
        while let id = try items.store.missing(on: side, after: last, limit: 1).first {
            if try keepsPlaceholders && items.planner.holdsPlaceholder(id) {
                last = id
                continue
            }
            for gone in try items.subtreeUpwards(id, in: side.tree) {
                if try items.isLoss(gone, in: window) { window.count += 1 }
                try items.erase(gone, from: side.tree)
                if try items.isKnown(gone) { try items.markDirty(gone) }
            }
        }
        // After a confirmation, counting starts again.
        let value = isConfirmed ? nil : window.bytes
        if isConfirmed || window.count > 0 { try items.store.setValue(value, for: Self.deletions(side)) }
    }

    /// The items missing on a side are put back: without their rows there and in the base, they count as new on the
    /// other side, if they still exist there.
    private func putBackMissing(on side: Side, _ items: inout Items) throws {
        while let id = try items.store.missing(on: side, after: .none, limit: 1).first {
            for gone in try items.subtreeUpwards(id, in: side.tree) {
                try items.erase(gone, from: side.tree)
                try forgetBase(of: gone, leftOn: side.other, &items)
                if try items.isKnown(gone) { try items.markDirty(gone) }
            }
        }
    }

    /// Makes an item count as new on a side. If it has a temporary name in an exchange of names, the base is kept
    /// because it knows the original name.
    private func forgetBase(of id: NodeID, leftOn side: Side, _ items: inout Items) throws {
        guard var base = try items.store.node(id, in: .synced) else { return }
        guard let row = try items.store.node(id, in: side.tree), IntermediateName.isIntermediate(row.name) else {
            return try items.erase(id, from: .synced)
        }
        base[side] = base[side]?.ofReturned(base.kind)
        try items.write(base, in: .synced)
    }

    // MARK: A restored remote

    /// The question to ask before anything is replaced or deleted locally; nil if there is none.
    ///
    /// One file that the user put back is not a restore. Neither are files that were replaced by equal copies, unless
    /// something else is gone.
    private func restoreQuestion(_ items: Items) throws -> Restore? {
        let missing = try items.store.missingCount(on: .remote)
        let returned = items.restored.returned.count
        guard returned + missing > 0 else { return nil }
        let before = returned > 0 ? try items.window(.remoteReturns)?.count ?? 0 : 0
        let isRestore =
            isRestoreKnown || returned + before + items.restored.recreated >= Self.restoreLimit
            || (returned > 0 && returned + before + missing >= Self.restoreLimit)
        return isRestore ? Restore(returned: returned, missing: missing) : nil
    }

    /// Whether the remote looks restored and the user has not decided yet what to do.
    private mutating func asksAboutRestore(_ items: inout Items) throws -> Bool {
        let answers = answers
        self.answers = []
        if let restore = try restoreQuestion(items), !answers.contains(.acceptRemote) {
            guard answers.contains(.unite) else {
                try items.store.setValue([1], for: .remoteRestored)
                isRestoreKnown = true
                halt = .restored(restore)
                return true
            }
            try items.forgetBase()
            // Nothing is deleted without a base.
            confirmation = .run(.delete)
            try endRestore(&items)
        } else if answers.contains(.acceptRemote) {
            try endRestore(&items)
        } else {
            try passReturned(&items)
        }
        if case .restored = halt { halt = nil }
        return false
    }

    private mutating func endRestore(_ items: inout Items) throws {
        try items.store.setValue(nil, for: .remoteReturns)
        try endQuestion(&items)
    }

    /// Only a few files returned to older versions: they are synced like any other change, and counted for an hour.
    private mutating func passReturned(_ items: inout Items) throws {
        if !items.restored.returned.isEmpty {
            var window =
                try items.window(.remoteReturns) ?? LossWindow(began: items.seconds, known: 0, firstYoung: .root)
            window.count += items.restored.returned.count
            try items.store.setValue(window.bytes, for: .remoteReturns)
        }
        try endQuestion(&items)
    }

    private mutating func endQuestion(_ items: inout Items) throws {
        if isRestoreKnown { try items.store.setValue(nil, for: .remoteRestored) }
        isRestoreKnown = false
        items.restored.removeAll()
    }
}

extension Items {
    /// The counts of the last hour; nil if there are none.
    fileprivate func window(_ key: StoreKey) throws -> LossWindow? {
        guard let bytes = try store.value(key), var window = LossWindow(bytes) else { return nil }
        return window.isOver(at: seconds) ? nil : window
    }

    /// A window that begins now.
    fileprivate func newWindow() throws -> LossWindow {
        LossWindow(began: seconds, known: try store.count(in: .synced) - 1, firstYoung: try store.makeNodeID())
    }

    /// Whether the item was synced, and existed when the window began.
    fileprivate func isLoss(_ id: NodeID, in window: LossWindow) throws -> Bool {
        try id < window.firstYoung && store.node(id, in: .synced) != nil
    }
}
