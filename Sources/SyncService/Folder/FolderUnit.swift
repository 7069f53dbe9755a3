internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine

/// One synced folder in the worker: runs its engine according to its settings, and forwards the engine's reports to the
/// worker and the bus. The value types in this directory decide what is reported, and how.
final class FolderUnit {
    /// The user's choices.
    private(set) var settings: FolderSettings
    /// The URI of the folder, as registered.
    let uri: ItemURI
    /// The place of its remote.
    let remote: any RemotePlace
    /// Makes sentences of the engine's messages about this folder.
    let explainer: Explainer
    private(set) var hasStarted = false
    private unowned let service: Worker
    private let sides: FolderSides
    private var meteredHold: MeteredHold
    private let engine: SyncFolder
    private let items: FolderItems
    private let attributes: FolderAttributes
    private let conflicts: FolderConflicts
    /// The pages and links of its items; nil for a remote that has none.
    let pages: FolderPages?
    private var badges: FolderBadges
    private var transfers: FolderTransfers
    private var rate = TransferRate()
    private var standingNotices: FolderNotices
    /// When the folder is scanned if not every change is reported.
    private var rescans = RescanPlan()
    /// Whether such a scan will start as soon as nothing else is running.
    private var awaitsRescan = false
    /// Checks whether the server is still the same; nil without a server.
    private var serverReview: ServerReview?
    /// Receives change notifications from the server, if it sends them.
    private var serverListener: ServerListener?
    private var lastSynced: Int64?
    /// The callbacks that wait for the end of a run.
    private var waiting: [(RunSummary) -> Void] = []
    private let departure = FolderDeparture()
    /// What the runs did so far that started before this caller asked for the first one; nil once it asked.
    private var firstRun: (caller: String, summary: RunSummary)?
    private var onStopped: (() -> Void)?
    // The loop keeps timers that are set, also those of a folder that was removed.
    private lazy var stopTimer = service.loop.makeTimer { [weak self] in self?.hasStopped() }
    private lazy var statusTimer = service.loop.makeTimer { [weak self] in self?.sendStatus() }
    private var statusSentAt = Instant(nanoseconds: 0)

    /// How many of the items that a program is writing are listed.
    private static let namedAtMost = 100

    /// - Throws: `InvalidUri`, `UnsupportedRemote`, `InvalidRemote`, `Failed`.
    init(settings: FolderSettings, tag: String, service: Worker) throws(WorkerError) {
        self.settings = settings
        self.service = service
        do {
            uri = try ItemURI(settings.uri)
        } catch {
            throw .noFolderURI(settings.uri, because: error.reason)
        }
        explainer = Explainer(folder: settings.label, word: Words.word(uri.filePath))
        remote = try service.kinds.place(settings.remote)
        meteredHold = MeteredHold(isAllowed: settings.network?.isAllowedOnMetered ?? false)
        sides = try FolderSides(settings, remote: remote, service: service)
        engine = try sides.engine(settings, tag: tag, at: uri, on: service.control)
        items = FolderItems(uri, remote: remote, engine: engine, explainer: explainer)
        attributes = FolderAttributes(items, engine: engine, explainer: explainer, control: service.control)
        conflicts = FolderConflicts(items, engine: engine, of: settings.id)
        pages = FolderPages(items, of: sides.connection.pages, explainer: explainer, blocking: service.blocking)
        badges = FolderBadges(items, engine: engine)
        transfers = FolderTransfers(items, engine: engine)
        standingNotices = FolderNotices(
            items, conflicts: conflicts, engine: engine, explainer: explainer, label: settings.label)
        engine.delegate = self
        if let server {
            serverReview = ServerReview(of: server, blocking: service.blocking) { [weak self] in
                self?.serverBecame($0)
            }
        }
    }

    // MARK: Places

    /// The root at another place, without opening anything there.
    func root(at uri: ItemURI) -> any LocalEndpoint { sides.local(at: uri) }

    /// The identity of the synced directory; nil if none is known.
    var knownRoot: Token? { identity(.localRoot) }

    private func identity(_ key: StoreKey) -> Token? { ((try? engine.store.value(key)) ?? nil).map { Token($0) } }

    /// What the database tells about the identities of the two roots.
    var notedRoots: NotedRoots { engine.notedRoots }

    /// Reads the identities of the two roots from the disks, on a thread that may block.
    var rootsOnDisk: @Sendable () -> FolderRoots { { [engine] in engine.rootsOnDisk() } }

    /// The server that the folder syncs with; nil if it syncs with something else.
    var server: (any RemoteServer)? { sides.connection.server }

    // MARK: Running

    /// Starts to sync; does nothing when called again.
    func start() {
        guard !hasStarted, !hasDeparted else { return }
        hasStarted = true
        beginScan()
        engine.start()
        followServer()
    }

    /// Subscribes to change notifications of the server, if it may send them.
    private func followServer() {
        guard let server, server.mayReportChanges else {
            serverListener = nil
            return
        }
        guard serverListener == nil else { return }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let changed: () -> Void = { [weak self] in self?.serverChanged() }
        serverListener = ServerListener(of: server) { [control = service.control] in control.post { changed() } }
    }

    /// Called when the server changed and was tried out again.
    private func serverBecame(_ found: RemoteFindings) {
        // Effects that already run end with what was known before.
        whenAtRest { [weak self] in
            guard let self, let server, hasStarted else { return }
            server.adopt(found)
            followServer()
            do throws(WorkerError) {
                try service.change(self) { ($0.traits, $0.server) = (found.traits, found.identity) }
            } catch {
                // The server will be probed again.
                log(.warning, error.message)
            }
        }
    }

    /// Stops; calls `onStopped` when no effect runs any more, or if a side does not respond.
    func stop(_ onStopped: @escaping () -> Void) {
        guard hasStarted else { return onStopped() }
        self.onStopped = onStopped
        serverListener = nil
        statusTimer.cancel()
        stopTimer.set(after: Patience.Worker.stop)
        engine.stop()
    }

    /// Ends everything that waits for this object, which no longer stands for a synced folder, with the reason.
    func depart(because reason: WorkerError) { departure.depart(because: reason) }

    /// Whether this object no longer stands for a synced folder.
    var hasDeparted: Bool { departure.reason != nil }

    /// A function that passes its result to `body`; if the folder is removed or moved before, `body` gets the reason.
    func untilDeparture<Value>(
        _ body: @escaping (Result<Value, WorkerError>) -> Void
    ) -> (Result<Value, WorkerError>) -> Void { departure.until(body) }

    /// After `stop`, at the end of the program or of the object: closes the database, which also records that it is
    /// intact.
    func close() { engine.close() }

    /// After `stop`, when the folder is no longer synced: removes the remains of large transfers, as far as both sides
    /// can be reached.
    func removePartials() {
        // Requests to a server need the connection, which this object would otherwise end.
        Task { [engine, sides] in
            await engine.removePartials()
            withExtendedLifetime(sides) {}
        }
    }

    /// After `stop`: if the new place is a copy, records it as the synced directory.
    func leave(for place: NewPlace) throws(WorkerError) {
        guard let identity = place.adopts else { return }
        do {
            try engine.adopt(localRoot: identity)
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

    /// Scans both sides and syncs, even on a metered connection, because the user asked for it. `onFinished` gets a
    /// summary of the run.
    ///
    /// - Parameter answers: The user's answers to problems that could otherwise stop this run.
    func sync(answering answers: SyncAnswers = [], _ onFinished: ((RunSummary) -> Void)? = nil) {
        guard let server else { return beginRun(answers, onFinished) }
        // Something that the server refused before may work now. A run that ends before this one starts is not the
        // requested one.
        let isBegun = service.blocking.ask {
            await server.retry()
        } answer: { [weak self] in
            self?.beginRun(answers, onFinished)
        }
        if !isBegun { beginRun(answers, onFinished) }
    }

    private func beginRun(_ answers: SyncAnswers, _ onFinished: ((RunSummary) -> Void)?) {
        guard !hasDeparted else { return }
        waiting.append(onFinished ?? { _ in })
        // A session that starts scans everything anyway.
        let isNew = !hasStarted
        start()
        if !answers.isEmpty {
            engine.command(.syncAnswering(answers))
        } else if !isNew {
            engine.command(.syncNow)
        }
        // After the run has started, so that the end of an earlier run is not taken for its end.
        follow(meteredHold.handle(.asked))
    }

    /// Counts what is synced for this caller, who will ask for the first run.
    func expectFirstRun(of caller: String) { firstRun = (caller, RunSummary()) }

    /// The summary of a run that this caller waited for. If the caller added the folder and asks for the first time, it
    /// includes what was synced before.
    func summary(_ summary: RunSummary, for caller: String) -> RunSummary {
        guard let first = firstRun, first.caller == caller else { return summary }
        firstRun = nil
        return first.summary
    }

    /// Determines what the next run would do, without doing it, once no effect runs.
    ///
    /// - Parameter onFailed: Called with the reason if that is not possible.
    func rehearse(
        _ onFinished: @escaping ([RehearsedStep]) -> Void, onFailed: @escaping (WorkerError) -> Void
    ) {
        whenAtRest { [self] in
            engine.rehearse { [self] result in
                switch result {
                case .success(let steps): onFinished(steps)
                case .failure(let error):
                    let failure = error as? StoreFailure
                    onFailed(.dryRunFailed(failure.map { explainer.sentence($0.explanation) } ?? "\(error)"))
                }
            }
        }
    }

    /// Calls `body` when the next run ends, whether it is running already or starts by itself.
    func whenRunEnds(_ body: @escaping (RunSummary) -> Void) { waiting.append(body) }

    /// Calls `body` when no effect runs: now, or after the current run.
    private func whenAtRest(_ body: @escaping () -> Void) {
        switch engine.status.phase {
        case .looking, .syncing: waiting.append { _ in body() }
        case .idle, .paused, .offline, .stopped, .confirmDeletes: body()
        }
    }

    /// Whether something is being transferred, moved or deleted.
    var isInFlight: Bool { engine.status.phase == .syncing }

    /// Starts nothing more before ``goOn()``; calls `onRest` when no effect runs any more.
    func hold(_ onRest: @escaping () -> Void) {
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let body = onRest
        engine.hold { body() }
    }

    func goOn() { engine.goOn() }

    // MARK: Verifying

    /// Starts to compare the items at a path on both sides; `onFinished` gets the result.
    ///
    /// - Parameter onProgress: Called with the result so far and, if the path is the root, the total number of bytes.
    func verify(
        at path: RelativePath, onProgress: @escaping (VerificationResult, _ total: Int64?) -> Void,
        _ onFinished: @escaping (Result<VerificationResult, WorkerError>) -> Void
    ) throws(WorkerError) -> FolderVerification {
        if let trouble = sentenceOfStandstill { throw .cannotVerify(trouble) }
        let total = path.isRoot ? (try? engine.store.counts(.root))?.bytes : nil
        let folder = FolderVerification.Folder { [weak self] done in
            guard let self else { return done() }
            service.service(flushes: self) { [weak self] in
                guard let self else { return done() }
                whenAtRest(done)
            }
        } standings: { [weak self] suspects in
            self?.engine.standings(of: suspects) ?? []
        }
        guard !hasDeparted else { throw .removedMeanwhile(settings.label) }
        let verification = FolderVerification(control: service.control, folder: folder) { onProgress($0, total) }
        verification.start(engine, sides.patterns(settings, at: uri), at: path) { [weak self, explainer] result in
            self?.letGo()
            onFinished(result.mapError { .cannotVerify(explainer.sentence($0.message)) })
        }
        return verification
    }

    /// Why the sides cannot be compared now; nil if they can.
    private var sentenceOfStandstill: String? {
        switch engine.status.phase {
        case .offline: explainer.sentence(engine.status.message)
        // A restored remote is available, and both sides are available while deletions wait.
        case .stopped: engine.status.stopReason == .remoteRestored ? nil : explainer.sentence(engine.status.message)
        case .idle, .looking, .syncing, .paused, .confirmDeletes: nil
        }
    }

    /// Whether an item of the folder is known.
    func knows(_ item: ItemURI) -> Bool { items.node(at: item) != nil }

    /// Calls the callbacks that wait for a run, once its last states were reported as well.
    private func finishWaiting(_ summary: RunSummary) {
        guard !waiting.isEmpty else { return }
        let callbacks = waiting
        waiting = []
        service.loop.atEndOfTurn {
            for callback in callbacks { callback(summary) }
            // A callback that waits again needs another run.
            if self.waiting.isEmpty { self.follow(self.meteredHold.handle(.answered)) }
        }
    }

    // MARK: The network

    /// Whether the remote is reached over a network.
    var usesNetwork: Bool { sides.pace != nil }

    /// Whether the folder waits for a connection that is not metered.
    var isHeldByMeter: Bool { meteredHold.isHeld && !settings.paused }

    /// Called when the connection becomes metered or is no longer metered.
    func setMetered(_ isMetered: Bool) {
        if usesNetwork { follow(meteredHold.handle(.metered(isMetered))) }
    }

    /// How the folder uses the network now; nil for a directory.
    var networkReport: SyncNetworkReport? {
        guard let pace = sides.pace else { return nil }
        let use = settings.network ?? .usual
        var report = SyncNetworkReport(id: settings.id, uri: settings.uri, use: use.wire)
        (report.upNow, report.downNow) = (pace.limits.up ?? 0, pace.limits.down ?? 0)
        report.changes = use.plan.change(after: .now).map { LocalTime.seconds(whenShowing: $0) * 1_000_000 }
        report.isHeld = isHeldByMeter
        return report
    }

    private func follow(_ change: MeteredHold.Change?) {
        switch change {
        case nil: return
        case .hold:
            if !settings.paused { engine.command(.pause) }
            // A large file could continue for hours.
            engine.abandonTransfers()
        case .goOn: if !settings.paused { engine.command(.resume) }
        }
        publishStatus()
    }

    // MARK: Changes

    /// Called when something changed on a side; `isOverflow` means that anything may have changed. Changes before the
    /// start do not matter, because a session that starts scans everything.
    func changed(
        _ side: Side, directories: [RelativePath] = [], items: [RelativePath] = [], isOverflow: Bool = false
    ) {
        guard hasStarted else { return }
        if isOverflow { badges.becomeUnknown() }
        if side == .local { service.publish(badges.changed(directories + items)) }
        engine.changed(side, directories: directories, items: items, isOverflow: isOverflow)
    }

    /// Sets which sides are not watched completely. They are scanned from time to time, and the status says so.
    func setUnwatched(_ sides: Set<Side>) {
        if rescans.setUnwatched(sides, at: .now), hasStarted { publishStatus() }
    }

    /// When to scan the unwatched sides next; nil if that is not planned.
    var nextRescan: Instant? { hasStarted ? rescans.due : nil }

    /// Scans the unwatched sides if that is due.
    func rescanIfDue() {
        guard hasStarted, rescans.takeDue(at: .now), !awaitsRescan else { return }
        awaitsRescan = true
        whenAtRest { [weak self] in
            guard let self else { return }
            awaitsRescan = false
            beginScan()
            for side in rescans.unwatched.sorted(by: { $0 == .local && $1 != .local }) {
                changed(side, isOverflow: true)
            }
        }
    }

    /// Called when something changed on the server, which does not report what.
    private func serverChanged() {
        if hasStarted, rescans.hurry(at: .now) { service.planRescans() }
    }

    private func beginScan() { rescans.begin(at: .now, date: service.microseconds()) }

    // MARK: A person's decisions

    func confirmDeletes() { engine.command(.confirmDeletes) }

    func restoreDeleted() { engine.command(.restoreDeleted) }

    /// Applies settings that the worker has saved, also to running transfers. The places of both sides do not change.
    func apply(_ changed: FolderSettings) {
        let before = settings
        settings = changed
        if changed.paused != before.paused {
            engine.command(changed.paused || meteredHold.isHeld ? .pause : .resume)
        }
        if changed.excludes != before.excludes { engine.command(.setExcludes(sides.patterns(changed, at: uri))) }
        if changed.network != before.network {
            let use = changed.network ?? .usual
            sides.pace?.set(use.plan)
            follow(meteredHold.handle(.allowed(use.isAllowedOnMetered)))
        }
    }

    /// Whether an item can be excluded or included; nil if neither is possible.
    func exclusion(of item: ItemURI) -> ItemExclusion? {
        guard let node = items.node(at: item), node != .root else { return nil }
        return ItemExclusion(of: item, state: items.presentation(of: node)?.state, in: settings, at: uri)
    }

    /// The patterns that exclude these items and nothing else. Their versions on the remote remain there.
    func exactPatterns(for items: [ItemURI]) -> [String] {
        items.compactMap { ItemExclusion.exactPattern(for: $0, below: uri) }
    }

    /// Carries out the user's decision on the conflict that an item is part of; returns the two items of the conflict.
    /// - Throws: `NoConflict`.
    func resolve(_ item: ItemURI, _ choice: ConflictChoice) throws(WorkerError) -> [NodeID] {
        guard let node = items.node(at: item) else { throw .noConflict(item) }
        let pair = [node, items.status(of: node)?.counterpart].compactMap { $0 }
        guard resolve(node, choice) else { throw .noConflict(item) }
        return pair
    }

    /// Why the decision on a conflict between these two was not carried out; nil if it was, or still waits for a run.
    func refusal(ofDecisionOn pair: [NodeID]) -> WorkerError? {
        for node in pair {
            guard let status = items.status(of: node), status.counterpart != nil, !status.message.isEmpty else {
                continue
            }
            switch status.state {
            case .conflict, .error: return WorkerError(.failed, explainer.sentence(status.message))
            case .excluded, .synced, .onlineOnly, .pending, .syncing, .paused: continue
            }
        }
        return nil
    }

    /// Whether the folder cannot be synced now, and the decision on a conflict between these two, or its part on the
    /// other side, is carried out when it can.
    func waits(decisionOn pair: [NodeID]) -> Bool {
        switch engine.status.phase {
        case .idle, .looking, .syncing: return false
        case .paused, .offline, .stopped, .confirmDeletes: break
        }
        return pair.contains { node in
            switch items.status(of: node)?.state {
            case .conflict, .error, .pending, .syncing, .paused: true
            case .excluded, .synced, .onlineOnly, nil: false
            }
        }
    }

    /// Carries out a decision on the conflict that an item is part of; false if it is not in conflict.
    func resolve(_ node: NodeID, _ choice: ConflictChoice) -> Bool {
        // A directory shows that it contains a conflict, but has none itself.
        guard items.presentation(of: node)?.state == .conflict, items.status(of: node) != nil else { return false }
        engine.command(.resolve(node, choice))
        return true
    }

    // MARK: Items

    func badges(in directory: ItemURI, names: [ItemName]) -> BadgeColumns { badges.badges(in: directory, names: names) }

    func directory(_ directory: ItemURI, after: ItemName?, limit: Int) -> (BadgeColumns, ItemName?) {
        badges.directory(directory, after: after, limit: limit)
    }

    func observe(_ directory: ItemURI) { badges.observe(directory) }

    func endObserving(_ directory: ItemURI) { badges.endObserving(directory) }

    func endObserving() { badges.endObserving() }

    func attributes(of item: ItemURI, keys: [String], answer: @escaping ([String: AttributeValue]) -> Void) {
        attributes.read(of: item, keys: keys, lastSynced: lastSynced, answer: answer)
    }

    /// The URI of an item on the remote; nil if the item does not exist there, or the remote has no URIs.
    func remoteURI(of item: ItemURI) -> String? { items.node(at: item).flatMap { items.remoteURI(of: $0) } }

    /// Whether two versions of the item itself wait for a decision.
    func isConflict(_ item: ItemURI) -> Bool {
        guard let status = items.node(at: item).flatMap({ items.status(of: $0) }) else { return false }
        return status.state == .conflict && status.counterpart != nil
    }

    /// Items in a state, at most `limit`.
    func items(in state: ItemSyncState, limit: Int) -> [ItemURI] {
        items.items(in: state, limit: limit).compactMap { items.uri(of: $0) }
    }

    /// The conflicts at or below a place; all if `place` is nil.
    func conflicts(within place: ItemURI?) -> [SyncConflict] { conflicts.list(within: place) }

    /// The items that are tried again soon, because a program is writing them or they changed meanwhile; empty while the
    /// folder itself cannot sync.
    var itemsTriedAgain: [ItemMessage] { waiting(engine.itemsTriedAgain(limit: Self.namedAtMost)) }

    /// The items that the remote puts off; empty while the folder itself cannot sync.
    var itemsPutOff: [ItemMessage] { waiting(engine.itemsPutOff(limit: Self.namedAtMost)) }

    private func waiting(_ found: [(node: NodeID, message: Explanation)]) -> [ItemMessage] {
        switch engine.status.phase {
        case .idle, .looking, .syncing: break
        case .paused, .offline, .stopped, .confirmDeletes: return []
        }
        return found.compactMap { item in
            items.uri(of: item.node).map {
                ItemMessage(uri: $0.uri, message: explainer.sentence(item.message))
            }
        }
    }

    /// The kept versions of both sides. Call ``letGo()`` after using it.
    var kept: KeptOfFolder { KeptOfFolder(engine, at: uri.filePath, explainer) }

    /// Closes directories that were opened to read something, so that the disk can be unmounted.
    func letGo() { engine.letGo() }

    // MARK: Reports

    /// The folder for ListFolders.
    var summary: SyncedFolder {
        SyncedFolder(settings, state: view.shownState, remoteURI: remote.uri)
    }

    /// The state in which the last run left the items of the folder.
    var stateOfItems: ItemSyncState { view.stateOfItems }

    /// The status of the whole folder in the engine.
    var status: SessionStatus { engine.status }

    /// The state of the folder for Status and StatusChanged.
    func report(transfers limit: Int = 16) -> SyncFolderStatus { view.status(transfers: transfers.list(limit: limit)) }

    /// The state of the folder for the badge service.
    var hubStatus: RoundelBus.FolderStatus { view.hubStatus }

    /// What the user must do before syncing can continue.
    var needs: FolderNeed? { view.needs }

    /// What needs the user's attention in the folder, in the form that the badge service needs (D12).
    func notices() -> [FolderNotice] { standingNotices.current() }

    /// The newest entries of its log.
    func activities(limit: Int) -> [SyncActivity] {
        ((try? engine.store.activities(limit: limit)) ?? []).map(activity)
    }

    private func activity(_ record: ActivityRecord) -> SyncActivity {
        SyncActivity(record, of: settings.id, at: uri, explainer: explainer)
    }

    private var view: FolderReport {
        FolderReport(
            settings: settings, items: items, engine: engine, explainer: explainer, rescans: rescans,
            lastSynced: lastSynced, rate: rate.rate(at: .now), isHeldByMeter: isHeldByMeter)
    }

    private func publishStatus() {
        service.publishStatus(of: self)
        publishRoot()
    }

    /// Updates the badge of the folder itself, which depends on more than its contents.
    private func publishRoot() {
        if let update = badges.rootUpdate() { service.publish([update]) }
    }

    private func sendStatus() {
        statusSentAt = .now
        publishStatus()
    }
}

extension FolderUnit: SyncFolderDelegate {
    func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) {
        transfers.follow(states)
        if let root = items.presentation(of: .root) { rate.note(done: UInt64(clamping: root.bytesDone), at: .now) }
        service.publish(badges.updates(for: states))
    }

    func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
        service.workChanged()
        // A folder that cannot continue ends no run. Callbacks that wait for one get the reason from the state.
        if status.phase == .stopped || folder.silentSide != nil {
            // Nobody knows what is left.
            var run = RunSummary()
            run.waiting = 1
            finishWaiting(run)
        }
        if status.phase == .stopped || status.phase == .offline { badges.becomeUnknown() }
        guard !statusTimer.isSet else { return }
        let next = statusSentAt + Patience.Worker.status
        if Instant.now >= next { sendStatus() } else { statusTimer.set(at: next) }
    }

    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        service.publish(activities.map(activity))
    }

    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        if folder.status.state <= .synced && !folder.status.isPartlyUnknown { lastSynced = service.microseconds() }
        switch folder.status.phase {
        case .idle, .looking, .syncing, .paused, .confirmDeletes: service.publish(badges.becomeKnown())
        case .stopped, .offline: break
        }
        if let first = firstRun { firstRun = (first.caller, first.summary.followed(by: summary)) }
        publishRoot()
        rescans.finish(at: .now, foundChanges: !summary.isSilent)
        service.planRescans()
        if !rescans.unwatched.isEmpty { publishStatus() }
        finishWaiting(summary)
        serverReview?.runEnded(known: settings.server)
    }

    func syncFolderDidStop(_ folder: SyncFolder) {
        hasStopped()
    }

    func syncFolder(_ folder: SyncFolder, warns warning: Explanation) {
        log(.warning, explainer.sentence(warning))
    }
}
