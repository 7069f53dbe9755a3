/// Syncs one folder: a state machine that takes events and returns actions.
///
/// It has exclusive use of the store while it exists and commits to it, in the order of promise 3. It touches nothing
/// else: effects are values for the caller to carry out.
///
/// It scans (lists directories and merges the entries into the trees) and publishes (renames, moves, removes) in turn,
/// never both at once, so that no listing is older than one of its own changes. Staging continues during both. A long
/// scan is interrupted to publish changes that are seen meanwhile.
package struct SyncSession {
    private(set) var items: Items
    private var survey: Survey
    private var safeguards = Safeguards()
    private var work: Work
    private var publication: Publication
    private var outbox: Outbox
    private var isStopping = false
    private var isFinished = false
    private var retryTimer = RetryTimer()
    private var reportedStatus = ReportedStatus()

    /// A session over a store; uncommitted changes are discarded. Send it `start` first.
    ///
    /// - Parameter stagesAfter: The stage before the first one of this session. Files that an earlier session staged may
    ///   still exist.
    package init(store: any TreeStore, configuration: SessionConfiguration, stagesAfter: StageID = StageID(0)) {
        items = Items(store: store, configuration: configuration)
        survey = Survey(
            excludes: configuration.excludes, scanLimit: configuration.concurrency, quiet: configuration.pauses.quiet,
            isUploadOnly: configuration.isUploadOnly)
        work = Work(limit: configuration.operationLimit, stagesAfter: stagesAfter)
        publication = Publication(operationLimit: configuration.operationLimit, pauses: configuration.pauses)
        outbox = Outbox(concurrency: configuration.concurrency)
    }

    /// Handles events and returns the resulting actions. An error comes from the store, or means that changes could not
    /// be made durable, and ends the session: roll the store back to its last commit and start a new session.
    ///
    /// Pass events that arrived together in one call: each item that changed is then reported once.
    package mutating func handle(_ events: [SessionEvent], now: Moment) throws -> [SessionAction] {
        try items.begin(at: now)
        for event in events { try handle(event) }
        try advance()
        // What ends a demand may leave something else to be done.
        while try endDemands() { try advance() }
        for (id, report) in items.demands.takeReports() { outbox.add(.demand(id, report)) }
        try EffectGuards.put(items, &outbox)
        try presentChanges()
        return outbox.handOver()
    }

    private mutating func handle(_ event: SessionEvent) throws {
        switch event {
        case .start:
            try start()
        case .effect(let id, let result):
            try handle(result, of: id)
        case .began(let id):
            if case .stage(let node) = outbox.purpose(of: id) { try items.beginOperation(node) }
        case .progress(let id, let bytes):
            if case .stage(let node) = outbox.purpose(of: id) { try items.advanceOperation(node, to: bytes) }
        case .changed(let side, let directories, let items, let isOverflow):
            survey.note(side, directories: directories, items: items, isOverflow: isOverflow)
        case .timer(let timer):
            try fire(timer)
        case .command(let command):
            try obey(command)
        }
    }

    private mutating func start() throws {
        try items.load(excluding: survey.excludes)
        survey.queue.requestScan()
        try safeguards.resume(&items, &survey)
    }

    private mutating func fire(_ timer: SessionTimer) throws {
        switch timer {
        case .publish:
            publication.timerFired()
        case .settle: survey.losses.timerFired()
        case .demand: break
        case .retry:
            items.agenda.addAll()
            items.blocks.noteRetry(at: items.now)
            items.urgent.releaseAll()
            retryTimer.fired()
            try survey.retry(&items)
            if safeguards.isBarred { survey.queue.requestProbe() }
        }
    }

    private mutating func obey(_ command: SessionCommand) throws {
        switch command {
        case .syncNow: syncNow()
        case .syncAnswering(let answers):
            syncNow()
            safeguards.answer(answers)
        case .pause, .resume:
            items.isPaused = command == .pause
            items.agenda.addAll()
            outbox.beginRun()
        case .confirmDeletes: safeguards.answerDeletions(.delete, &survey)
        case .restoreDeleted: safeguards.answerDeletions(.putBack, &survey)
        case .doubt(let nodes):
            outbox.beginRun()
            for id in nodes { try items.doubt(id) }
        case .wish(let wish, let nodes):
            outbox.beginRun()
            for id in nodes { try items.wish(wish, for: id) }
            try commitIfIdle()
        case .demand(let id, let demand): try begin(demand, as: id)
        case .withdraw(let id):
            try work.endDemanding(items.demands.end(id, as: .withdrawn), &items, &outbox)
        case .resolve(let node, let choice):
            try resolve(node, choice)
        case .setExcludes(let patterns):
            survey.setExcludes(patterns)
            try items.loadTags(excluding: patterns)
        case .stop:
            isStopping = true
        }
    }

    /// The user decides a conflict; an item without one stays as it is.
    private mutating func resolve(_ id: NodeID, _ choice: ConflictChoice) throws {
        guard let other = try items.store.status(id)?.counterpart else { return }
        outbox.beginRun()
        guard try items.decide(id, other, choice, &outbox) else { return }
        try commitIfIdle()
    }

    /// Commits what the user said. Published changes are committed after their barriers, and that with them.
    private mutating func commitIfIdle() throws {
        if publication.isIdle && !survey.isBusy { try items.commit() }
    }

    private mutating func begin(_ demand: Demand, as id: DemandID) throws {
        outbox.beginRun()
        // It may be reachable again, of which the next demand has the use.
        if safeguards.isBarred { survey.queue.requestProbe() }
        guard try items.begin(id, demand, isSeen: isSeen), let row = try items.store.node(demand.item, in: .local)
        else {
            return
        }
        survey.check(.local, row.place)
    }

    /// Whether everything was looked at since the session began, and nothing is lost of what happens.
    private var isSeen: Bool { safeguards.areRootsKnown && !survey.isScanning }

    private mutating func syncNow() {
        items.blocks.removeAll()
        items.agenda.addAll()
        survey.queue.requestScan()
        outbox.beginRun()
    }

    /// Starts everything that can start.
    private mutating func advance() throws {
        for id in items.blocks.endWaits(at: items.now) {
            items.agenda.add(id)
            items.demands.release(id)
        }
        for id in items.fetched.takeDue(at: items.now) { items.agenda.add(id) }
        for _ in 0..<Self.roundLimit {
            if isFinished { return }
            try publication.advance(&work, &items, &outbox, isStopping: isStopping)
            if publication.isIdle {
                if isStopping { return finishIfIdle() }
                try lookAtUrgent()
                let isHeld = holdsLooks() ? true : holdsScan()
                try survey.look(&items, &outbox, isBarred: safeguards.isBarred, isHeld: isHeld)
                try safeguards.decideOnMissing(&items, &survey, &outbox)
            }
            try serveDemands()
            if isStopping || (items.isPaused && items.demands.handled.isEmpty) || safeguards.halt != nil {
                if !isStopping && !safeguards.isBarred && !survey.isRunning {
                    try publication.settle(&items, &outbox)
                }
                if !isStopping && isLookDue { continue }
                return try reportIfQuiescent()
            }
            try plan()
            let scope: WorkScope = items.isPaused ? .demanded : .all
            try work.hashMore(scope, &items, &outbox)
            try work.stageMore(scope, &items, &outbox)
            try beginPublication(scope)
            try publication.advance(&work, &items, &outbox, isStopping: isStopping)
            // A batch without result leaves its items to be planned again.
            let goesOn = survey.isBusy || items.isPaused ? isLookDue : work.isPlanningDue(items)
            if publication.isIdle && items.demands.isPlanningDue { continue }
            if !publication.isIdle || !goesOn { return try reportIfQuiescent() }
        }
        outbox.setTimer(.retry, after: items.pauses.continuation)
    }

    /// Plans what nobody demands: nothing while the folder is paused or something is being published.
    private mutating func plan() throws {
        guard publication.isIdle, !items.isPaused else { return }
        if !survey.isBusy {
            // Files that were seen in the places of others count as their next versions from now on.
            survey.ousted.removeAll()
            try work.plan(&items, &outbox)
        }
        if survey.isScanningAlone {
            try work.planUrgent(&items)
            survey.ousted.removeAll { work[$0] != nil }
        }
    }

    /// Whether something must be looked at although nothing is running whose end would start that: it was noticed after
    /// the last look, or the scan was held for a publication that did not happen.
    private var isLookDue: Bool {
        publication.isIdle && outbox.isIdle && !survey.isIdle && !safeguards.isBarred
    }

    /// What changes during a full scan is looked at on the other side too before it is synced.
    private mutating func lookAtUrgent() throws {
        guard survey.isScanning else { return items.urgent.removeAll() }
        for (id, seen) in items.urgent.takeOneSided() {
            let row = try items.store.node(id, in: seen.other.tree) ?? items.store.node(id, in: seen.tree)
            if let row, row.id != .root { survey.check(seen.other, row.place) }
        }
    }

    /// Whether the scan must wait for a publication.
    private mutating func holdsScan() -> Bool {
        guard survey.mayBeHeld, !items.isPaused, safeguards.halt == nil else { return false }
        return publication.isDue(.urgent, work, items, &outbox)
    }

    /// Whether looks must wait for the publication of what is demanded.
    private mutating func holdsLooks() -> Bool {
        guard !items.demands.handled.isEmpty, survey.mayYield, safeguards.halt == nil else { return false }
        return publication.isDue(.demanded, work, items, &outbox)
    }

    private mutating func beginPublication(_ scope: WorkScope) throws {
        if !survey.isBusy {
            try publication.beginIfDue(scope, &work, &items, &outbox)
            if scope == .demanded { try publication.settle(&items, &outbox) }
            return
        }
        guard !survey.isRunning else { return }
        if holdsLooks() {
            try publication.beginIfDue(.demanded, &work, &items, &outbox)
        } else if holdsScan() {
            try publication.beginIfDue(.urgent, &work, &items, &outbox)
        }
        if !publication.isIdle { survey.wasHeld() }
    }

    // MARK: Demands

    /// Finds and plans what is demanded. Nothing is known of the roots before they were probed.
    private mutating func serveDemands() throws {
        guard !items.demands.isEmpty, !isStopping, safeguards.halt == nil, safeguards.areRootsKnown else { return }
        if isSeen { try items.endLooks(at: nil) }
        if try items.followDemands() { outbox.setTimer(.demand, after: .milliseconds(1)) }
        try work.planDemanded(&items, &outbox)
    }

    /// Ends demands that are over, all of them if nothing is started any more. True if any file is not demanded any more.
    private mutating func endDemands() throws -> Bool {
        if items.demands.isEmpty { return false }
        let before = items.demands.handled.count
        let halt: DemandFailure? =
            if isStopping {
                DemandFailure(.interrupted)
            } else {
                safeguards.halt.map { DemandFailure($0.isOffline ? .offline : .held, $0.message) }
            }
        if let halt {
            try work.endDemanding(items.demands.endAll(as: halt), &items, &outbox)
        } else {
            try items.settleDemands(items.takeChangedDemanded())
        }
        return items.demands.handled.count < before
    }

    /// How many batches in one event may have no result.
    private static let roundLimit = 64

    private mutating func finishIfIdle() {
        guard outbox.isIdle else { return }
        isFinished = true
        outbox.add(.finished)
    }

    private mutating func handle(_ result: EffectResult, of id: EffectID) throws {
        guard let purpose = outbox.end(id) else { return }
        survey.effectEnded(purpose)
        switch purpose {
        case .probe: try safeguards.handleProbe(result, &items, &survey, &outbox)
        case .list, .check, .claim:
            if case .failed(let failure) = result, failure.reason == .unreachable {
                return safeguards.goOffline(failure, &survey)
            }
            try LookResult(result).handle(purpose, &items, &survey)
            if case .check(.local, let place, _) = purpose { try items.endLooks(at: place) }
        case .mark(let side): try safeguards.handleMark(result, side, &items)
        case .hash(let side, let node, let version):
            work.endHash(node, &items)
            try HashResult(result).handle(side, node, version, &items, &survey, &outbox)
            noteUnreachable(result)
        case .stage(let node): try handleStaged(result, node)
        case .contents(let side): try handleContentsBarrier(result, side)
        case .publish(let node): try handlePublished(result, node)
        case .renames:
            if case .failed(let failure) = result { throw failure }
            publication.barrierEnded()
            // What was put away before may make room now.
            if publication.makesRoom {
                for id in items.blocks.releaseShortOfSpace(at: items.now) { items.agenda.add(id) }
            }
        case .discard: break
        }
    }

    /// Reports what the run did once nothing can continue by itself.
    private mutating func reportIfQuiescent() throws {
        let hasLooked = items.isPaused ? survey.isIdle : !survey.isBusy && !survey.isUnsettled
        guard outbox.isRunning || retryTimer.isDue, outbox.isIdle, publication.isIdle, safeguards.isBarred || hasLooked
        else { return }
        if safeguards.halt == nil && !items.isPaused {
            guard work.isIdle, !items.agenda.hasWork(isIdle: true) else { return }
        }
        try items.commit()
        retryTimer.set(items, survey, safeguards.halt, &outbox)
        // What waits for a moment belongs to the run.
        let goesOn = safeguards.halt == nil && !items.isPaused && items.blocks.holdForAMoment
        guard outbox.isRunning, !goesOn else { return }
        safeguards.endRun()
        let counts = try items.countsOfFolder()
        outbox.endRun(errors: counts.errors, waiting: counts.pending)
    }

    /// Reports the items whose appearance the event changed, and the status of the folder if it changed.
    private mutating func presentChanges() throws {
        items.standstill = safeguards.halt?.state
        let changes = try items.stateChanges()
        if !changes.isEmpty { outbox.add(.publish(changes)) }
        if let news = reportedStatus.news(try folderStatus()) { outbox.add(.folderStatus(news)) }
    }

    // MARK: Results

    private mutating func handleStaged(_ result: EffectResult, _ node: NodeID) throws {
        guard let operation = work.transferEnded(node) else { return }
        if case .staged(let hash, let size) = result {
            work.setStaged(node, hash)
            return try items.advanceOperation(node, to: size)
        }
        try work.end(node, &items)
        guard case .failed(let failure) = result else { return }
        try OperationFailure(operation, failure).dropStaging(&items, &survey, &outbox)
        noteUnreachable(result)
    }

    private mutating func handleContentsBarrier(_ result: EffectResult, _ side: Side) throws {
        publication.barrierEnded()
        guard case .failed(let failure) = result else { return }
        for operation in publication.waitingForContents(on: side, work).compactMap({ work[$0] }) {
            try OperationFailure(operation, failure).drop(&work, &items, &survey, &outbox)
            noteUnreachable(result)
        }
        publication.removeEnded(work)
    }

    private mutating func handlePublished(_ result: EffectResult, _ node: NodeID) throws {
        publication.ended(node)
        guard let operation = work[node] else { return }
        if case .failed(let failure) = result {
            try OperationFailure(operation, failure).settle(&work, &items, &survey, &outbox)
            return noteUnreachable(result)
        }
        try work.end(node, &items)
        items.blocks.remove(node)
        try items.endReason(of: node)
        if case .move = operation.decision { items.blocks.endRefusedMove(of: node) }
        if case .makeDirectory(let side, _) = operation.decision {
            // If it was there before and could not be listed when it was gone, that is over.
            survey.unlisted.remove(SideDirectory(side: side, node: node))
        }
        let traces = try OperationTraces(of: operation, items)
        try publication.record(result, of: operation, &items)
        try traces.note(&items, &survey)
        try items.markDirty(node)
    }

    /// A side cannot be reached: nothing more is begun.
    private mutating func noteUnreachable(_ result: EffectResult) {
        guard case .failed(let failure) = result, failure.reason == .unreachable else { return }
        safeguards.goOffline(failure, &survey)
    }

    /// Whether everything in the store may be committed: everything recorded as synced is durable on both sides.
    package var isSettled: Bool { items.recorded.isSettled }

    /// Commits everything in the store, if it may be committed.
    package mutating func commit() throws { try items.commit() }

    // MARK: Presentation

    /// How an item is shown to the user: its state, its progress and, if needed, a message.
    package func presentation(of id: NodeID) throws -> ItemPresentation { try items.presentation(of: id) }

    /// How an item is shown to the user that has neither a status nor counts in the store.
    package func presentation(ofPlain id: NodeID, marks: ItemMarks) throws -> ItemPresentation {
        try items.presentation(ofPlain: id, marks: marks)
    }

    /// What an item itself adds to the counts of its ancestors, and these ancestors.
    package func contribution(of id: NodeID) throws -> (counts: StateCounts, directories: [NodeID]) {
        (try items.own(id, try items.store.status(id)), try items.ancestors(from: try items.home(of: id)))
    }

    /// The state of the folder as a whole.
    package func folderStatus() throws -> SessionStatus { try SessionStatus(of: items, survey, safeguards.halt) }

    /// Why nothing new is started; nil if all is well.
    var haltMessage: Explanation? { safeguards.halt?.message }

    /// Whether something is to be done for the item that has not begun.
    func isPlanned(_ id: NodeID) -> Bool { work[id] != nil }

    /// Whether a side is being looked at.
    var isLooking: Bool { survey.isBusy }

    /// Whether nobody knows what is in a part of the folder.
    func isPartlyUnknown() throws -> Bool { try survey.isPartlyUnknown(items) }

    /// Why an item failed for lack of space, on either side; nil if none did.
    package func shortageOfSpace() throws -> Explanation? {
        guard let id = items.blocks.shortOfSpace else { return nil }
        return try items.store.status(id)?.message
    }

    /// Items that are tried again soon, because a program is writing them or they changed meanwhile, at most this many,
    /// with the message for each.
    package func itemsTriedAgain(limit: Int) -> [(node: NodeID, message: Explanation)] {
        Array(items.blocks.triedAgain.prefix(limit))
    }

    /// Items that a side puts off, at most this many, with the message for each.
    package func itemsPutOff(limit: Int) -> [(node: NodeID, message: Explanation)] {
        Array(items.blocks.putOff.prefix(limit))
    }
}
