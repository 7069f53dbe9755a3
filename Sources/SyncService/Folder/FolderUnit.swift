internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// One synced folder in the worker: puts its parts together, runs its engine according to its settings, and hands the
/// engine's reports to the parts. They decide what is reported, and how.
final class FolderUnit {
    /// The URI of the folder, as registered.
    let uri: ItemURI
    /// The place of its remote.
    let remote: any RemotePlace
    /// Makes sentences of the engine's messages about this folder.
    let explainer: Explainer
    let sides: FolderSides
    let items: FolderItems
    let attributes: FolderAttributes
    let badges: FolderBadges
    let conflicts: FolderConflicts
    /// The pages and links of its items; nil for a remote that has none.
    let pages: FolderPages?
    /// The shares of its items with others; nil for a remote that makes none.
    let shares: FolderShares?
    /// The locks that the user sets on its files; nil for a remote that has none.
    let locks: FolderLocks?
    /// The versions that the server keeps of its files; nil for a remote that keeps none.
    let versions: FolderVersions?
    /// How it uses the network; nil for a remote that needs none.
    let network: FolderNetwork?
    /// What makes it a folder on demand; nil for one whose contents are all on this computer.
    let contents: FolderContents?
    let runs: FolderRuns
    let reporter: FolderReporter
    /// The server that it syncs with; nil if it syncs with something else.
    private(set) var server: FolderServer?
    private(set) var hasStarted = false
    private let choices: FolderChoices
    private let engine: SyncFolder
    private let rescans = FolderRescans()
    private let verifier: FolderVerifier
    private let departure = FolderDeparture()
    private let returningPins: ReturningPins
    /// What was wished before the engine was started.
    private var earlyWishes: [(wish: Wish, nodes: [NodeID])] = []
    private let surroundings: FolderSurroundings
    private let saveFindings: (RemoteFindings) throws(WorkerError) -> Void
    private var onStopped: (() -> Void)?
    // The loop keeps timers that are set, also those of a folder that was removed.
    private lazy var stopTimer = surroundings.loop.makeTimer { [weak self] in self?.hasStopped() }

    /// - Parameters:
    ///   - all: The settings that hold for all folders.
    ///   - saveFindings: Saves what was found out about the server, and applies it.
    /// - Throws: `InvalidUri`, `UnsupportedRemote`, `InvalidRemote`, `Failed`.
    init(
        _ settings: FolderSettings, _ all: WorkerSettings, _ surroundings: FolderSurroundings,
        saveFindings: @escaping (RemoteFindings) throws(WorkerError) -> Void
    ) throws(WorkerError) {
        choices = FolderChoices(settings)
        self.surroundings = surroundings
        self.saveFindings = saveFindings
        uri = try ItemURI(folder: settings.uri)
        explainer = Explainer(folder: settings.label)
        remote = try surroundings.kinds.place(settings.remote)
        sides = try FolderSides(settings, all, remote: remote, surroundings.places)
        engine = try sides.engine(settings, tag: all.tag, at: uri, on: surroundings.control)
        returningPins = ReturningPins(in: surroundings.places.state(of: settings.id))
        let directories = MountDirectories(settings, at: uri.filePath, surroundings.places)
        // What was only uploaded is not opened from here.
        let isShown = settings.uploadOnly == nil
        items = FolderItems(uri, remoteURI: isShown ? remote.uri : nil, engine: engine, explainer: explainer)
        attributes = FolderAttributes(items, engine: engine, explainer: explainer, control: surroundings.control)
        conflicts = FolderConflicts(
            items, engine: engine, explainer: explainer,
            authors: FolderAuthors(
                items, of: isShown ? sides.connection.versions : nil, engine: engine, blocking: surroundings.blocking),
            of: settings.id)
        pages = FolderPages(
            items, of: isShown ? sides.connection.pages : nil, explainer: explainer, blocking: surroundings.blocking)
        shares = FolderShares(
            items, of: isShown ? sides.connection.sharing : nil, explainer: explainer, blocking: surroundings.blocking)
        locks = FolderLocks(
            items, of: isShown ? sides.connection.locking : nil, explainer: explainer, blocking: surroundings.blocking)
        versions = FolderVersions(
            items, of: isShown ? sides.connection.versions : nil, into: engine, explainer: explainer,
            blocking: surroundings.blocking)
        badges = FolderBadges(items, engine: engine, isOnDemand: settings.isOnDemand)
        network = FolderNetwork(choices, pace: sides.pace, engine: engine)
        if let directories, let mounted = sides.contents {
            contents = FolderContents(
                choices, directories, mounted, items, engine: engine, returningPins, surroundings)
        } else {
            contents = nil
        }
        runs = FolderRuns(engine, explainer, network: network, loop: surroundings.loop)
        verifier = FolderVerifier(engine, runs, explainer, control: surroundings.control) { [uri] in
            surroundings.flush(uri, $0)
        }
        reporter = FolderReporter(
            choices, items, badges: badges, conflicts: conflicts, engine: engine, explainer: explainer,
            rescans: rescans, network: network, contents: contents, surroundings)
        engine.delegate = self
        followMount()
        network?.onChange = { [weak reporter] in reporter?.publish() }
        server = sides.connection.server.map { connection in
            FolderServer(connection, blocking: surroundings.blocking, control: surroundings.control) { [weak self] in
                self?.serverChanged()
            } onFindings: { [weak self] in
                self?.serverBecame($0)
            }
        }
    }

    private func followMount() {
        let id = settings.id
        contents?.mount.onChange = { [surroundings, weak contents] isThere in
            contents?.notices.mountIsAway(because: contents?.mount.trouble)
            surroundings.onMount(id, isThere)
        }
        contents?.mount.onStepDone = { [surroundings] in surroundings.onStepDone(id) }
        contents?.notices.onChange = { [weak reporter] in reporter?.publishStatus() }
    }

    /// The user's choices.
    var settings: FolderSettings { choices.settings }

    /// The status of the whole folder in the engine.
    var status: SessionStatus { engine.status }

    /// Whether the remote is reached over a network.
    var usesNetwork: Bool { network != nil }

    /// Whether something is being transferred, moved or deleted, or a program waits for contents.
    var isInFlight: Bool { engine.status.phase == .syncing || contents?.isWaitedFor == true }

    /// Whether the folder can be watched: one on demand only while it is mounted.
    var isThere: Bool { contents?.mount.isThere ?? true }

    /// Whether its items can be shown on the remote.
    var showsRemote: Bool { remote.uri != nil && settings.uploadOnly == nil }

    /// Finds where an item can be opened on the remote: the address of a page or of the item, or its URI.
    func address(of item: ItemURI, _ answer: @escaping (Result<String, WorkerError>) -> Void) {
        if let pages { return pages.address(of: item, answer: answer) }
        guard showsRemote else { return answer(.failure(.notOpened(settings.label))) }
        answer(items.remoteURI(of: item).map { .success($0) } ?? .failure(.notOnRemote(item)))
    }

    /// The folder for ListFolders.
    var summary: SyncedFolder { reporter.summary(remoteURI: remote.uri) }

    // MARK: Places

    /// The places of the folder and its remote.
    var place: SyncedPlace {
        SyncedPlace(id: settings.id, folder: uri.filePath, remote: remote, contents: contents?.place)
    }

    /// The identity of the synced directory; nil if none is known.
    var knownRoot: Token? { ((try? engine.store.value(.localRoot)) ?? nil).map { Token($0) } }

    /// What the database tells about the identities of the two roots.
    var notedRoots: NotedRoots { engine.notedRoots }

    /// Reads the identities of the two roots from the disks, on a thread that may block.
    var rootsOnDisk: @Sendable () -> FolderRoots { { [engine] in engine.rootsOnDisk() } }

    // MARK: Starting and stopping

    /// Starts to sync; does nothing when called again.
    func start() {
        guard !hasStarted, !hasDeparted, !isBecomingOrdinary else { return }
        hasStarted = true
        rescans.begin()
        engine.start()
        for early in earlyWishes { engine.command(.wish(early.wish, for: early.nodes)) }
        earlyWishes = []
        contents?.freeing.follow()
        if settings.uploadOnly == nil { server?.listen() }
    }

    /// Stops; calls `onStopped` when no effect runs any more, or if a side does not respond.
    func stop(_ onStopped: @escaping () -> Void) {
        contents?.stop()
        guard hasStarted else { return onStopped() }
        self.onStopped = onStopped
        server?.endListening()
        reporter.stop()
        stopTimer.set(after: Patience.Worker.stop)
        engine.stop()
    }

    private func hasStopped() {
        stopTimer.cancel()
        let callback = onStopped
        onStopped = nil
        callback?()
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

    /// Starts nothing more before ``goOn()``; calls `onRest` when no effect runs any more.
    func hold(_ onRest: @escaping () -> Void) {
        // A program that waits in the folder would keep the machine awake.
        contents?.hold()
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let body = onRest
        engine.hold { body() }
    }

    func goOn() {
        engine.goOn()
        if hasStarted { contents?.goOn() }
    }

    // MARK: A person's wishes

    /// Whether the directories of a folder on demand are being moved back, or were to be, so that nothing is synced.
    var isBecomingOrdinary: Bool {
        switch settings.onDemand?.step {
        case .turningOff, .removing: true
        case .turningOn, nil: false
        }
    }

    /// Whether it is being removed, or was to be.
    var isBeingRemoved: Bool { settings.onDemand?.step == .removing }

    /// Scans both sides and syncs, even on a metered connection, because the user asked for it. `onFinished` gets a
    /// summary of the run.
    ///
    /// - Parameter answers: The user's answers to problems that could otherwise stop this run.
    func sync(answering answers: SyncAnswers = [], _ onFinished: @escaping (RunSummary) -> Void = { _ in }) {
        if isBecomingOrdinary { return }
        if let contents, !contents.mount.isThere {
            return contents.mount.begin { [weak self] in self?.tryServer(answers, onFinished) }
        }
        tryServer(answers, onFinished)
    }

    private func tryServer(_ answers: SyncAnswers, _ onFinished: @escaping (RunSummary) -> Void) {
        guard let server else { return beginRun(answers, onFinished) }
        // Something that the server refused before may work now. A run that ends before this one starts is not the
        // requested one.
        server.retry { [weak self] in self?.beginRun(answers, onFinished) }
    }

    private func beginRun(_ answers: SyncAnswers, _ onFinished: @escaping (RunSummary) -> Void) {
        guard !hasDeparted else { return }
        runs.whenEnded(onFinished)
        // A session that starts scans everything anyway.
        let isNew = !hasStarted
        start()
        if !answers.isEmpty {
            engine.command(.syncAnswering(answers))
        } else if !isNew {
            engine.command(.syncNow)
        }
        // After the run has started, so that the end of an earlier run is not taken for its end.
        network?.handle(.asked)
    }

    /// Starts to compare the items at a path on both sides; `onFinished` gets the result.
    ///
    /// - Parameter onProgress: Called with the result so far and, if the path is the root, the total number of bytes.
    func verify(
        at path: RelativePath, onProgress: @escaping (VerificationResult, _ total: Int64?) -> Void,
        _ onFinished: @escaping (Result<VerificationResult, WorkerError>) -> Void
    ) throws(WorkerError) -> FolderVerification {
        guard !hasDeparted else { throw .removedMeanwhile(settings.label) }
        if settings.uploadOnly != nil { throw .onlyUploads(settings.label) }
        return try verifier.start(at: path, sides.patterns(settings, at: uri), onProgress: onProgress, onFinished)
    }

    /// What of it is not synced, and why.
    var exclusions: FolderExclusions { FolderExclusions(items, sides.patterns(settings, at: uri)) }

    /// Why nothing is known of its items, because its database cannot be used; nil if it can.
    var trouble: WorkerError? { engine.trouble.map { WorkerError(.failed, explainer.sentence($0)) } }

    /// Whether nothing is known of its items because the engine cannot reach the folder on this computer, which is
    /// mounted.
    var isLostWithMount: Bool { contents != nil && engine.trouble?.isOfMount == true }

    /// Has the contents of items, of directories everything in them, where a person wants them.
    ///
    /// - Throws: `Failed` if that cannot be kept, because the folder's database cannot be used.
    func wish(_ wish: Wish, for nodes: [NodeID]) throws(WorkerError) {
        if let trouble { throw trouble }
        let paths = nodes.compactMap { items.path(of: $0) }
        if wish == .alwaysHere {
            // The engine keeps it only later for good.
            do throws(Errno) { try returningPins.add(paths) } catch {
                throw WorkerError(.failed, tr("“{1}” cannot be used: {2}.", settings.label, "\(error)"))
            }
        } else {
            for path in paths { returningPins.drop(path) }
        }
        try follow(wish, for: nodes)
    }

    /// Ends that the whole folder is pinned. What is pinned in it, or is to be again, stays so.
    ///
    /// - Throws: `Failed` if that cannot be kept, because the folder's database cannot be used.
    func unpinWhole() throws(WorkerError) {
        if let trouble { throw trouble }
        returningPins.drop(onlyItself: .root)
        try follow(.none, for: [.root])
    }

    private func follow(_ wish: Wish, for nodes: [NodeID]) throws(WorkerError) {
        if hasStarted {
            engine.command(.wish(wish, for: nodes))
        } else {
            if wish != .alwaysHere { try store(wish, for: nodes) }
            earlyWishes.append((wish, nodes))
        }
        surroundings.onBadges(badges.wishesChanged())
    }

    /// What is no longer pinned is stored at once: nothing else comes of it. What is pinned must be fetched as well, which
    /// only a session can plan.
    private func store(_ wish: Wish, for nodes: [NodeID]) throws(WorkerError) {
        do {
            for id in nodes { try engine.store.setWish(wish, for: id) }
            try engine.store.commit()
        } catch {
            throw WorkerError(.failed, tr("“{1}” cannot be used: {2}.", settings.label, "\(error)"))
        }
    }

    /// What was pinned before the trees were thrown away is pinned again, as far as this run has found it.
    private func pinAgain(after summary: RunSummary) {
        guard !returningPins.isEmpty, status.phase == .idle || status.phase == .syncing else { return }
        let pinned = wishes
        let due = returningPins.due(isComplete: status.phase == .idle && summary.errors == 0) {
            $0.isRoot ? .root : items.node(at: $0)
        } isPinned: {
            pinned[$0] == .alwaysHere
        }
        guard !due.isEmpty else { return }
        do throws(WorkerError) { try wish(.alwaysHere, for: due) } catch { log(.warning, error.message) }
    }

    /// Whether an item was pinned before the trees were thrown away, by itself or with a directory, and is not yet again.
    func isToBePinned(_ node: NodeID) -> Bool { items.path(of: node).map { returningPins.cover($0) } ?? false }

    /// Where a person wants contents, by the items that have a wish of their own.
    var wishes: [NodeID: Wish] {
        var wishes = (try? engine.store.wishes()) ?? [:]
        for early in earlyWishes {
            for id in early.nodes { wishes[id] = early.wish == .none ? nil : early.wish }
        }
        return wishes
    }

    func confirmDeletes() { engine.command(.confirmDeletes) }

    func restoreDeleted() { engine.command(.restoreDeleted) }

    /// Applies settings that the worker has saved, also to running transfers. The places of both sides do not change.
    func apply(_ changed: FolderSettings) {
        let before = choices.replace(with: changed)
        if changed.paused != before.paused {
            engine.command(changed.paused || network?.isHeld == true ? .pause : .resume)
        }
        if changed.excludes != before.excludes { engine.command(.setExcludes(sides.patterns(changed, at: uri))) }
        if changed.network != before.network { network?.apply(changed.network ?? .usual) }
        if changed.onDemand?.freeingRule != before.onDemand?.freeingRule { contents?.freeing.follow() }
    }

    // MARK: Changes

    /// Called when something changed on a side; `isOverflow` means that anything may have changed. Changes before the
    /// start do not matter, because a session that starts scans everything.
    func changed(
        _ side: Side, directories: [RelativePath] = [], items: [RelativePath] = [], isOverflow: Bool = false
    ) {
        guard hasStarted else { return }
        if isOverflow { badges.becomeUnknown() }
        if side == .local { surroundings.onBadges(badges.changed(directories + items)) }
        engine.changed(side, directories: directories, items: items, isOverflow: isOverflow)
    }

    /// The folder, which is one on demand, was mounted, and is watched from now on.
    func wasMounted() {
        guard hasStarted else { return }
        // A folder that was not mounted is tried again at its own pace, which need not be waited for.
        if status.phase == .offline || status.phase == .stopped { engine.command(.syncNow) }
        changed(.local, isOverflow: true)
    }

    /// Sets which sides are not watched completely. They are scanned from time to time, and the status says so.
    func setUnwatched(_ sides: Set<Side>) {
        if rescans.setUnwatched(sides), hasStarted { reporter.publish() }
    }

    /// When to scan the unwatched sides next; nil if that is not planned.
    var nextRescan: Instant? { hasStarted ? rescans.next : nil }

    /// Scans the unwatched sides if that is due.
    func rescanIfDue() {
        guard hasStarted else { return }
        rescans.beginIfDue(runs) { [weak self] side in self?.changed(side, isOverflow: true) }
    }

    /// Called when something changed on the server, which does not report what.
    private func serverChanged() {
        if hasStarted, rescans.hurry() { surroundings.onRescanPlan() }
    }

    /// Called when the server changed and was tried out again.
    private func serverBecame(_ found: RemoteFindings) {
        // Effects that already run end with what was known before.
        runs.whenAtRest { [weak self] in
            guard let self, hasStarted else { return }
            server?.adopt(found)
            do throws(WorkerError) {
                try saveFindings(found)
            } catch {
                // The server will be probed again.
                log(.warning, error.message)
            }
        }
    }

    // MARK: Clearing

    /// What is taken away while nobody is logged in.
    ///
    /// - Parameter removesLocal: Whether files go as well whose contents are here and equal at the remote.
    func clearing(removesLocal: Bool) -> FolderClearing {
        FolderClearing(
            folder: uri.filePath, contents: contents?.place, state: surroundings.places.state(of: settings.id),
            // Only for those is every item looked at.
            files: removesLocal ? items.equalFiles(in: engine.store) : nil,
            filesHere: (try? engine.store.counts(.root))?.filesHere ?? 0, pins: pins)
    }

    /// The paths of what is pinned.
    private var pins: [RelativePath] {
        wishes.filter { $0.value == .alwaysHere }.keys.compactMap { items.path(of: $0) }
    }

    /// Notes what is pinned, as the trees may be thrown away while the folder is closed. A folder whose pins cannot be
    /// noted is changed nevertheless.
    func notePins() {
        do throws(Errno) { try ReturningPins.note(pins, in: surroundings.places.state(of: settings.id)) } catch {
            log(.warning, "\(settings.label): \(error)")
        }
    }

    /// The folder is forgotten: nothing is to be thrown away when it is taken up, because it is not.
    func forgetClearing() { FolderClearing.forget(in: surroundings.places.state(of: settings.id)) }

    // MARK: Kept versions

    /// The kept versions of both sides. Call ``letGo()`` after using it.
    var kept: KeptOfFolder { KeptOfFolder(engine, at: uri.filePath, explainer) }

    /// Closes directories that were opened to read something, so that the disk can be unmounted.
    func letGo() { engine.letGo() }
}

extension FolderUnit: SyncFolderDelegate {
    func syncFolder(_ folder: SyncFolder, changed states: [StateChange]) { reporter.changed(states) }

    func syncFolder(_ folder: SyncFolder, status: SessionStatus) {
        surroundings.onWork()
        contents?.statusChanged(status)
        if status.phase == .stopped || folder.silentSide != nil { runs.halted() }
        if status.phase == .stopped || status.phase == .offline { badges.becomeUnknown() }
        reporter.statusChanged()
    }

    func syncFolder(_ folder: SyncFolder, did activities: [ActivityRecord]) {
        reporter.did(activities)
        contents?.freeing.roomChanged()
    }

    func syncFolder(_ folder: SyncFolder, finishedRun summary: RunSummary) {
        runs.count(summary)
        reporter.runEnded()
        rescans.finish(foundChanges: !summary.isSilent)
        surroundings.onRescanPlan()
        if !rescans.unwatched.isEmpty { reporter.publish() }
        pinAgain(after: summary)
        contents?.runEnded()
        runs.ended(summary)
        server?.runEnded(known: settings.server)
    }

    func syncFolderDidStop(_ folder: SyncFolder) { hasStopped() }

    func syncFolder(_ folder: SyncFolder, warns warning: Explanation) { log(.warning, explainer.sentence(warning)) }
}

extension WorkerError {
    fileprivate static func staysThere(_ why: String) -> WorkerError {
        WorkerError(.failed, tr("The folder stays where it was. {1}", why))
    }

    /// - Parameter folder: The label of a folder from which items are only uploaded.
    fileprivate static func onlyUploads(_ folder: String) -> WorkerError {
        WorkerError(
            .unsupported,
            tr("“{1}” is an upload-only folder: what is on the remote is not read, so it cannot be compared.", folder))
    }

    /// The answer to a call that waited for a folder.
    static func removedMeanwhile(_ label: String) -> WorkerError {
        WorkerError(.unknownFolder, tr("“{1}” is no longer synced, because it was removed meanwhile.", label))
    }
}
