internal import DBus
internal import Glibc
internal import Launching
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The sync worker on the bus: owns the synced folders, acts as their provider for the badge service, and serves
/// `org.roundel.SyncWorker1`.
///
/// Belongs to the thread of its loop, which is also the control loop of the folders.
final class Worker {
    let loop: EventLoop
    let bus: Connection
    private let sandboxes: SandboxGate
    let control: LoopControl
    let places: WorkerPlaces
    let blocking: BlockingWork
    let opener: DesktopOpener
    /// The logins of the servers that folders sync with.
    let logins: SavedLogins
    let browserLogins: BrowserLogins
    /// The kinds of remotes, with what they share.
    let kinds: RemoteKinds
    private(set) var units: [FolderUnit] = []
    private(set) var link: ProviderLink?
    private var settings: SettingsFile
    private var remotes: RemoteWatch?
    private var watchReport: WatchReport?
    /// The IDs of the folders in which the badge service does not notice every change.
    private var unreliable: Set<String> = []
    private lazy var sleep = SleepInhibitor(loop: loop) { [unowned self] in
        holdAll($0)
    } goOn: { [unowned self] in
        for unit in units { unit.goOn() }
    }
    private lazy var metered = MeteredConnection(loop: loop) { [unowned self] isMetered in
        for unit in units { unit.setMetered(isMetered) }
    }
    private lazy var rescanTimer = loop.makeTimer { [unowned self] in rescanDue() }
    private lazy var patienceTimer = loop.makeTimer { [unowned self] in startAll() }
    private lazy var ageingTimer = loop.makeTimer { [unowned self] in
        ageRemoved()
        planAgeing()
    }
    private lazy var revivalTimer = loop.makeTimer { [unowned self] in startBadgeService() }
    private var stoppingCount = 0
    /// The running comparisons, until their threads have ended.
    private var verifications: [ObjectIdentifier: VerifyCall] = [:]
    /// The old and new places of the folders that are being moved, by their IDs.
    private var moving: [String: [SyncedPlace]] = [:]

    /// The maximum number of simultaneous Verify calls. A call may hang forever if a side does not respond.
    private static let mostVerifications = 8

    init(
        loop: EventLoop, bus: Connection, places: WorkerPlaces = WorkerPlaces(), logins: SavedLogins = SavedLogins()
    ) throws {
        self.loop = loop
        self.places = places
        self.logins = logins
        self.bus = bus
        sandboxes = SandboxGate(bus: bus)
        control = try LoopControl(loop: loop)
        blocking = BlockingWork(control: control)
        browserLogins = BrowserLogins(bus: bus, blocking: blocking, saved: logins)
        opener = DesktopOpener(bus: bus, name: "roundel-worker")
        settings = try SettingsFile(places.settings)
        kinds = RemoteKinds(
            RemoteSurroundings(
                directory: places.state, leaving: FreeSpaceFloor(bytes: settings.current.keepFree), logins: logins))
        remotes = try RemoteWatch(loop: loop) { [unowned self] id, directories, items, isOverflow in
            guard let unit = units.first(where: { $0.settings.id == id }) else { return }
            unit.changed(.remote, directories: directories, items: items, isOverflow: isOverflow)
        } onStatus: { [unowned self] in
            followWatching()
        }
        watchReport = try WatchReport(bus: bus) { [unowned self] folders in
            unreliable = folders
            followWatching()
        }
        for folder in settings.current.folders {
            do throws(WorkerError) {
                add(try FolderUnit(settings: folder, tag: settings.current.tag, service: self))
            } catch {
                log(.error, error.message)
            }
        }
    }

    /// Exports the interfaces and registers with the badge service, which is started if it does not run.
    func start() throws {
        link = try ProviderLink(self, registration: Self.registration, on: bus)
        let interface = WorkerInterface.make(for: self).closedToSandboxes(sandboxes)
            .admitting { [weak self] _, proceed in
                // Who the caller is may become known after the worker's end.
                guard let self else { return }
                readSettings()
                proceed()
            }
        _ = try bus.export(interface, at: Names.workerPath)
        try link?.start()
        registerFolders()
        startBadgeService()
        patienceTimer.set(after: Patience.Worker.service)
        followWatching()
        ageRemoved()
        planAgeing()
    }

    private static let registration = ProviderRegistration(
        object: Names.workerPath.rawValue, id: Names.workerProviderID, name: "Roundel", icon: "org.roundel.Roundel",
        toolbarItem: ToolbarItem(
            name: Words.toolbar.name, icon: "org.roundel.Roundel", tooltip: Words.toolbar.tooltip),
        services: [Names.workerInterface: Names.workerPath.rawValue])

    /// Finishes the effects that run, then calls `onStopped`.
    func stop(_ onStopped: @escaping () -> Void) {
        link?.stop()
        for timer in [rescanTimer, patienceTimer, revivalTimer, ageingTimer] { timer.cancel() }
        sleep.close()
        metered.close()
        stoppingCount = units.count
        if units.isEmpty { return onStopped() }
        for unit in units {
            unit.depart(because: .stopping)
            unit.stop { [unowned self] in
                unit.close()
                stoppingCount -= 1
                if stoppingCount == 0 { onStopped() }
            }
        }
    }

    /// How much space transfers leave free on each file system.
    var freeSpaceFloor: FreeSpaceFloor { FreeSpaceFloor(bytes: settings.current.keepFree) }

    // MARK: Folders

    /// The folder with an ID, or the deepest one that contains a URI.
    func unit(named text: String) throws(WorkerError) -> FolderUnit {
        if let unit = units.first(where: { $0.settings.id == text }) { return unit }
        if let item = try? ItemURI(text), let unit = unit(holding: item) { return unit }
        throw .unknownFolder(text)
    }

    /// The folders that a text names; all for "".
    func units(named text: String) throws(WorkerError) -> [FolderUnit] {
        text.isEmpty ? units : [try unit(named: text)]
    }

    /// The deepest folder that contains an item.
    func unit(holding item: ItemURI) -> FolderUnit? {
        units.filter { item.isWithin($0.uri) }.max { $0.uri.path.utf8.count < $1.uri.path.utf8.count }
    }

    /// All places in use; no other folder may overlap one of them.
    var syncedPlaces: [SyncedPlace] { units.map(\.place) + moving.values.joined() }

    /// Adds a new folder and starts to sync it.
    ///
    /// - Parameter caller: Who will soon start it by a call of Sync, whose result counts everything; nil if it starts now.
    ///   If that call does not come, the folder starts by itself.
    func addFolder(_ folder: FolderSettings, startedBy caller: String? = nil) throws(WorkerError) -> FolderUnit {
        let unit = try FolderUnit(settings: folder, tag: settings.current.tag, service: self)
        try settings.change { $0.folders.append(folder) }
        add(unit)
        if let caller {
            unit.expectFirstRun(of: caller)
            registerFolders()
            patienceTimer.set(after: Patience.Worker.firstSync)
        } else {
            registerAndStart(unit)
        }
        foldersChanged()
        return unit
    }

    /// Removes a folder from the settings. Its files remain, and its kept versions remain for the usual time;
    /// `onRemoved` gets how many there are.
    func removeFolder(
        _ unit: FolderUnit, _ onRemoved: @escaping (Result<SyncKeptVersions, WorkerError>) -> Void
    ) {
        switch unit.notedRoots {
        case .neverSynced: remove(unit, keptFrom: nil, onRemoved)
        case .noted(let roots): remove(unit, keptFrom: roots, onRemoved)
        case .unreadable:
            // What is kept must be found again nevertheless. A side that does not answer is counted as one that could
            // not be read.
            blocking.run(within: Patience.Worker.roots, unit.rootsOnDisk) { [unowned self] roots in
                guard units.contains(where: { $0 === unit }) else {
                    return onRemoved(.failure(.unknownFolder(unit.settings.uri)))
                }
                remove(unit, keptFrom: roots ?? .unknown, onRemoved)
            }
        }
    }

    /// - Parameter roots: The roots of which something may be kept; nil if nothing is.
    private func remove(
        _ unit: FolderUnit, keptFrom roots: FolderRoots?,
        _ onRemoved: @escaping (Result<SyncKeptVersions, WorkerError>) -> Void
    ) {
        do throws(WorkerError) {
            try forget(unit, keptFrom: roots)
        } catch {
            return onRemoved(.failure(error))
        }
        unit.stop { [unowned self] in
            unit.removePartials()
            withExtendedLifetime(unit) {
                countKept(of: unit.settings.id) { [unowned self] kept in
                    removeRemains(of: unit.settings, roots)
                    onRemoved(.success(kept))
                }
            }
        }
    }

    private func forget(_ unit: FolderUnit, keptFrom roots: FolderRoots?) throws(WorkerError) {
        let id = unit.settings.id
        let kept = roots.map { RemovedFolder(unit.settings, $0, removed: microseconds()) }
        try settings.change { settings in
            settings.folders.removeAll { $0.id == id }
            if let kept { settings.removed = (settings.removed ?? []) + [kept] }
        }
        units.removeAll { $0 === unit }
        unit.depart(because: .removedMeanwhile(unit.settings.label))
        remotes?.remove(id)
        registerFolders()
        foldersChanged()
        planAgeing()
    }

    /// The folders that are no longer synced but still have kept versions.
    var removedFolders: [RemovedFolder] { settings.current.removed ?? [] }

    /// Forgets a removed folder that has no kept versions any more.
    func forget(_ id: String) {
        let rest = removedFolders.filter { $0.id != id }
        guard rest != removedFolders else { return }
        do throws(WorkerError) {
            try settings.change { $0.removed = rest.isEmpty ? nil : rest }
        } catch {
            log(.warning, error.message)
        }
        planAgeing()
    }

    /// Schedules the removal of old versions of removed folders, which no folder does for them.
    private func planAgeing() {
        if removedFolders.isEmpty { ageingTimer.cancel() } else { ageingTimer.set(after: Patience.Worker.ageing) }
    }

    /// Records the new place of a folder, and continues to sync it there.
    func relocate(
        _ unit: FolderUnit, to place: NewPlace, _ onMoved: @escaping (WorkerError?) -> Void
    ) throws(WorkerError) {
        let id = unit.settings.id
        var target = unit.place
        target.folder = place.uri.filePath
        moving[id] = [unit.place, target]
        units.removeAll { $0 === unit }
        remotes?.remove(id)
        unit.stop { [unowned self] in
            moving[id] = nil
            var folder = unit.settings
            // A label that the user chose stays.
            if folder.label == unit.uri.label { folder.label = place.uri.label }
            folder.uri = place.uri.uri
            do throws(WorkerError) {
                try leave(unit, for: place, folder)
                try takeUp(folder)
                unit.depart(because: .movedMeanwhile(unit.settings.label, to: place.uri))
                onMoved(nil)
            } catch {
                goBack(unit, from: folder)
                unit.depart(because: .movedMeanwhile(unit.settings.label, to: unit.uri))
                onMoved(error)
            }
        }
    }

    /// The settings are saved first: if that fails, the database still belongs to the old place.
    private func leave(_ unit: FolderUnit, for place: NewPlace, _ folder: FolderSettings) throws(WorkerError) {
        defer { unit.close() }
        try settings.change(unit.settings, to: folder)
        try unit.leave(for: place)
    }

    /// Continues to sync a folder at its old place after a failed move.
    private func goBack(_ unit: FolderUnit, from folder: FolderSettings) {
        do throws(WorkerError) { try settings.change(folder, to: unit.settings) } catch { log(.error, error.message) }
        do throws(WorkerError) { try takeUp(unit.settings) } catch { log(.error, error.message) }
    }

    /// Continues to sync a folder that was stopped.
    private func takeUp(_ folder: FolderSettings) throws(WorkerError) {
        let unit = try FolderUnit(settings: folder, tag: settings.current.tag, service: self)
        add(unit)
        registerAndStart(unit)
        foldersChanged()
    }

    /// Changes the settings of a folder: the user's choices, or what was found out about its server.
    func change(_ unit: FolderUnit, _ body: (inout FolderSettings) -> Void) throws(WorkerError) {
        readSettings()
        var folder = unit.settings
        body(&folder)
        if folder == unit.settings { return }
        try settings.change(unit.settings, to: folder)
        unit.apply(folder)
        foldersChanged()
    }

    /// Reads the settings again if the user changed the file. What it says about existing folders holds from now on;
    /// where they are, and which there are, from the next start on.
    private func readSettings() {
        do throws(WorkerError) {
            try settings.refresh()
        } catch {
            return log(.warning, error.message)
        }
        for unit in units {
            guard let chosen = settings.current.folders.first(where: { $0.id == unit.settings.id }) else { continue }
            var folder = unit.settings
            (folder.label, folder.paused, folder.network) = (chosen.label, chosen.paused, chosen.network)
            do throws(WorkerError) {
                try FolderSettings.requirePatterns(chosen.excludes)
                folder.excludes = chosen.excludes
            } catch {
                log(.warning, error.message)
            }
            guard folder != unit.settings else { continue }
            unit.apply(folder)
            foldersChanged()
        }
    }

    /// Sets how a folder may use the network.
    func setNetworkUse(_ use: NetworkUse, of unit: FolderUnit) throws(WorkerError) {
        guard unit.usesNetwork else { throw .noNetwork(unit.settings.label) }
        try change(unit) { $0.network = use == .usual ? nil : use }
    }

    private func add(_ unit: FolderUnit) {
        units.append(unit)
        if unit.usesNetwork {
            metered.follow()
            unit.setMetered(metered.isMetered)
        }
        if let path = unit.remote.directory { remotes?.watch(path, for: unit.settings.id) }
        followWatching(of: unit)
    }

    // MARK: The badge service

    /// Reports the folders to the badge service. Calls `done` once changes in them are watched, or if there is no badge
    /// service.
    private func registerFolders(_ done: @escaping () -> Void = {}) {
        let offers = units.map { FolderOffer(folder: $0.uri, watch: true, label: $0.settings.label) }
        guard let link, link.isRegistered else {
            link?.setFolders(offers)
            return done()
        }
        link.setFolders(offers) { result in
            if case .failure(let error) = result { log(.error, Words.notShown(error.message)) }
            done()
        }
    }

    /// Registers a folder before it starts, because changes are reported only once it is watched. The first scan finds
    /// earlier changes.
    private func registerAndStart(_ unit: FolderUnit) {
        registerFolders { [weak self, weak unit] in
            guard let self, let unit else { return }
            service(flushes: unit) { [weak self, weak unit] in
                if let unit { self?.start(unit) }
            }
        }
    }

    /// Starts to sync a folder. One that needs the network starts once it is known whether the connection is metered.
    private func start(_ unit: FolderUnit) {
        if unit.usesNetwork { metered.whenKnown { [weak unit] in unit?.start() } } else { unit.start() }
    }

    func serviceIsThere() {
        patienceTimer.cancel()
        followWatching()
        watchReport?.read()
        for unit in units {
            service(flushes: unit) { [weak self, weak unit] in
                guard let unit else { return }
                // Changes made while the folder was not watched were not reported.
                if unit.hasStarted { unit.changed(.local, isOverflow: true) } else { self?.start(unit) }
            }
            publishStatus(of: unit)
        }
    }

    func serviceIsGone() {
        log(.warning, Words.noBadgeService)
        for unit in units { unit.endObserving() }
        unreliable = []
        followWatching()
        // Without a service manager, nothing else would start the service again. The short wait gives one the time to
        // do so, and lets another instance take over with --replace.
        revivalTimer.set(after: Patience.Worker.revival)
    }

    private func startBadgeService() {
        guard link?.isRegistered != true else { return }
        bus.startService(Names.service) { result in
            if case .failure(let error) = result {
                log(.warning, Words.badgeServiceNotStarted(error.message))
            }
        }
    }

    /// Waits until all changes made so far were delivered, then calls `done`; immediately if there is no badge service.
    func service(flushes unit: FolderUnit, _ done: @escaping () -> Void) {
        guard let link, link.isRegistered else { return done() }
        link.flush(unit.uri) { _ in done() }
    }

    private func startAll() {
        for unit in units { start(unit) }
    }

    // MARK: What is not watched

    /// Updates for each folder which of its sides are not watched completely.
    private func followWatching() {
        for unit in units { followWatching(of: unit) }
        planRescans()
    }

    private func followWatching(of unit: FolderUnit) {
        var unwatched: Set<Side> = []
        if link?.isRegistered != true || unreliable.contains(unit.uri.uri) { unwatched.insert(.local) }
        if remotes?.isReliable(unit.settings.id) != true { unwatched.insert(.remote) }
        unit.setUnwatched(unwatched)
    }

    private func rescanDue() {
        for unit in units { unit.rescanIfDue() }
        planRescans()
    }

    /// Schedules the next scan of a folder; none if all changes are reported.
    func planRescans() {
        guard let next = units.compactMap(\.nextRescan).min() else { return rescanTimer.cancel() }
        rescanTimer.set(at: next)
    }

    // MARK: Sleep

    /// Called when work in a folder began or ended.
    func workChanged() {
        sleep.setBusy(units.contains { $0.isInFlight })
        // A bus connection that was lost may be available again.
        if units.contains(where: \.usesNetwork) { metered.follow() }
    }

    private func holdAll(_ onRest: @escaping () -> Void) {
        var remaining = units.count
        if remaining == 0 { return onRest() }
        for unit in units {
            unit.hold {
                remaining -= 1
                if remaining == 0 { onRest() }
            }
        }
    }

    // MARK: Verifying

    /// Keeps a Verify call alive until it ends; false if there are too many.
    func keep(_ call: VerifyCall) -> Bool {
        guard verifications.count < Self.mostVerifications else { return false }
        verifications[ObjectIdentifier(call)] = call
        return true
    }

    func letGo(_ call: VerifyCall) { verifications[ObjectIdentifier(call)] = nil }

    // MARK: Telling

    func publish(_ updates: [BadgeUpdate]) {
        for update in updates { link?.updateBadges(in: update.directory, update.columns) }
    }

    func publishStatus(of unit: FolderUnit) {
        link?.setFolderStatus(unit.uri, unit.hubStatus, notices: unit.notices())
        emit("StatusChanged") { writer in
            try writer.append(unit.settings.id)
            try writer.append(map: unit.report().map)
        }
    }

    func publish(_ activities: [SyncActivity]) {
        emit("ActivityAdded") { try $0.append(value: .maps(activities.map(\.map))) }
    }

    private func foldersChanged() { emit("FoldersChanged") { _ in } }

    private func emit(_ signal: String, _ write: (inout MessageWriter) throws -> Void) {
        do {
            try bus.emit(Names.workerPath, Names.workerInterface, signal) { writer in
                try write(&writer)
                try writer.appendNoExtras()
            }
        } catch {
            log(.warning, Words.notSent(signal, because: "\(error)"))
        }
    }

    /// Microseconds since 1970.
    func microseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
