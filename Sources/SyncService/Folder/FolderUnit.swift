internal import DBus
internal import Rclone
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage
internal import WebDAV

/// One synced folder in the worker: runs its engine as its settings say, and passes on to the parts of the worker and to
/// the bus what the engine reports. What is reported, and how, the values beside it decide.
final class FolderUnit {
    /// What the person chose.
    private(set) var settings: FolderSettings
    /// The folder as it was registered.
    let uri: ItemURI
    let remoteAddress: RemoteAddress
    /// Puts what the engine says of this folder into words.
    let explainer: Explainer
    private(set) var hasStarted = false
    private unowned let service: Worker
    /// The server that it is synced with; nil for a directory.
    private let server: ServerConnection?
    /// Notes large transfers, which a restart goes on with; nil where none is.
    private let ledger: TransferLedger?
    /// What holds its transfers back; nil for a directory.
    private let pace: TransferPace?
    private var meteredHold: MeteredHold
    private let engine: SyncFolder
    private let items: FolderItems
    private let attributes: FolderAttributes
    private let conflicts: FolderConflicts
    /// What its server has of its items for people; nil without a server.
    let pages: FolderPages?
    private var badges: FolderBadges
    private var transfers: FolderTransfers
    private var rate = TransferRate()
    private var standingNotices: FolderNotices
    /// When the folder is scanned where not every change is reported.
    private var rescans = RescanPlan()
    /// Whether such a scan begins as soon as nothing else is done.
    private var awaitsRescan = false
    /// Finds out whether the server is still what it was; nil for a directory.
    private var serverReview: ServerReview?
    /// Tells of changes on the server, where that does.
    private var serverChanges: ServerChanges?
    private var lastSynced: Int64?
    /// Who waits for the end of a run.
    private var waiting: [(RunSummary) -> Void] = []
    private var onStopped: (() -> Void)?
    private lazy var stopTimer = service.loop.makeTimer { [unowned self] in hasStopped() }
    private lazy var statusTimer = service.loop.makeTimer { [unowned self] in sendStatus() }
    private var statusSentAt = Instant(nanoseconds: 0)

    /// The least time between two reports of a folder's status: a person reads no faster.
    private static let statusInterval = Duration.milliseconds(200)
    /// How long the end waits for what is in flight: a side may never answer.
    private static let stopPatience = Duration.seconds(3)
    /// How many items are named that somebody writes.
    private static let namedAtMost = 100

    /// - Throws: `InvalidUri`, `UnsupportedRemote`, `InvalidRemote`, `Failed`.
    init(settings: FolderSettings, tag: String, service: Worker) throws(WorkerError) {
        self.settings = settings
        self.service = service
        explainer = Explainer(folder: settings.label)
        do {
            uri = try ItemURI(settings.uri)
        } catch {
            throw .noFolderURI(settings.uri, because: error.reason)
        }
        remoteAddress = try RemoteAddress(settings.remote)
        let owner = try Self.owner(settings.id)
        let remote: any Remote
        let pace = TransferPace(settings.network?.plan ?? BandwidthPlan())
        meteredHold = MeteredHold(isAllowed: settings.network?.isAllowedOnMetered ?? false)
        switch remoteAddress {
        case .directory(let path):
            server = nil
            ledger = nil
            self.pace = nil
            remote = DiskEndpoints.remote(at: path, owner: owner, leaving: service.freeSpaceFloor)
        case .server(let place):
            let traits = ServerTraits(names: settings.traits ?? [])
            let connection = ServerConnection(place, from: service.logins, traits: traits, pace: pace)
            server = connection
            self.pace = pace
            ledger = TransferLedger(at: service.places.state(of: settings.id).appending("transfers.sqlite"))
            remote = connection.remote(owner: owner, transfers: ledger)
        case .rclone(let location):
            server = nil
            ledger = nil
            self.pace = pace
            remote = RcloneRemote(RcloneClient(location, service.rclone, pace: pace), owner: owner)
        }
        engine = try Self.engine(settings, tag: tag, uri, remote, ledger, service)
        items = FolderItems(uri, remote: remoteAddress, engine: engine, explainer: explainer)
        attributes = FolderAttributes(items, engine: engine, explainer: explainer, control: service.control)
        conflicts = FolderConflicts(items, engine: engine, of: settings.id)
        pages = FolderPages(items, server: server, explainer: explainer, blocking: service.blocking)
        badges = FolderBadges(items, engine: engine)
        transfers = FolderTransfers(items, engine: engine)
        standingNotices = FolderNotices(
            items, conflicts: conflicts, engine: engine, explainer: explainer, label: settings.label)
        engine.delegate = self
        if let server {
            serverReview = ServerReview(of: server, blocking: service.blocking) { [unowned self] in serverBecame($0) }
        }
    }

    // MARK: Places

    private static func engine(
        _ settings: FolderSettings, tag: String, _ uri: ItemURI, _ remote: any Remote, _ ledger: TransferLedger?,
        _ service: Worker
    ) throws(WorkerError) -> SyncFolder {
        let owner = try owner(settings.id)
        do {
            return try SyncFolder(
                id: settings.id, path: uri.filePath,
                storePath: service.places.state(of: settings.id).appending("trees.sqlite"),
                local: local(at: uri, owner, ledger, service), remote: remote,
                configuration: SessionConfiguration(tag: tag, excludes: settings.patterns, isPaused: settings.paused),
                transfers: ledger, loop: service.control)
        } catch {
            throw .stateUnusable(uri.filePath, because: "\(error)")
        }
    }

    private static func owner(_ id: String) throws(WorkerError) -> EntryName {
        guard let owner = EntryName(id) else {
            throw .notValid(id)
        }
        return owner
    }

    private static func local(
        at uri: ItemURI, _ owner: EntryName, _ ledger: TransferLedger?, _ service: Worker
    ) -> any LocalEndpoint {
        DiskEndpoints.local(
            at: uri.filePath, stateDirectory: service.places.state(of: owner.description),
            dataHome: service.places.dataHome, owner: owner, leaving: service.freeSpaceFloor, transfers: ledger)
    }

    /// The folder as it would be at another place. Nothing of it is opened yet.
    func root(at uri: ItemURI) throws(WorkerError) -> any LocalEndpoint {
        Self.local(at: uri, try Self.owner(settings.id), ledger, service)
    }

    /// The identity of the directory that is synced; nil while none is known.
    var knownRoot: Token? { identity(.localRoot) }

    private func identity(_ key: StoreKey) -> Token? { ((try? engine.store.value(key)) ?? nil).map { Token($0) } }

    /// What is remembered of it when it is removed; nil if it never came to sync.
    func remembered(removed now: Int64) -> RemovedFolder? {
        RemovedFolder(settings, local: identity(.localRoot), remote: identity(.remoteRoot), removed: now)
    }

    // MARK: Running

    /// Begins to sync; a second time does nothing.
    func start() {
        guard !hasStarted else { return }
        hasStarted = true
        beginScan()
        engine.start()
        followServer()
    }

    /// Has the server tell of changes. Only those that say with a tag where something changed are known to do so.
    private func followServer() {
        guard let server, server.traits.current.directoryTags else {
            serverChanges = nil
            return
        }
        guard serverChanges == nil else { return }
        // Runs on the loop, where it was made.
        nonisolated(unsafe) let changed: () -> Void = { [weak self] in self?.serverChanged() }
        serverChanges = ServerChanges(of: server) { [control = service.control] in control.post { changed() } }
    }

    /// The server is another one than it was: what it can do was found out anew.
    private func serverBecame(_ found: FoundServer) {
        // What is in flight ends as it was begun.
        whenAtRest { [weak self] in
            guard let self, let server, hasStarted else { return }
            server.traits.replace(with: found.traits)
            followServer()
            do throws(WorkerError) {
                try service.change(self) { ($0.traits, $0.server) = (found.traits.names, found.identity) }
            } catch {
                // It is found out once more, then.
                log(.warning, error.message)
            }
        }
    }

    /// Ends; `onStopped` is called when nothing is in flight any more, or a side does not answer.
    func stop(_ onStopped: @escaping () -> Void) {
        guard hasStarted else { return onStopped() }
        self.onStopped = onStopped
        serverChanges = nil
        statusTimer.cancel()
        stopTimer.set(after: Self.stopPatience)
        engine.stop()
    }

    /// After `stop`, at the end of the program or of the object: closes the database, which tells the next one that it is whole.
    func close() { engine.close() }

    /// After `stop`, when it is not synced any more: removes what large transfers have left, as far as both sides can be
    /// reached.
    func removePartials() {
        // What is asked of a server needs the connection, which ends with this object.
        let (engine, server) = (engine, server)
        Task {
            await engine.removePartials()
            withExtendedLifetime(server) {}
        }
    }

    /// After `stop`: where the new place is a copy, that is recorded as the synced directory.
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

    /// Scans both sides and syncs, also on a metered connection: a person wants it. `onFinished` gets what the run did.
    ///
    /// - Parameter answers: To what this run may find and stop at.
    func sync(answering answers: SyncAnswers = [], _ onFinished: ((RunSummary) -> Void)? = nil) {
        guard let server else { return beginRun(answers, onFinished) }
        // What it refused before may have been mended. A run that ends meanwhile is not the one that is meant.
        let isBegun = service.blocking.ask {
            await server.retry()
        } answer: { [weak self] in
            self?.beginRun(answers, onFinished)
        }
        if !isBegun { beginRun(answers, onFinished) }
    }

    private func beginRun(_ answers: SyncAnswers, _ onFinished: ((RunSummary) -> Void)?) {
        waiting.append(onFinished ?? { _ in })
        // A session that begins scans everything anyway.
        let isNew = !hasStarted
        start()
        if !answers.isEmpty {
            engine.command(.syncAnswering(answers))
        } else if !isNew {
            engine.command(.syncNow)
        }
        // After the run has begun, so that nothing before it is taken for its end.
        follow(meteredHold.handle(.asked))
    }

    /// Reports what the next run would do, which is not done, when nothing is in flight.
    ///
    /// - Parameter onFailed: gets why that cannot be found out.
    func rehearse(
        _ onFinished: @escaping ([RehearsedStep]) -> Void, onFailed: @escaping (WorkerError) -> Void
    ) {
        func failed(_ error: any Error) {
            let failure = error as? StoreFailure
            onFailed(.dryRunFailed(failure.map { explainer.sentence($0.explanation) } ?? "\(error)"))
        }
        whenAtRest { [self] in
            do {
                try engine.rehearse { result in
                    switch result {
                    case .success(let steps): onFinished(steps)
                    case .failure(let error): failed(error)
                    }
                }
            } catch {
                failed(error)
            }
        }
    }

    /// Calls `body` when the next run ends that is under way or begins by itself.
    func whenRunEnds(_ body: @escaping (RunSummary) -> Void) { waiting.append(body) }

    /// Calls `body` when nothing is in flight: now, or after the present run.
    private func whenAtRest(_ body: @escaping () -> Void) {
        switch engine.status.phase {
        case .looking, .syncing: waiting.append { _ in body() }
        case .idle, .paused, .offline, .stopped, .confirmDeletes: body()
        }
    }

    /// Whether something is being transferred, moved or deleted.
    var isInFlight: Bool { engine.status.phase == .syncing }

    /// Begins nothing more before ``goOn()``; `onRest` is called when nothing is carried out any more.
    func hold(_ onRest: @escaping () -> Void) {
        // Runs on the loop, where it was made.
        nonisolated(unsafe) let body = onRest
        engine.hold { body() }
    }

    func goOn() { engine.goOn() }

    // MARK: Verifying

    /// Begins to compare what is at a path on both sides; `onFinished` gets what came of it.
    ///
    /// - Parameter onProgress: given what is done so far and the bytes that there are, where the path is the root.
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
        let verification = FolderVerification(control: service.control, folder: folder) { onProgress($0, total) }
        verification.start(engine, settings.patterns, at: path) { [weak self, explainer] result in
            self?.letGo()
            onFinished(result.mapError { .cannotVerify(explainer.sentence($0.message)) })
        }
        return verification
    }

    /// Why neither side can be compared with the other now; nil if they can.
    private var sentenceOfStandstill: String? {
        switch engine.status.phase {
        case .offline: explainer.sentence(engine.status.message)
        // A remote that was restored is there, and so are both sides where deletions wait.
        case .stopped: engine.status.stopReason == .remoteRestored ? nil : explainer.sentence(engine.status.message)
        case .idle, .looking, .syncing, .paused, .confirmDeletes: nil
        }
    }

    /// Whether an item of the folder is known.
    func knows(_ item: ItemURI) -> Bool { items.node(at: item) != nil }

    /// Calls those who wait for a run, once its last states have come as well.
    private func finishWaiting(_ summary: RunSummary) {
        guard !waiting.isEmpty else { return }
        let callbacks = waiting
        waiting = []
        service.loop.atEndOfTurn {
            for callback in callbacks { callback(summary) }
            // Who waits on wants a further run.
            if self.waiting.isEmpty { self.follow(self.meteredHold.handle(.answered)) }
        }
    }

    // MARK: The network

    /// Whether its remote is behind a network.
    var usesNetwork: Bool { pace != nil }

    /// Whether it waits for a connection that is not metered.
    var isHeldByMeter: Bool { meteredHold.isHeld && !settings.paused }

    /// The connection is metered, or is not any more.
    func setMetered(_ isMetered: Bool) {
        if usesNetwork { follow(meteredHold.handle(.metered(isMetered))) }
    }

    /// What it has of the network now; nil for a directory.
    var networkReport: SyncNetworkReport? {
        guard let pace else { return nil }
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
            // A large file would go on for hours.
            engine.abandonTransfers()
        case .goOn: if !settings.paused { engine.command(.resume) }
        }
        publishStatus()
    }

    // MARK: Changes

    /// Something changed on a side; `isOverflow` means anything may have. Before the start that does not matter: a
    /// session that begins scans everything.
    func changed(
        _ side: Side, directories: [RelativePath] = [], items: [RelativePath] = [], isOverflow: Bool = false
    ) {
        guard hasStarted else { return }
        if isOverflow { badges.becomeUnknown() }
        engine.changed(side, directories: directories, items: items, isOverflow: isOverflow)
    }

    /// These sides are not watched as a whole: they are scanned for changes from time to time, and the status says so.
    func setUnwatched(_ sides: Set<Side>) {
        if rescans.setUnwatched(sides, at: .now), hasStarted { publishStatus() }
    }

    /// When the unwatched sides are to be scanned next; nil while that is not planned.
    var nextRescan: Instant? { hasStarted ? rescans.due : nil }

    /// Scans the unwatched sides, if that is due.
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

    /// Something changed on the server, which does not say what.
    private func serverChanged() {
        if hasStarted, rescans.hurry(at: .now) { service.planRescans() }
    }

    private func beginScan() { rescans.begin(at: .now, date: service.microseconds()) }

    // MARK: A person's decisions

    func confirmDeletes() { engine.command(.confirmDeletes) }

    func restoreDeleted() { engine.command(.restoreDeleted) }

    /// Applies what the worker has saved of its settings, also to transfers that run. The places of both sides stay.
    func apply(_ changed: FolderSettings) {
        let before = settings
        settings = changed
        if changed.paused != before.paused {
            engine.command(changed.paused || meteredHold.isHeld ? .pause : .resume)
        }
        if changed.excludes != before.excludes { engine.command(.setExcludes(changed.patterns)) }
        if changed.network != before.network {
            let use = changed.network ?? .usual
            pace?.set(use.plan)
            follow(meteredHold.handle(.allowed(use.isAllowedOnMetered)))
        }
    }

    /// Whether an item can be excluded or included; nil for one that neither can be done with.
    func exclusion(of item: ItemURI) -> ItemExclusion? {
        guard let node = items.node(at: item), node != .root else { return nil }
        return ItemExclusion(of: item, state: items.presentation(of: node)?.state, in: settings, at: uri)
    }

    /// The patterns that exclude these items and nothing else; what is at the remote stays there.
    func exactPatterns(for items: [ItemURI]) -> [String] {
        items.compactMap { ItemExclusion.exactPattern(for: $0, below: uri) }
    }

    /// Carries out a person's decision on the conflict that an item is part of.
    /// - Throws: `NoConflict`.
    func resolve(_ item: ItemURI, _ choice: ConflictChoice) throws(WorkerError) {
        guard let node = items.node(at: item), resolve(node, choice) else { throw .noConflict(item) }
    }

    /// Carries out a decision on the conflict that an item is part of; false for an item in none.
    func resolve(_ node: NodeID, _ choice: ConflictChoice) -> Bool {
        // A directory shows a conflict that is in it, and cannot be decided itself.
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

    /// Where an item is on the remote; nil for one that is not there, and where the remote has no URIs.
    func remoteURI(of item: ItemURI) -> String? { items.node(at: item).flatMap { items.remoteURI(of: $0) } }

    /// Whether two versions of the item itself wait for a decision.
    func isConflict(_ item: ItemURI) -> Bool {
        guard let status = items.node(at: item).flatMap({ items.status(of: $0) }) else { return false }
        return status.state == .conflict && status.counterpart != nil
    }

    /// Items in a state, some of them where there are many.
    func items(in state: ItemSyncState, limit: Int) -> [ItemURI] {
        items.items(in: state, limit: limit).compactMap { items.uri(of: $0) }
    }

    /// The conflicts at or below a place; all where it is nil.
    func conflicts(within place: ItemURI?) -> [SyncConflict] { conflicts.list(within: place) }

    /// What waits because somebody writes it; empty while the folder itself cannot go on.
    var itemsBeingWritten: [ItemMessage] {
        switch engine.status.phase {
        case .idle, .looking, .syncing: break
        case .paused, .offline, .stopped, .confirmDeletes: return []
        }
        return engine.itemsBeingWritten(limit: Self.namedAtMost).compactMap { item in
            items.uri(of: item.node).map {
                ItemMessage(uri: $0.uri, message: explainer.sentence(item.message))
            }
        }
    }

    /// What was kept of it on both sides. After it was asked, ``letGo()``.
    var kept: KeptOfFolder { KeptOfFolder(engine, at: uri.filePath, explainer) }

    /// Lets go of directories that were opened for a question, so that the disk can be unmounted.
    func letGo() { engine.letGo() }

    // MARK: Reports

    /// The folder as ListFolders gives it.
    var summary: SyncedFolder {
        SyncedFolder(settings, state: view.shownState, remoteURI: remoteAddress.uri)
    }

    /// The state in which a run left what is in the folder.
    var stateOfItems: ItemSyncState { view.stateOfItems }

    /// What the engine says of the folder as a whole.
    var status: SessionStatus { engine.status }

    /// The folder's state as Status and StatusChanged give it.
    func report(transfers limit: Int = 16) -> SyncFolderStatus { view.status(transfers: transfers.list(limit: limit)) }

    /// The folder's state as the badge service gets it.
    var hubStatus: RoundelBus.FolderStatus { view.hubStatus }

    /// What a person must do before the folder goes on.
    var needs: FolderNeed? { view.needs }

    /// What of the folder needs the person, as the badge service gets it (D12).
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

    /// What the folder itself shows depends on more than what is in it.
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
        // A folder that cannot go on ends no run; whoever waits for one hears it from the state.
        if status.phase == .stopped || folder.silentSide != nil { finishWaiting(RunSummary()) }
        if status.phase == .stopped || status.phase == .offline { badges.becomeUnknown() }
        guard !statusTimer.isSet else { return }
        let next = statusSentAt + Self.statusInterval
        if Instant.now >= next { sendStatus() } else { statusTimer.set(at: next) }
    }

    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        service.publish(activities.map(activity))
    }

    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        if folder.status.state <= .synced { lastSynced = service.microseconds() }
        switch folder.status.phase {
        case .idle, .looking, .syncing, .paused, .confirmDeletes: badges.becomeKnown()
        case .stopped, .offline: break
        }
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
