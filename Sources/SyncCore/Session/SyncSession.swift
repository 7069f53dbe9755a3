/// The synchronisation of one folder: a state machine that is told what happened and says what is to be done.
///
/// It owns the store while it lives and commits to it by itself, in the order of promise 3. It touches nothing else:
/// effects are values for the caller to carry out.
///
/// It looks (lists directories, merges what it sees into the trees) and publishes (renames, moves, removes) in turn,
/// never both at once, so that no listing is older than a change of its own. Staging goes on beside both.
public struct SyncSession {
    var configuration: SessionConfiguration
    var items: Items
    var outbox: Outbox
    var lastStage: UInt64 = 0
    var looking = Looking()
    /// The sides whose root got a mark in this session, or cannot carry one.
    var marked: Set<Side> = []

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
    var halt: Halt?
    var confirmation = Confirmation.none
    var answers: SyncAnswers = []
    /// The state of the folder as it was told last.
    var toldStatus: FolderStatus?

    /// A session over a store, of which everything uncommitted is discarded. Send it `start` first.
    public init(store: any TreeStore, configuration: SessionConfiguration) {
        items = Items(store: store, configuration: configuration)
        self.configuration = configuration
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
            note(side, directories: directories, items: items, isOverflow: isOverflow)
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
        looking.needsProbe = true
        looking.needsScan = true
        try expectLosses()
        try findRestore()
    }

    private mutating func note(_ side: Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool) {
        if isOverflow {
            looking.needsProbe = true
            looking.needsScan = true
        }
        looking.changes += directories.map { Looking.Change(side: side, path: $0, isDirectory: true) }
        looking.changes += items.map { Looking.Change(side: side, path: $0, isDirectory: false) }
    }

    private mutating func fire(_ timer: SessionTimer) {
        switch timer {
        case .publish:
            isPublishDue = true
            publishTimerIsSet = false
        case .settle: looking.quietDue = nil
        case .retry:
            items.agenda.addAll()
            looking.needsMounts = items.mounts.hasAway
            let unlisted = looking.unlisted.sorted { ($0.node, $0.side.rawValue) < ($1.node, $1.side.rawValue) }
            for directory in unlisted {
                looking.list(directory.side, directory.node, isDeep: true)
            }
            if case .offline = halt { looking.needsProbe = true }
            if case .stopped = halt { looking.needsProbe = true }
        }
    }

    private mutating func obey(_ command: SessionCommand) throws {
        switch command {
        case .syncNow: syncNow()
        case .syncAnswering(let answers):
            syncNow()
            self.answers = answers
            if answers.contains(.confirmDeletes) { confirmation = .run }
        case .pause, .resume:
            try setPaused(command == .pause)
        case .confirmDeletes: confirmDeletes()
        case .resolve(let node, let choice):
            try resolve(node, choice)
        case .setExcludes(let patterns):
            configuration.excludes = patterns
            looking.needsProbe = true
            looking.needsScan = true
        case .stop:
            isStopping = true
        }
    }

    private mutating func syncNow() {
        items.blocks.removeAll()
        items.agenda.addAll()
        looking.needsProbe = true
        looking.needsScan = true
        outbox.beginRun()
    }

    /// Begins whatever can be begun.
    private mutating func advance() throws {
        for _ in 0..<Self.roundLimit {
            if isFinished { return }
            try advanceBatch()
            if batch == nil {
                if isStopping { return finishIfIdle() }
                try look()
                try settle()
            }
            if isStopping || items.isPaused || halt != nil { return try reportIfQuiescent() }
            if batch == nil && !isLooking { try plan() }
            try hashMore()
            try stageMore()
            try beginBatchIfDue()
            try advanceBatch()
            // A batch that came to nothing leaves its items to be planned again.
            if batch != nil || isLooking || !isPlanningDue { return try reportIfQuiescent() }
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

    /// Whether something is being looked at or has to be. While it is only waited whether more goes missing, all that
    /// is not missing goes on.
    var isLooking: Bool {
        looking.running > 0 || looking.hasWork || (looking.isUnsettled && !looking.isAwaitingQuiet)
    }

    private mutating func take(_ result: EffectResult, of id: EffectID) throws {
        guard let purpose = outbox.end(id) else { return }
        if purpose.isLooking { looking.running -= 1 }
        switch purpose {
        case .probe: try takeProbe(result)
        case .list(let side, let directory, let isDeep): try takeListing(result, side, directory, isDeep: isDeep)
        case .check(let side, let place): try takeEntry(result, side, place)
        case .claim(let claim): try takeCandidate(result, of: claim)
        case .mark(let side): try takeMark(result, side)
        case .hash(let side, let node, let version): try takeHash(result, side, node, version)
        case .stage(let node): try takeStaged(result, node)
        case .contents(let side): try takeContentsBarrier(result, side)
        case .publish(let node): try takePublished(result, node)
        case .renames: try takeRenamesBarrier(result)
        case .discard: break
        }
    }

    /// Says what the run did once nothing is left that could go on by itself.
    private mutating func reportIfQuiescent() throws {
        let hasLooked = items.isPaused ? looking.running == 0 && !looking.hasWork : !isLooking && !looking.isUnsettled
        guard outbox.isRunning, outbox.isIdle, batch == nil, isBarred || hasLooked else { return }
        if halt == nil && !items.isPaused {
            guard isIdle, !items.agenda.hasWork(isIdle: true) else { return }
        }
        try items.commit()
        setRetryTimer()
        confirmation = .none
        answers = []
        outbox.endRun(errors: try items.counts(of: .root).errors)
    }

    private mutating func setRetryTimer() {
        if case .offline = halt { return outbox.add(.setTimer(.retry, milliseconds: 30_000)) }
        if case .stopped = halt { return outbox.add(.setTimer(.retry, milliseconds: 60_000)) }
        let unlisted = looking.unlisted.isEmpty ? [] : [items.now.monotonic + 30_000]
        let away = items.mounts.hasAway ? [items.now.monotonic + 30_000] : []
        guard let due = ([items.blocks.nextDue].compactMap(\.self) + unlisted + away).min() else { return }
        outbox.add(.setTimer(.retry, milliseconds: max(Int(due - items.now.monotonic), 1)))
    }
}
