internal import DBus
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// One synced folder in the worker: its settings, its engine, and what the bus is told of it.
final class FolderUnit {
    /// What the person chose.
    private(set) var settings: FolderSettings
    /// The folder as it was registered.
    let uri: ItemURI
    let remoteAddress: RemoteAddress
    let folder: SyncFolder
    /// The observed directories of this folder; only their changes are told.
    private(set) var observed: Set<ItemURI> = []
    /// The items that are moving now.
    private(set) var moving: Set<NodeID> = []
    private(set) var lastSynced: Int64?
    private(set) var hasStarted = false
    /// When it is looked through where not every change is told.
    private(set) var rescans = RescanPlan()
    let looks: ItemLooks
    /// What was said last of items that could not be synced.
    private var trouble: FolderNotice?
    private unowned let service: Worker
    private var waiting: [(RunSummary) -> Void] = []
    private var onStopped: (() -> Void)?
    private lazy var stopTimer = service.loop.makeTimer { [unowned self] in hasStopped() }
    private lazy var statusTimer = service.loop.makeTimer { [unowned self] in sendStatus() }
    private var statusSentAt: UInt64 = 0

    /// The least time between two reports of a folder's status, in nanoseconds: a person reads no faster.
    private static let statusInterval: UInt64 = 200_000_000
    /// How long the end waits for what is in flight, in nanoseconds: a side may never answer.
    private static let stopPatience: UInt64 = 6_000_000_000

    /// - Throws: `InvalidUri`, `UnsupportedRemote`, `InvalidRemote`, `Failed`.
    init(settings: FolderSettings, tag: String, service: Worker) throws(WorkerError) {
        self.settings = settings
        self.service = service
        looks = ItemLooks(control: service.control)
        do {
            uri = try ItemURI(settings.uri)
        } catch {
            throw .noFolderURI(settings.uri, error.reason)
        }
        remoteAddress = try RemoteAddress(settings.remote)
        let owner = try Self.owner(settings.id)
        let state = service.places.state(of: settings.id)
        let remote =
            switch remoteAddress {
            case .directory(let path): DiskEndpoints.remote(at: path, owner: owner)
            }
        do {
            folder = try SyncFolder(
                id: settings.id, path: uri.filePath, storePath: state.appending("trees.sqlite"),
                local: Self.local(at: uri, owner, service.places), remote: remote,
                configuration: SessionConfiguration(tag: tag, excludes: settings.patterns, isPaused: settings.paused),
                loop: service.control)
        } catch {
            throw .stateUnusable(uri.filePath, "\(error)")
        }
        folder.delegate = self
    }

    private static func owner(_ id: String) throws(WorkerError) -> EntryName {
        guard let owner = EntryName(id) else {
            throw .notValid(id)
        }
        return owner
    }

    private static func local(at uri: ItemURI, _ owner: EntryName, _ places: WorkerPlaces) -> any Endpoint {
        DiskEndpoints.local(
            at: uri.filePath, stateDirectory: places.state(of: owner.description), dataHome: places.dataHome,
            owner: owner)
    }

    /// The folder as it would be at another place. Nothing of it is opened yet.
    func root(at uri: ItemURI) throws(WorkerError) -> any Endpoint {
        Self.local(at: uri, try Self.owner(settings.id), service.places)
    }

    // MARK: Running

    /// Begins to sync; a second time does nothing.
    func start() {
        guard !hasStarted else { return }
        hasStarted = true
        beginLook()
        folder.start()
    }

    /// Ends; `onStopped` is called when nothing is in flight any more, or a side does not answer.
    func stop(_ onStopped: @escaping () -> Void) {
        guard hasStarted else { return onStopped() }
        self.onStopped = onStopped
        statusTimer.cancel()
        stopTimer.set(deadline: EventLoop.now() + Self.stopPatience)
        folder.stop()
    }

    /// After `stop`: gives up the database, and what it says of the old place where the new one is a copy.
    func leave(for place: NewPlace) throws(WorkerError) {
        defer { folder.close() }
        guard let identity = place.adopts else { return }
        do {
            try folder.adopt(localRoot: identity)
        } catch let failure as StoreFailure {
            throw .staysThere(explainer.sentence(failure.explanation))
        } catch {
            throw .staysThere("\(error)")
        }
    }

    private func hasStopped() {
        stopTimer.cancel()
        let callback = onStopped
        onStopped = nil
        callback?()
    }

    /// Looks at both sides and syncs; `onFinished` gets what the run did.
    ///
    /// - Parameter answers: To what this run may find and stop at.
    func sync(answering answers: SyncAnswers = [], _ onFinished: ((RunSummary) -> Void)? = nil) {
        if let onFinished { waiting.append(onFinished) }
        // A session that begins looks at everything anyway.
        let isNew = !hasStarted
        start()
        if !answers.isEmpty {
            folder.command(.syncAnswering(answers))
        } else if !isNew {
            folder.command(.syncNow)
        }
    }

    /// Calls `body` when the next run ends that is under way or begins by itself.
    func whenRunEnds(_ body: @escaping (RunSummary) -> Void) { waiting.append(body) }

    /// What waits because somebody writes it; empty while the folder itself cannot go on.
    var itemsBeingWritten: [SyncRunResult.Waiting] {
        switch folder.status.phase {
        case .idle, .looking, .syncing: break
        case .paused, .offline, .stopped, .confirmDeletes: return []
        }
        return folder.itemsBeingWritten(limit: Self.toldAtMost).compactMap { item in
            itemURI(of: item.node).map { SyncRunResult.Waiting(uri: $0.uri, message: explainer.sentence(item.message)) }
        }
    }

    private static let toldAtMost = 100

    /// Calls `body` when nothing is in flight: now, or after the present run.
    func whenAtRest(_ body: @escaping () -> Void) {
        switch folder.status.phase {
        case .looking, .syncing: waiting.append { _ in body() }
        case .idle, .paused, .offline, .stopped, .confirmDeletes: body()
        }
    }

    /// Looks everywhere again, as changes may have been missed.
    func rescan(_ side: Side) {
        if hasStarted { folder.changed(side, isOverflow: true) }
    }

    func confirmDeletes() { folder.command(.confirmDeletes) }

    func setPaused(_ paused: Bool) {
        guard settings.paused != paused else { return }
        settings.paused = paused
        folder.command(paused ? .pause : .resume)
    }

    func setExcludes(_ excludes: [String]) {
        settings.excludes = excludes
        folder.command(.setExcludes(settings.patterns))
    }

    // MARK: Observers

    func observe(_ directory: ItemURI) { observed.insert(directory) }

    func endObserving(_ directory: ItemURI) { observed.remove(directory) }

    func endObserving() { observed = [] }

    // MARK: What is not watched

    /// These sides are not watched as a whole: they are checked for changes from time to time, and the status says so.
    func setUnwatched(_ sides: Set<Side>) {
        if rescans.setUnwatched(sides, at: EventLoop.now()), hasStarted { publishStatus() }
    }

    /// Looks the unwatched sides through, if that is due.
    func rescanIfDue() {
        guard hasStarted, rescans.takeDue(at: EventLoop.now()) else { return }
        whenAtRest { [weak self] in
            guard let self else { return }
            beginLook()
            for side in rescans.unwatched.sorted(by: { $0 == .local && $1 != .local }) { rescan(side) }
        }
    }

    /// Everything is looked at from here on.
    func beginLook() { rescans.begin(at: EventLoop.now(), date: microseconds()) }

    /// What stands for “Up to date” where not every change is told.
    var restingSentence: String {
        guard !rescans.unwatched.isEmpty else { return Words.upToDate }
        guard let date = rescans.lookedThrough else { return Words.looking }
        let minutes = max(1, (rescans.interval + 30_000_000_000) / 60_000_000_000)
        return Words.upToDate(asOf: date, lookedThroughEvery: Int(clamping: minutes))
    }

    // MARK: Telling

    /// What failed is tried again from time to time and is no error meanwhile; that does not mend it. So while
    /// something is going on, what was said last stands.
    var troubleNotice: FolderNotice? {
        let isAtWork = folder.status.phase == .syncing || folder.status.phase == .looking
        if !isAtWork || trouble == nil { trouble = presentTrouble }
        return trouble
    }

    /// Microseconds since 1970.
    func microseconds() -> Int64 { service.microseconds() }

    func publishStatus() { service.publishStatus(of: self) }

    private func sendStatus() {
        statusSentAt = EventLoop.now()
        service.publishStatus(of: self)
    }
}

extension FolderUnit: SyncFolderDelegate {
    func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) {
        for change in states {
            if change.state == .syncing { moving.insert(change.node) } else { moving.remove(change.node) }
        }
        service.publish(updates(for: states))
    }

    func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
        // A folder that cannot go on ends no run; whoever waits for one is told by the state.
        if status.phase == .stopped || folder.silentSide != nil { finishWaiting(RunSummary()) }
        guard statusTimer.deadline == nil else { return }
        let next = statusSentAt + Self.statusInterval
        if EventLoop.now() >= next { sendStatus() } else { statusTimer.set(deadline: next) }
    }

    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        service.publish(activities.map { activity($0) })
    }

    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        if folder.status.state <= .synced { lastSynced = service.microseconds() }
        rescans.finish(at: EventLoop.now(), foundChanges: !summary.isSilent)
        service.planRescans()
        if !rescans.unwatched.isEmpty { publishStatus() }
        finishWaiting(summary)
    }

    /// Tells those who wait for a run, once its last states have come as well.
    private func finishWaiting(_ summary: RunSummary) {
        guard !waiting.isEmpty else { return }
        let callbacks = waiting
        waiting = []
        service.loop.atEndOfTurn {
            for callback in callbacks { callback(summary) }
        }
    }

    func syncFolderDidStop(_ folder: SyncFolder) {
        hasStopped()
    }

    func syncFolder(_ folder: SyncFolder, warns warning: Explanation) {
        log(.warning, explainer.sentence(warning))
    }
}

extension FolderSettings {
    /// The exclude patterns as the session takes them.
    var patterns: ExcludePatterns {
        ExcludePatterns(excludes.map { Array($0.utf8) })
    }

    /// Checks patterns that a person gave: each must be able to match something, and hold at most 4,096 bytes.
    /// - Throws: `InvalidPattern`, for the first that is none.
    static func requirePatterns(_ patterns: [String]) throws(WorkerError) {
        let bad = patterns.first { $0.utf8.count > 4096 || !ExcludePatterns.isPattern(Array($0.utf8)) }
        guard let bad else { return }
        let shown = String(bad.prefix(100))
        throw bad.hasPrefix("#") ? .commentPattern(shown) : .noPattern(shown)
    }
}
