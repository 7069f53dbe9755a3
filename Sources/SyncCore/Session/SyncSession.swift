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
    /// Whether the retry timer has fired, so that it must be set again.
    private var isRetryDue = false
    /// The status of the folder as it was last reported.
    private var reportedStatus: SessionStatus?

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
        try openReadOnly()
        try guardMounts()
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
        try items.makeRoots()
        try items.noteDirection()
        try items.countSizes()
        try items.loadMounts()
        try items.loadCopied()
        try items.loadWishes()
        try items.loadWithheld()
        try items.loadTags(excluding: survey.excludes)
        try items.endErrorsOfDirectories()
        try items.endReasons()
        try items.loadChoices()
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
            isRetryDue = true
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
            let left = items.demands.end(id, as: .withdrawn)
            for file in left { try work.abandon(file, &items, &outbox) }
            try items.endDemanding(left)
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
        let count = work.readyCount(.urgent, items)
        return publication.isDue(ready: count, isHurried: work.isOpeningReady(items), work, &outbox)
    }

    /// Whether looks must wait for the publication of what is demanded.
    private mutating func holdsLooks() -> Bool {
        guard !items.demands.handled.isEmpty, survey.mayYield, safeguards.halt == nil else { return false }
        let count = work.readyCount(.demanded, items)
        return publication.isDue(ready: count, isHurried: work.isOpeningReady(items), work, &outbox)
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
                safeguards.halt.map { DemandFailure($0.isOffline ? .offline : .held, haltMessage ?? .nothing) }
            }
        if let halt {
            let left = items.demands.endAll(as: halt)
            for file in left { try work.abandon(file, &items, &outbox) }
            try items.endDemanding(left)
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
        case .hash(let side, let node, let version): try handleHash(result, side, node, version)
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
        guard outbox.isRunning || isRetryDue, outbox.isIdle, publication.isIdle, safeguards.isBarred || hasLooked
        else { return }
        if safeguards.halt == nil && !items.isPaused {
            guard work.isIdle, !items.agenda.hasWork(isIdle: true) else { return }
        }
        try items.commit()
        setRetryTimer()
        isRetryDue = false
        // What waits for a moment belongs to the run.
        let goesOn = safeguards.halt == nil && !items.isPaused && items.blocks.holdForAMoment
        guard outbox.isRunning, !goesOn else { return }
        safeguards.endRun()
        let counts = try items.countsOfFolder()
        outbox.endRun(errors: counts.errors, waiting: counts.pending)
    }

    private mutating func setRetryTimer() {
        if case .offline(let message) = safeguards.halt {
            let wait = message.requestedWait.map { min($0, items.pauses.longestItem) } ?? items.pauses.offline
            return outbox.setTimer(.retry, after: wait)
        }
        if case .stopped = safeguards.halt { return outbox.setTimer(.retry, after: items.pauses.stopped) }
        let isIncomplete = !survey.unlisted.isEmpty || items.mounts.hasAway
        let incomplete = isIncomplete ? items.now.instant + items.pauses.incomplete : nil
        let due = [items.blocks.nextDue, items.fetched.nextDue, incomplete]
            .compactMap(\.self).min()
        if let due { outbox.setTimer(.retry, after: due - items.now.instant) }
    }

    /// What changes at the remote comes into directories that the user may not change as well.
    private mutating func openReadOnly() throws {
        guard items.hasWithheld else { return }
        try outbox.replaceEffects { effect in
            let closed = try items.closedDirectories(of: effect)
            return closed.isEmpty ? effect : .opening(closed, effect)
        }
    }

    /// Effects on items within a mounted file system are carried out only while it is mounted.
    private mutating func guardMounts() throws {
        if items.mounts.isEmpty { return }
        let points = try items.mountPoints()
        outbox.replaceEffects { effect in
            let footprint = effect.footprint
            let crossed = points.filter { footprint.isWithin($0) }
            return crossed.isEmpty ? effect : .within(crossed, effect)
        }
    }

    /// Reports the items whose appearance the event changed, and the status of the folder if it changed.
    private mutating func presentChanges() throws {
        items.standstill = safeguards.halt?.state
        let changes = try items.stateChanges()
        if !changes.isEmpty { outbox.add(.publish(changes)) }
        let folder = try folderStatus()
        if folder != reportedStatus {
            reportedStatus = folder
            outbox.add(.folderStatus(folder))
        }
    }

    // MARK: Results

    private mutating func handleHash(
        _ result: EffectResult, _ side: Side, _ id: NodeID, _ version: Version
    ) throws {
        work.endHash(id, &items)
        guard var row = try items.store.node(id, in: side.tree), let known = row[side] else { return }
        if case .failed(let failure) = result {
            try fail(id, failure)
            return survey.check(side, row.place)
        }
        guard case .hashed(let hash, var seen) = result else { return }
        // Another version was seen since then: the hash is outdated.
        guard known.tag == version.tag else { return }
        if seen.tag != known.tag { return survey.check(side, row.place) }
        // Longer than a tick of the clock of any disk with fine times.
        if seen.isRacy { return items.blocks.postpone(id, for: .milliseconds(50), at: items.now) }
        seen.identity = known.identity
        seen.hash = hash
        row[side] = seen
        try items.write(row, in: side.tree)
    }

    private mutating func handleStaged(_ result: EffectResult, _ node: NodeID) throws {
        guard let operation = work.transferEnded(node) else { return }
        if case .staged(let hash, let size) = result {
            work.setStaged(node, hash)
            return try items.advanceOperation(node, to: size)
        }
        try work.end(node, &items)
        guard case .failed(let failure) = result else { return }
        // The move is tried again with the contents.
        items.stuck.remove(node)
        try fail(node, failure)
        if failure.reason != .unreachable { try lookAgain(operation, failure.reason) }
    }

    private mutating func handleContentsBarrier(_ result: EffectResult, _ side: Side) throws {
        publication.barrierEnded()
        guard case .failed(let failure) = result else { return }
        for node in publication.waitingForContents(on: side, work) { try drop(node, failure) }
        publication.removeEnded(work)
    }

    private mutating func handlePublished(_ result: EffectResult, _ node: NodeID) throws {
        publication.ended(node)
        guard let operation = work[node] else { return }
        if case .failed(let failure) = result {
            return try goElsewhere(operation, failure) ? () : drop(node, failure)
        }
        try work.end(node, &items)
        items.blocks.remove(node)
        try items.endReason(of: node)
        if case .move = operation.decision { items.stuck.remove(node) }
        if case .makeDirectory(let side, _) = operation.decision {
            // If it was there before and could not be listed when it was gone, that is over.
            survey.unlisted.remove(SideDirectory(side: side, node: node))
        }
        let (directories, files) = (try directories(of: operation), try files(of: operation))
        let discarded = try discardedDirectory(of: operation)
        try publication.record(result, of: operation, &items)
        if let discarded { survey.changes.noteDiscard(discarded, at: items.now) }
        for id in operation.concerned {
            if let row = try items.store.node(id, in: operation.side.tree) {
                survey.noteChange(operation.side, row.place)
                if row.kind == .directory {
                    survey.changes.noteOwn(SideDirectory(side: operation.side, node: id), at: items.now)
                }
            }
        }
        for file in files { try survey.checkOtherNames(of: file, on: operation.side, items, isGone: true) }
        for (id, path) in directories where try items.store.path(of: id, in: operation.side.tree) != path {
            try survey.noteMove(of: id, from: path, on: operation.side, &items)
        }
        try items.markDirty(node)
    }

    /// The path of the directory that an operation puts in the trash; nil if it does not discard one.
    private func discardedDirectory(of operation: Operation) throws -> RelativePath? {
        guard let id = operation.discarded, try items.store.node(id, in: .local)?.kind == .directory else { return nil }
        return try items.store.path(of: id, in: .local)
    }

    /// The directories that an operation may move, and their paths.
    private func directories(of operation: Operation) throws -> [(NodeID, RelativePath)] {
        try operation.concerned.compactMap { id in
            guard try items.store.node(id, in: operation.side.tree)?.kind == .directory else { return nil }
            return try items.store.path(of: id, in: operation.side.tree).map { (id, $0) }
        }
    }

    /// The files that an operation changes, moves or removes, as they were before. If the user changed one of them at
    /// that moment, the watcher reports a name that it may no longer have, but its other names show the change.
    private func files(of operation: Operation) throws -> [Node] {
        var ids = operation.concerned
        if let discarded = operation.discarded { ids += try items.subtreeUpwards(discarded, in: .local) }
        // Where a directory goes with everything in it, no file has another name: the remote's lasting IDs name one item.
        if operation.isOfTree { ids = [] }
        return try ids.compactMap { try items.store.node($0, in: operation.side.tree) }.filter { $0.kind == .file }
    }

    // MARK: Failures

    private mutating func drop(_ node: NodeID, _ failure: EffectFailure) throws {
        guard let operation = try work.end(node, &items) else { return }
        outbox.discardStage(of: operation)
        if operation.isOfTree {
            try leaveTree(operation.node, failure)
        } else if try !goAnotherWay(operation, failure) {
            if try !takeBackChoice(operation, failure) { try fail(node, failure) }
            noteRefusal(operation, failure.reason)
        }
        try lookAgain(operation, failure.reason)
    }

    /// In a folder from which items are only uploaded, what the remote refuses shows what is there: true if nothing failed
    /// by that.
    private mutating func goElsewhere(_ operation: Operation, _ failure: EffectFailure) throws -> Bool {
        guard items.uploads != nil, operation.side == .remote else { return false }
        switch items.refusal(of: operation, failure) {
        case .isTaken:
            // What is staged goes there under another name.
            work.giveBack([operation.node])
            return true
        case .mayBeGone:
            // If the root is gone, that says nothing about what is in it.
            survey.queue.requestProbe()
            try work.end(operation.node, &items)
            outbox.discardStage(of: operation)
            return true
        case .other: return false
        }
    }

    /// The remote did not remove a directory with everything in it. What passes is waited for. Otherwise something in it is
    /// not as it was known, or the remote does not do that: each item in it is then removed by itself, only as it is known,
    /// so this is no failure that is shown.
    private mutating func leaveTree(_ node: NodeID, _ failure: EffectFailure) throws {
        switch failure.reason {
        case .putOff, .unreachable, .notMounted: try fail(node, failure)
        case .changed, .notFound, .exists, .notEmpty, .busy, .nameClash, .denied, .noSpace, .io:
            try items.removeOneByOne(treeOf: node)
        }
    }

    /// If a side refused a move, contents that changed go where the item is.
    private mutating func noteRefusal(_ operation: Operation, _ reason: EffectFailure.Reason) {
        let node = operation.node
        guard case .move = operation.decision, !operation.isStepAside else {
            items.stuck.remove(node)
            return
        }
        switch reason {
        case .denied, .nameClash, .io, .noSpace:
            items.stuck.insert(node)
            items.blocks.noteMove(of: node, isDenied: reason == .denied)
        case .changed, .notFound, .exists, .notEmpty, .busy, .putOff, .unreachable, .notMounted: break
        }
    }

    /// What a side can never move is copied to its new place and removed from the old one: true if it will be.
    private mutating func goAnotherWay(_ operation: Operation, _ failure: EffectFailure) throws -> Bool {
        let node = operation.node
        guard case .move(let side, _, _) = operation.decision, failure.isOfMoving else { return false }
        if !failure.isAcrossFileSystems {
            // What is denied for a while may be allowed once the next permissions are set.
            let isForGood = items.blocks.deniedMoves(of: node) + 1 >= Self.denialsForGood
            if operation.isStepAside || !isForGood { return false }
        }
        // What is missing may be in the item, or may have been moved out of it.
        guard try items.store.node(node, in: .synced) != nil, try !items.isAnythingMissing() else { return false }
        if side == .remote, try items.planner.holdsPlaceholder(node) { return false }
        items.blocks.remove(node)
        items.stuck.remove(node)
        // In a ring of exchanged names, the place of each copy is free only when another item has left it.
        try items.part(node, on: side, isRemovedLast: !operation.isStepAside)
        return true
    }

    /// How often a side must deny a move until it counts as impossible: that takes about seven seconds.
    private static let denialsForGood = 4

    /// The effect of a user's decision failed: true if the user must decide again and sees the reason. A failure that
    /// is likely to pass is retried instead.
    private mutating func takeBackChoice(_ operation: Operation, _ failure: EffectFailure) throws -> Bool {
        guard operation.decision.isChoice else { return false }
        switch failure.reason {
        case .busy, .putOff, .unreachable, .notMounted: return false
        case .nameClash, .denied, .noSpace, .io:
            try items.refuseChoice(operation.node, failure.message, &outbox)
        case .changed, .notFound, .exists, .notEmpty:
            let reason = Explanation(.versionChanged)
            try items.refuseChoice(operation.node, reason, &outbox)
        }
        return true
    }

    /// An effect for an item failed: the item is retried now or later, or shows an error.
    private mutating func fail(_ id: NodeID, _ failure: EffectFailure) throws {
        if try items.noteDemandedFailure(failure, of: id) { return }
        items.agenda.add(id)
        items.blocks.note(failure, of: id, at: items.now)
        switch failure.reason {
        // Whatever it waited for before is over.
        case .busy: try items.setReason(id, .nothing)
        case .changed, .notFound, .exists, .notEmpty:
            // What goes on being otherwise than expected is no chance: a side takes two names for one, or tells of an
            // item what is not so.
            if items.blocks.isPersistent(id) { try setError(id, failure.message) }
        case .putOff: try items.setReason(id, failure.message)
        case .unreachable: safeguards.goOffline(failure, &survey)
        case .notMounted: survey.queue.requestMounts()
        case .nameClash, .denied, .noSpace, .io: try setError(id, failure.message)
        }
    }

    private mutating func setError(_ id: NodeID, _ message: Explanation) throws {
        let path = try items.store.path(of: id, in: .local) ?? items.store.path(of: id, in: .remote) ?? .root
        let message = message.isEmpty ? Explanation(.failed, nil, "\(path)", "5") : message
        try items.setError(id, message)
        guard items.blocks.isNews(message, of: id) else { return }
        outbox.report(Activity(kind: .error, node: id, path: path, detail: message.stored))
    }

    /// Looks at both sides of an item again, and at its destination.
    private mutating func lookAgain(_ operation: Operation, _ reason: EffectFailure.Reason) throws {
        // Where nothing else is looked at, only this shows that the root is gone.
        let mayBeGone = reason == .notFound || reason == .changed
        if items.uploads != nil && operation.side == .remote && mayBeGone { survey.queue.requestProbe() }
        for side in Side.allCases {
            guard let row = try items.store.node(operation.node, in: side.tree) else { continue }
            survey.check(side, row.place)
            if reason == .notEmpty || reason == .notFound { survey.list(side, row.parent, isDeep: false) }
            let isUnknown = reason == .notEmpty || (reason == .changed && operation.isOfTree && side == .remote)
            if isUnknown { survey.list(side, operation.node, isDeep: true) }
        }
        switch operation.decision {
        case .transfer(_, _, let place, _), .describe(_, let place, _), .makeDirectory(_, let place),
            .move(_, let place, _):
            survey.check(operation.side, place)
            if reason == .notFound { survey.list(operation.side, place.parent, isDeep: false) }
            // The remote may not let its user change the directory any more.
            if reason == .denied, operation.side == .remote, place.parent != .root,
                let parent = try items.store.node(place.parent, in: .remote)
            {
                survey.check(.remote, parent.place)
            }
        case .displace(let displaced, _, let place):
            survey.check(.local, place)
            survey.check(.local, Place(parent: place.parent, name: displaced.name))
        case .promoteCopy(_, let other, _), .discard(let other, _):
            guard let row = try items.store.node(other, in: .local) else { return }
            survey.check(.local, row.place)
        case .free, .setPermissions, .remove, .removeTree: break
        case .nothing, .adopt, .dropBase, .merge, .separate, .part, .hash, .wait, .unseen, .blocked: break
        }
    }

    /// Whether everything in the store may be committed: everything recorded as synced is durable on both sides.
    package var isSettled: Bool { items.isSettled }

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
    package func folderStatus() throws -> SessionStatus {
        let counts = try items.countsOfFolder()
        let state = try presentation(of: .root).state
        switch safeguards.halt {
        case .stopped(let reason, let message):
            var status = SessionStatus(phase: .stopped, state: .error, counts: counts, message: message)
            status.stopReason = reason
            return status
        case .restored(let restore):
            var status = SessionStatus(phase: .stopped, state: .error, counts: counts, message: restore.message)
            status.stopReason = .remoteRestored
            return status
        case .offline(let message):
            return SessionStatus(phase: .offline, state: state, counts: counts, message: message)
        case .confirmDeletes(let count, let side, let before):
            var status = SessionStatus(
                phase: .confirmDeletes(count: count, side: side), state: .error, counts: counts,
                message: Explanation(.deletionsWait, side, "\(count)", "\(before)"))
            status.deletedBefore = before
            return status
        case nil: break
        }
        if items.isPaused { return SessionStatus(phase: .paused, state: state, counts: counts) }
        let isSyncing = items.hasOperations
        let isSeeking = survey.isRunning || survey.losses.isAwaitingQuiet
        let phase: SessionStatus.Phase = isSyncing ? .syncing : isSeeking ? .looking : .idle
        var status = SessionStatus(phase: phase, state: state, counts: counts)
        status.isPartlyUnknown = try survey.isPartlyUnknown(items)
        return status
    }

    /// Why nothing new is started; nil if all is well.
    var haltMessage: Explanation? {
        switch safeguards.halt {
        case .stopped(_, let message), .offline(let message): message
        case .restored(let restore): restore.message
        case .confirmDeletes(let count, let side, let before):
            Explanation(.deletionsWait, side, "\(count)", "\(before)")
        case nil: nil
        }
    }

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
