/// The synchronisation of one folder: a state machine that is told what happened and says what is to be done.
///
/// It owns the store while it lives and commits to it by itself, in the order of promise 3. It touches nothing else:
/// effects are values for the caller to carry out.
///
/// It looks (lists directories, merges what it sees into the trees) and publishes (renames, moves, removes) in turn,
/// never both at once, so that no listing is older than a change of its own. Staging goes on beside both.
public struct SyncSession {
    let configuration: SessionConfiguration
    var items: Items
    var outbox: Outbox
    var lastStage: UInt64 = 0
    var survey: Survey
    var safeguards = Safeguards()
    var operations: [NodeID: Operation] = [:]
    var hashing: Set<NodeID> = []
    var toHash: [(NodeID, Side, Version)] = []
    var toStage: [NodeID] = []
    var staging = 0
    var ready: [NodeID] = []
    var batch: Batch?
    /// Milliseconds.
    var lastBatchTook: Int64 = 0
    var isPublishDue = false
    var publishTimerIsSet = false
    var isStopping = false
    var isFinished = false
    /// The state of the folder as it was told last.
    var toldStatus: FolderStatus?

    /// A session over a store, of which everything uncommitted is discarded. Send it `start` first.
    public init(store: any TreeStore, configuration: SessionConfiguration) {
        items = Items(store: store, configuration: configuration)
        self.configuration = configuration
        survey = Survey(excludes: configuration.excludes)
        outbox = Outbox(concurrency: configuration.concurrency)
    }

    /// Takes events and returns what is to be done. An error comes from the store, or says that changes could not
    /// be made durable, and ends the session: roll the store back to its last commit and begin a new one.
    ///
    /// Events that came together are best handed over together: what looks different is told once.
    public mutating func handle(_ events: [SessionEvent], now: Moment) throws -> [SessionAction] {
        try items.begin(at: now)
        for event in events { try take(event) }
        try advance()
        try guardMounts()
        try presentChanges()
        return outbox.handOver()
    }

    private mutating func take(_ event: SessionEvent) throws {
        switch event {
        case .start:
            try start()
        case .effect(let id, let result):
            try take(result, of: id)
        case .began(let id):
            if case .stage(let node) = outbox.purpose(of: id) { try items.beginOperation(node) }
        case .progress(let id, let bytes):
            if case .stage(let node) = outbox.purpose(of: id) { try items.advanceOperation(node, to: bytes) }
        case .changed(let side, let directories, let items, let isOverflow):
            survey.note(side, directories: directories, items: items, isOverflow: isOverflow)
        case .timer(let timer):
            fire(timer)
        case .command(let command):
            try obey(command)
        }
    }

    private mutating func start() throws {
        try items.makeRoots()
        try items.countSizes()
        try items.loadMounts()
        try items.endErrorsOfDirectories()
        try items.loadChoices()
        survey.requestScan()
        try safeguards.resume(&items, &survey)
    }

    private mutating func fire(_ timer: SessionTimer) {
        switch timer {
        case .publish:
            isPublishDue = true
            publishTimerIsSet = false
        case .settle: survey.quietTimerFired()
        case .retry:
            items.agenda.addAll()
            survey.retry(items.mounts)
            if safeguards.isBarred { survey.requestProbe() }
        }
    }

    private mutating func obey(_ command: SessionCommand) throws {
        switch command {
        case .syncNow: syncNow()
        case .syncAnswering(let answers):
            syncNow()
            safeguards.answer(answers)
        case .pause, .resume:
            try setPaused(command == .pause)
        case .confirmDeletes: safeguards.confirmDeletions(&survey)
        case .resolve(let node, let choice):
            try resolve(node, choice)
        case .setExcludes(let patterns):
            survey.setExcludes(patterns)
        case .stop:
            isStopping = true
        }
    }

    private mutating func syncNow() {
        items.blocks.removeAll()
        items.agenda.addAll()
        survey.requestScan()
        outbox.beginRun()
    }

    /// Begins whatever can be begun.
    private mutating func advance() throws {
        for _ in 0..<Self.roundLimit {
            if isFinished { return }
            try advanceBatch()
            if batch == nil {
                if isStopping { return finishIfIdle() }
                try survey.look(&items, &outbox, isBarred: safeguards.isBarred)
                try safeguards.settle(&items, &survey, &outbox)
            }
            if isStopping || items.isPaused || safeguards.halt != nil { return try reportIfQuiescent() }
            if batch == nil && !survey.isBusy { try plan() }
            try hashMore()
            try stageMore()
            try beginBatchIfDue()
            try advanceBatch()
            // A batch that came to nothing leaves its items to be planned again.
            if batch != nil || survey.isBusy || !isPlanningDue { return try reportIfQuiescent() }
        }
        outbox.add(.setTimer(.retry, milliseconds: 1_000))
    }

    /// Batches that may come to nothing in one event.
    private static let roundLimit = 64

    private mutating func finishIfIdle() {
        guard outbox.isIdle else { return }
        isFinished = true
        outbox.add(.finished)
    }

    private mutating func take(_ result: EffectResult, of id: EffectID) throws {
        guard let purpose = outbox.end(id) else { return }
        if purpose.isLooking { survey.effectEnded() }
        switch purpose {
        case .probe: try safeguards.takeProbe(result, &items, &survey, &outbox)
        case .list, .check, .claim:
            if case .failed(let failure) = result, failure.reason == .unreachable {
                return safeguards.goOffline(failure, &survey)
            }
            try takeSight(result, purpose)
        case .mark(let side): try safeguards.takeMark(result, side, &items)
        case .hash(let side, let node, let version): try takeHash(result, side, node, version)
        case .stage(let node): try takeStaged(result, node)
        case .contents(let side): try takeContentsBarrier(result, side)
        case .publish(let node): try takePublished(result, node)
        case .renames: try takeRenamesBarrier(result)
        case .discard: break
        }
    }

    private mutating func takeSight(_ result: EffectResult, _ purpose: Purpose) throws {
        switch purpose {
        case .list(let side, let directory, let isDeep):
            try survey.takeListing(result, of: directory, on: side, isDeep: isDeep, &items)
        case .check(let side, let place): try survey.takeEntry(result, at: place, on: side, &items)
        case .claim(let claim): try survey.takeCandidate(result, of: claim, &items)
        case .probe, .mark, .hash, .stage, .contents, .publish, .renames, .discard: break
        }
    }

    /// Says what the run did once nothing is left that could go on by itself.
    private mutating func reportIfQuiescent() throws {
        let hasLooked = items.isPaused ? survey.isIdle : !survey.isBusy && !survey.isUnsettled
        guard outbox.isRunning, outbox.isIdle, batch == nil, safeguards.isBarred || hasLooked else { return }
        if safeguards.halt == nil && !items.isPaused {
            guard isIdle, !items.agenda.hasWork(isIdle: true) else { return }
        }
        try items.commit()
        setRetryTimer()
        safeguards.endRun()
        outbox.endRun(errors: try items.counts(of: .root).errors)
    }

    private mutating func setRetryTimer() {
        if case .offline = safeguards.halt { return outbox.add(.setTimer(.retry, milliseconds: 30_000)) }
        if case .stopped = safeguards.halt { return outbox.add(.setTimer(.retry, milliseconds: 60_000)) }
        let unlisted = survey.hasUnlisted ? [items.now.monotonic + 30_000] : []
        let away = items.mounts.hasAway ? [items.now.monotonic + 30_000] : []
        guard let due = ([items.blocks.nextDue].compactMap(\.self) + unlisted + away).min() else { return }
        outbox.add(.setTimer(.retry, milliseconds: max(Int(due - items.now.monotonic), 1)))
    }

    /// Every effect on an item within a mounted file system is carried out only while that is mounted.
    private mutating func guardMounts() throws {
        if items.mounts.isEmpty { return }
        let points = try items.mountPoints()
        outbox.replaceEffects { effect in
            let crossed = points.filter { effect.isWithin($0) }
            return crossed.isEmpty ? effect : .within(crossed, effect)
        }
    }
}
