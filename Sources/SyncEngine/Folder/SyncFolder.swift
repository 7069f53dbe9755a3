import CLinux
import Dispatch
import Support
package import SyncCore
package import SystemPackage

/// One synced folder: its session, store, two sides and effect runner, bound to the control loop.
///
/// Everything but `deinit` belongs to the loop's thread.
/// @unchecked: confined to the control loop; other threads only hold a reference, to post it to the loop.
package final class SyncFolder: @unchecked Sendable {
    /// The folder's identifier.
    package let id: String
    /// Its absolute path.
    package let path: FilePath
    /// Notified of what happens.
    package weak var delegate: (any SyncFolderDelegate)?
    /// Notified of demands, on the loop: how far they are, and once for each how it ended.
    package var onDemandReport: ((DemandID, DemandReport) -> Void)?
    /// The folder's trees; read-only, and only on the loop.
    package private(set) var store: SQLiteStore
    /// The status of the folder, as of the last event.
    package private(set) var status = SessionStatus(phase: .looking, state: .synced, counts: StateCounts())
    /// The side that does not answer; nil while both do.
    package private(set) var silentSide: Side?
    /// The local side.
    package let local: any LocalEndpoint
    /// The remote side.
    package let remote: any Remote

    let loop: any ControlLoop
    /// Notes large transfers; nil if transfers cannot be resumed after a restart.
    let transfers: TransferLedger?
    let storePath: FilePath
    private(set) var configuration: SessionConfiguration
    private var session: SyncSession
    private var runner: EffectRunner?
    private var timers: [SessionTimer: UInt64] = [:]
    private var timerCount: UInt64 = 0
    private var attempts = 0
    private var hasStarted = false
    private var isStopped = false
    private var isClosed = false
    /// Whether a new session is about to begin after one that failed, with a database that is sound.
    private var isToBeginAgain = false
    private var isHeld = false
    private var inFlight = 0
    private var hasFinishedRun = false
    private var restCount = 0
    /// The last status that the session reported.
    private var toldBySession: SessionStatus?
    private var isListening = false
    /// Where the sides release what they hold: closing a file may block as well.
    private let resting = DispatchQueue(label: "org.roundel.rest")
    private var pending = PendingChanges()
    private var isPendingScheduled = false
    /// Distinguishes the reports of an abandoned session from those of the current one.
    private var epoch = 0

    /// A folder that does nothing before `start`.
    ///
    /// - Parameters:
    ///   - storePath: The folder's database.
    ///   - transfers: Where the sides note large transfers; nil if they do not.
    package init(
        id: String, path: FilePath, storePath: FilePath, local: any LocalEndpoint, remote: any Remote,
        configuration: SessionConfiguration, transfers: TransferLedger? = nil, loop: any ControlLoop
    ) throws {
        self.id = id
        self.path = path
        self.local = local
        self.remote = remote
        self.loop = loop
        self.transfers = transfers
        self.storePath = storePath
        self.configuration = configuration
        do throws(StoreFailure) {
            let opened = try StoreFile.open(storePath)
            (store, warning, isUnchecked) = (opened.store, opened.warning, opened.isUnchecked)
        } catch {
            store = try SQLiteStore(inMemory: ())
            failure = error
        }
        session = SyncSession(store: store, configuration: configuration)
    }

    private var warning: Explanation?
    /// Whether the database must be checked before a session works with it.
    private var isUnchecked = false
    /// Whether that check is running, and the commands that arrived meanwhile.
    private var isChecking = false
    private var deferred: [SessionCommand] = []
    /// The demands whose end was not reported yet.
    private var openDemands: Set<DemandID> = []
    /// What waits until nothing is in flight and everything is committed.
    private var waitingForCommit: [(Result<SQLiteStore, any Error>) -> Void] = []
    /// Why the database cannot be used now. An empty one in memory replaces it, and no session works with that one.
    private var failure: StoreFailure?
    /// The damage found in the database since the last run that ended well: only damage that is found twice counts.
    private var damage = StoreFile.Damage.none

    /// Starts: examines both sides and syncs them, as soon as the database can be used.
    package func start() {
        hasStarted = true
        if let failure { return waitForStore(failure) }
        if let warning { delegate?.syncFolder(self, warns: warning) }
        warning = nil
        if isUnchecked { checkStore() } else { beginSession() }
    }

    /// Checks the database on another queue, which takes seconds if it is large. Its contents are shown
    /// meanwhile, and nothing is synced.
    private func checkStore() {
        guard !isChecking else { return }
        isChecking = true
        let (path, loop) = (storePath, loop)
        DispatchQueue(label: "org.roundel.check").async {
            let failure = SQLiteStore.damage(at: path)
            loop.post { [weak self] in self?.storeWasChecked(failure) }
        }
    }

    private func storeWasChecked(_ failure: StoreFailure?) {
        isChecking = false
        isUnchecked = false
        if isStopped { return }
        do {
            if let failure {
                // The file was checked separately: this is the second finding.
                if failure.kind == .damaged { damage = .certain(failure) }
                throw failure
            }
            try store.lock()
        } catch {
            return recover(from: error)
        }
        beginSession()
        let commands = deferred
        deferred = []
        handle(commands.map { .command($0) })
    }

    /// Reports that something changed on a side; `isOverflow` means that anything may have changed.
    package func changed(
        _ side: Side, directories: [RelativePath] = [], items: [RelativePath] = [], isOverflow: Bool = false
    ) {
        if !isSyncing && pending.isEmpty {
            return handle([.changed(side, directories: directories, items: items, isOverflow: isOverflow)])
        }
        pending.add(side, directories: directories, items: items, isOverflow: isOverflow)
        guard !isPendingScheduled else { return }
        isPendingScheduled = true
        loop.post(after: Patience.Syncing.collecting) { [weak self] in
            self?.isPendingScheduled = false
            self?.followPending()
        }
    }

    /// Whether reported changes are likely to be the folder's own.
    private var isSyncing: Bool { inFlight > 0 && toldBySession?.phase == .syncing }

    /// Reports handled before the loop gets to do something else.
    private static let reportsAtOnce = 256

    private func followPending() {
        if !pending.isEmpty { handle(pending.take()) }
    }

    /// Why the database cannot be used now; nil if it can.
    package var trouble: Explanation? { failure?.explanation }

    /// Passes a command on to the session. Of a demand, the end is reported in any case.
    package func command(_ command: SessionCommand) {
        switch command {
        case .demand(let id, _):
            openDemands.insert(id)
            if let failure, !isToBeginAgain { return endDemands(as: DemandFailure(.held, failure.explanation)) }
            if (runner == nil && !isChecking) || isStopped { return endDemands(as: DemandFailure(.interrupted)) }
        case .pause: configuration.isPaused = true
        case .resume: configuration.isPaused = false
        case .setExcludes(let patterns): configuration.excludes = patterns
        case .syncNow, .syncAnswering, .confirmDeletes, .restoreDeleted, .doubt, .wish, .withdraw, .resolve, .stop:
            break
        }
        // A session that has not begun yet takes this from the configuration.
        if !hasStarted, command == .pause || command == .resume { return }
        if command == .syncNow, failure != nil, hasStarted { return openStore() }
        handle([.command(command)])
    }

    /// No session knows of the demands that are open.
    private func endDemands(as failure: DemandFailure) {
        let ended = openDemands.sorted()
        openDemands = []
        for id in ended { onDemandReport?(id, .ended(.failed(failure), DemandProgress())) }
    }

    private func tell(_ id: DemandID, _ report: DemandReport) {
        if case .ended = report { openDemands.remove(id) }
        onDemandReport?(id, report)
    }

    /// Starts nothing more before ``goOn()``, and abandons large transfers; calls `onRest` on the loop once nothing
    /// runs any more.
    package func hold(_ onRest: @escaping @Sendable () -> Void) {
        isHeld = true
        guard let runner else { return onRest() }
        runner.hold { [loop] in loop.post(onRest) }
    }

    /// Abandons transfers that run or wait; those that are planned later are started.
    package func abandonTransfers() { runner?.abandonTransfers() }

    /// Ends ``hold(_:)``.
    package func goOn() {
        isHeld = false
        runner?.goOn()
    }

    /// Stops: finishes what is in flight and abandons large transfers. `syncFolderDidStop` follows.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        runner?.abandon()
        handle([.command(.stop)])
    }

    /// How an item is shown to the user.
    package func presentation(of id: NodeID) throws -> ItemPresentation {
        if let failure, id == .root { return ItemPresentation(state: .error, message: failure.explanation) }
        return try store.withConnection { try session.presentation(of: id) }
    }

    /// How at most `limit` items of a local directory are shown to the user, sorted by name, starting after the given
    /// name.
    package func presentations(
        in directory: NodeID, after name: EntryName?, limit: Int
    ) throws -> [(name: EntryName, shown: ItemPresentation)] {
        let session = session
        return try store.withConnection {
            try store.shownItems(of: directory, after: name, limit: limit).map {
                ($0.name, try session.presentation(of: $0))
            }
        }
    }

    /// How the items with these names in a local directory are shown to the user; nil for those that do not exist.
    package func presentations(in directory: NodeID, names: [EntryName?]) throws -> [ItemPresentation?] {
        let session = session
        return try store.withConnection {
            try names.map { name in
                guard let name, let item = try store.shownItem(named: name, of: directory) else { return nil }
                return try session.presentation(of: item)
            }
        }
    }

    /// The error of an item that did not fit; nil if there is none.
    package var shortageOfSpace: Explanation? { try? store.withConnection { try session.shortageOfSpace() } }

    /// Items that are tried again soon, because a program is writing them or they changed meanwhile, at most `limit`,
    /// with the message for each.
    package func itemsTriedAgain(limit: Int) -> [(node: NodeID, message: Explanation)] {
        session.itemsTriedAgain(limit: limit)
    }

    /// Why an item is not synced; `.nothing` only for one that is.
    package func reason(of id: NodeID) throws -> Explanation {
        if let failure { return failure.explanation }
        return try store.withConnection { try session.reason(of: id) }
    }

    /// Items that a side puts off, at most `limit`, with the message for each.
    package func itemsPutOff(limit: Int) -> [(node: NodeID, message: Explanation)] {
        session.itemsPutOff(limit: limit)
    }

    private func beginSession() {
        epoch += 1
        timers = [:]
        inFlight = 0
        let mailbox = Mailbox<EffectRunner.Report>()
        let epoch = epoch
        let loop = loop
        runner = EffectRunner(local: local, remote: remote, limit: configuration.concurrency) { [weak self] report in
            if mailbox.put(report) { loop.post { [weak self] in self?.drain(mailbox, epoch) } }
        }
        if isHeld { runner?.hold {} }
        session = SyncSession(
            store: store, configuration: configuration, stagesAfter: StageID(UInt64(epoch) << 32))
        handle([.start])
    }

    private func drain(_ mailbox: Mailbox<EffectRunner.Report>, _ epoch: Int) {
        guard epoch == self.epoch else { return }
        let (reports, hasMore) = mailbox.take(limit: Self.reportsAtOnce)
        if hasMore { loop.post { [weak self] in self?.drain(mailbox, epoch) } }
        handle(
            reports.map { report in
                switch report {
                case .finished(let id, let result):
                    inFlight -= 1
                    return .effect(id, result)
                case .began(let id):
                    return .began(id)
                case .progress(let id, let bytes):
                    return .progress(id, bytesDone: bytes)
                }
            })
        if !isSyncing { followPending() }
    }

    private func handle(_ events: [SessionEvent]) {
        if isClosed { return }
        if failure != nil || isChecking {
            if isStopped { return finish() }
            for case .command(let command) in events where isChecking { deferred.append(command) }
            return
        }
        do {
            let now = Moment.now
            carryOut(try store.withConnection { try session.handle(events, now: now) })
        } catch {
            recover(from: error)
        }
    }

    /// Calls `body` with a copy of the trees as soon as nothing is in flight and everything is committed, or with the
    /// reason why there will be none.
    func whenCopied(_ body: @escaping (Result<SQLiteStore, any Error>) -> Void) {
        waitingForCommit.append(body)
        copyIfCommitted()
    }

    private func copyIfCommitted() {
        guard !isClosed, !waitingForCommit.isEmpty, inFlight == 0 || failure != nil || isStopped else { return }
        if let failure { return answerCopies(.failure(failure)) }
        guard session.isSettled || isStopped else { return }
        do {
            try store.withConnection { try session.commit() }
        } catch {
            return recover(from: error)
        }
        answerCopies(Result { try store.backup() })
    }

    private func answerCopies(_ copy: Result<SQLiteStore, any Error>) {
        let callbacks = waitingForCommit
        waitingForCommit = []
        for callback in callbacks { callback(copy) }
    }

    private func carryOut(_ actions: [SessionAction]) {
        var effects: [(EffectID, Effect)] = []
        var (urgencies, abandoned): ([EffectID: Urgency], Set<EffectID>) = ([:], [])
        var activities: [Activity] = []
        // Whoever is told of anything below may ask for the status, and the end of a run is told before it.
        for case .folderStatus(let status) in actions { note(status) }
        for action in actions {
            // Whoever was told has closed it: what is left is nobody's work.
            if isClosed { return }
            switch action {
            case .run(let id, let effect): effects.append((id, effect))
            case .hasten(let id, let urgency): urgencies[id] = urgency
            case .abandon(let id): abandoned.insert(id)
            case .demand(let id, let report):
                // Whoever is told of the end may stop the folder and close the database.
                record(&activities)
                tell(id, report)
            case .setTimer(let timer, let delay): set(timer, after: delay)
            case .publish(let states): delegate?.syncFolder(self, changed: states)
            // What was told before may have led to a newer one.
            case .folderStatus: tellStatus()
            case .activity(let activity): activities.append(activity)
            case .quiescent(let summary):
                record(&activities)
                hasFinishedRun = true
                delegate?.syncFolder(self, finishedRun: summary)
            case .finished: finish()
            }
        }
        record(&activities)
        if isClosed { return }
        inFlight += effects.count
        if !effects.isEmpty {
            runner?.run(effects)
            listenForSilence()
        }
        if !urgencies.isEmpty { runner?.hasten(urgencies) }
        if !abandoned.isEmpty { runner?.abandon(abandoned) }
        if hasFinishedRun && inFlight == 0 { rest() }
        copyIfCommitted()
    }

    private func tell(_ status: SessionStatus) {
        note(status)
        tellStatus()
    }

    private func note(_ status: SessionStatus) {
        toldBySession = status
        self.status = silentSide.map { silence(of: $0, status) } ?? status
    }

    private func tellStatus() { delegate?.syncFolder(self, status: status) }

    // MARK: Sides that do not answer

    /// Regularly checks whether a side owes an answer; only while something is in flight.
    private func listenForSilence() {
        guard !isListening else { return }
        isListening = true
        loop.post(after: Patience.Syncing.listening) { [weak self] in
            guard let self else { return }
            isListening = false
            noteSilence(inFlight > 0 ? runner?.silentSide : nil)
            if inFlight > 0 { listenForSilence() }
        }
    }

    private func noteSilence(_ side: Side?) {
        guard side != silentSide else { return }
        silentSide = side
        if let status = toldBySession { tell(status) }
    }

    private func silence(of side: Side, _ status: SessionStatus) -> SessionStatus {
        var silent = SessionStatus(
            phase: side == .local ? .stopped : .offline, state: .error, counts: status.counts,
            message: Explanation(.silent, side, "\(path)"))
        if side == .local { silent.stopReason = .rootMissing }
        return silent
    }

    /// Nothing is in flight after a run: makes the log durable and releases what is only needed for work.
    private func rest() {
        hasFinishedRun = false
        attempts = 0
        damage = .none
        letGoSoon()
        removeUnusedPartials()
        do {
            try store.withConnection { try session.commit() }
            store.rest()
            clinux_release_heap()
        } catch {
            return recover(from: error)
        }
        followPending()
    }

    private func finish() {
        endDemands(as: DemandFailure(.interrupted))
        letGo()
        copyIfCommitted()
        delegate?.syncFolderDidStop(self)
    }

    private func letGoSoon() {
        restCount += 1
        let number = restCount
        loop.post(after: Patience.Syncing.holding) { [weak self] in
            if let self, number == restCount { letGo() }
        }
    }

    /// Releases what was opened on both sides, unless something is in flight: an idle folder must not keep a file
    /// system from being unmounted.
    package func letGo() {
        guard inFlight == 0 else { return }
        resting.async { [local, remote] in
            local.rest()
            remote.rest()
        }
    }

    private func record(_ activities: inout [Activity]) {
        guard !activities.isEmpty, !isClosed else { return }
        defer { activities = [] }
        guard let records = try? store.append(activities, date: Moment.now.unixSeconds) else { return }
        delegate?.syncFolder(self, did: records)
    }

    private func set(_ timer: SessionTimer, after delay: Duration) {
        timerCount += 1
        let number = timerCount
        timers[timer] = number
        // Many computers that lost one server do not all come back to it at the same moment.
        let pause = timer == .retry ? delay * Double.random(in: 1...1.2) : delay
        loop.post(after: pause) { [weak self] in
            guard let self, timers[timer] == number else { return }
            timers[timer] = nil
            // Changes that still wait for the end of the run go first: they show whether it has been quiet.
            handle((timer == .settle ? pending.take() : []) + [.timer(timer)])
        }
    }

    /// The store failed: returns to the last commit and starts a new session, which examines everything.
    private func recover(from error: any Error) {
        epoch += 1
        runner?.retire()
        runner = nil
        endDemands(as: DemandFailure(.interrupted))
        // Whoever was told may have closed it.
        if isClosed { return }
        // What the store cannot roll back now is rolled back by closing it.
        try? store.rollBack()
        store.close()
        let failure = judged(StoreFailure(path: storePath, error), isRow: error is UnreadableRow)
        guard let empty = try? SQLiteStore(inMemory: ()) else { return waitForStore(failure) }
        store = empty
        session = SyncSession(store: store, configuration: configuration)
        // The database is sound: once, a new session may begin at once, which finds out whether the side is there.
        guard failure.kind == .ahead, attempts == 0, !isStopped else { return waitForStore(failure) }
        attempts = 1
        self.failure = failure
        isToBeginAgain = true
        let epoch = epoch
        loop.post { [weak self] in
            if let self, epoch == self.epoch, !isStopped { openStore() }
        }
    }

    /// Judges a failure that occurred during work: what SQLite calls damage may have been a page that could not be
    /// read. An unreadable row is certain damage, not a failed read.
    private func judged(_ failure: StoreFailure, isRow: Bool) -> StoreFailure {
        guard failure.kind == .damaged else { return failure }
        let suspicions: Int
        switch damage {
        case .none: suspicions = 0
        case .suspected(let times): suspicions = times
        case .certain: return failure
        }
        guard !isRow && suspicions < Self.suspicionsAtMost else {
            damage = .certain(failure)
            return failure
        }
        damage = .suspected(times: suspicions + 1)
        return failure.asSuspicion
    }

    /// How often in one run a sound database may be called damaged before it counts as damaged.
    private static let suspicionsAtMost = 3

    /// The database cannot be used: stops the folder, reports that, and tries again at growing intervals.
    private func waitForStore(_ failure: StoreFailure) {
        self.failure = failure
        isToBeginAgain = false
        epoch += 1
        let epoch = epoch
        attempts += 1
        delegate?.syncFolder(self, warns: failure.explanation)
        let root = StateChange(node: .root, parent: .none, name: .root, state: .error)
        delegate?.syncFolder(self, changed: [root])
        tell(SessionStatus(phase: .stopped, state: .error, counts: status.counts, message: failure.explanation))
        copyIfCommitted()
        if isStopped { return finish() }
        let pause = min(Patience.Syncing.store * (1 << min(attempts, 7)), Patience.Syncing.longestStore)
        loop.post(after: pause) { [weak self] in
            if let self, epoch == self.epoch { openStore() }
        }
    }

    /// After `stop`: lets a copy of the folder, whose root has this identity, take its place. Every item in the copy
    /// has the same name but another identity.
    package func adopt(localRoot identity: Token) throws {
        try requireStore()
        try store.withConnection {
            try store.setValue(identity.bytes, for: .localRoot)
            try store.forgetIdentities(on: .local)
            try store.commit()
        }
    }

    /// After `stop`: closes the database, so that another object can open it. Whatever is still reported is not followed.
    package func close() {
        isClosed = true
        store.close()
        transfers?.close()
    }

    /// Throws the reason if the database cannot be used.
    func requireStore() throws(StoreFailure) {
        if let failure { throw failure }
    }

    private func openStore() {
        guard failure != nil else { return }
        do throws(StoreFailure) {
            let opened = try StoreFile.open(storePath, damage)
            (store, warning, isUnchecked) = (opened.store, opened.warning, opened.isUnchecked)
            if opened.warning != nil { damage = .none }
            failure = nil
            isToBeginAgain = false
            start()
        } catch {
            waitForStore(error)
        }
    }
}
