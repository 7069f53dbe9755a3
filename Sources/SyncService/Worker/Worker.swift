internal import DBus
internal import Glibc
internal import Rclone
internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// The sync worker on the bus: owns the synced folders, is their provider towards the badge service, and serves
/// `org.roundel.SyncWorker1`.
///
/// Lives on the thread of its loop, which is the control loop of the folders as well.
final class Worker {
    let loop: EventLoop
    let bus: Connection
    let control: LoopControl
    let places: WorkerPlaces
    let blocking: BlockingWork
    let opener: DesktopOpener
    /// Of the servers that folders are synced with.
    let logins = SavedLogins()
    let browserLogins: BrowserLogins
    /// Carries out what is asked of remotes that are configured in rclone, for all folders.
    private(set) lazy var rclone = RcloneService(
        spoolingIn: places.state.appending("rclone"), leaving: freeSpaceFloor)
    private(set) var units: [FolderUnit] = []
    private(set) var link: ProviderLink?
    private var settings: WorkerSettings
    private var remotes: RemoteWatch?
    private var watchReport: WatchReport?
    /// The folders of which the badge service does not see every change.
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
    /// What compares folders now, until its threads have ended.
    private var verifications: [ObjectIdentifier: VerifyCall] = [:]
    /// Where folders are and will be that are being moved, by their ids.
    private var moving: [String: [SyncedPlace]] = [:]

    /// The most calls of Verify at a time: one behind a side that does not answer stays.
    private static let mostVerifications = 8
    /// How long the badge service may be gone before it is started again.
    private static let revivalDelay = Duration.seconds(1)
    /// How often the versions of removed folders are aged.
    private static let ageingInterval = Duration.seconds(86_400)
    /// How long a new folder waits for the call of Sync that begins it.
    private static let startPatience = Duration.seconds(2)
    /// How long the start waits for the badge service, so that no change falls between the scan and the watching.
    private static let servicePatience = Duration.seconds(3)

    init(loop: EventLoop, bus: Connection, places: WorkerPlaces = WorkerPlaces()) throws {
        self.loop = loop
        self.places = places
        self.bus = bus
        control = try LoopControl(loop: loop)
        blocking = BlockingWork(control: control)
        browserLogins = BrowserLogins(bus: bus, blocking: blocking, saved: logins)
        opener = DesktopOpener(bus: bus, name: "roundel-worker")
        settings = try WorkerSettings.load(places.settings)
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
        for folder in settings.folders {
            do throws(WorkerError) {
                add(try FolderUnit(settings: folder, tag: settings.tag, service: self))
            } catch {
                log(.error, error.message)
            }
        }
    }

    /// Exports the interfaces and registers with the badge service, which is started where it does not run.
    func start() throws {
        link = try ProviderLink(self, registration: Self.registration, on: bus)
        _ = try bus.export(WorkerInterface.make(for: self), at: Names.workerPath)
        try link?.start()
        registerFolders()
        startBadgeService()
        patienceTimer.set(after: Self.servicePatience)
        followWatching()
        ageRemoved()
        planAgeing()
    }

    private static let registration = ProviderRegistration(
        object: Names.workerPath.rawValue, id: Names.workerProviderID, name: "Roundel", icon: "org.roundel.Roundel",
        toolbarItem: ToolbarItem(
            name: Words.toolbar.name, icon: "org.roundel.Roundel", tooltip: Words.toolbar.tooltip),
        services: [Names.workerInterface: Names.workerPath.rawValue])

    /// Ends what is in flight, then calls `onStopped`.
    func stop(_ onStopped: @escaping () -> Void) {
        link?.stop()
        for timer in [rescanTimer, patienceTimer, revivalTimer, ageingTimer] { timer.cancel() }
        sleep.close()
        metered.close()
        stoppingCount = units.count
        if units.isEmpty { return onStopped() }
        for unit in units {
            unit.stop { [unowned self] in
                unit.close()
                stoppingCount -= 1
                if stoppingCount == 0 { onStopped() }
            }
        }
    }

    /// What transfers leave free on each file system.
    var freeSpaceFloor: FreeSpaceFloor { FreeSpaceFloor(bytes: settings.keepFree) }

    // MARK: Folders

    /// The folder of an id, or the one that holds a URI, the deepest.
    func unit(named text: String) throws(WorkerError) -> FolderUnit {
        if let unit = units.first(where: { $0.settings.id == text }) { return unit }
        if let item = try? ItemURI(text), let unit = unit(holding: item) { return unit }
        throw .unknownFolder(text)
    }

    /// The folders that a text names: all for "".
    func units(named text: String) throws(WorkerError) -> [FolderUnit] {
        text.isEmpty ? units : [try unit(named: text)]
    }

    /// The deepest folder that an item is in.
    func unit(holding item: ItemURI) -> FolderUnit? {
        units.filter { item.isWithin($0.uri) }.max { $0.uri.path.utf8.count < $1.uri.path.utf8.count }
    }

    /// Every place that is taken: no other folder may overlap one.
    var syncedPlaces: [SyncedPlace] { units.map(\.place) + moving.values.joined() }

    /// Takes a new folder over and begins to sync it.
    ///
    /// - Parameter starts: false leaves the beginning to a call of Sync, which should come at once; should it not
    ///   come, the folder begins by itself.
    func addFolder(_ folder: FolderSettings, starts: Bool = true) throws(WorkerError) -> FolderUnit {
        let unit = try FolderUnit(settings: folder, tag: settings.tag, service: self)
        settings.folders.append(folder)
        do {
            try save()
        } catch {
            settings.folders.removeLast()
            throw error
        }
        add(unit)
        if starts {
            registerAndStart(unit)
        } else {
            registerFolders()
            patienceTimer.set(after: Self.startPatience)
        }
        foldersChanged()
        return unit
    }

    /// Forgets a folder; its files stay, and so does for its time what is kept of them, which `onRemoved` gets.
    func removeFolder(
        _ unit: FolderUnit, _ onRemoved: @escaping (KeptAfterRemoval) -> Void
    ) throws(WorkerError) {
        let id = unit.settings.id
        let before = settings
        settings.folders.removeAll { $0.id == id }
        if let folder = unit.remembered(removed: microseconds()) { settings.removed = removedFolders + [folder] }
        do {
            try save()
        } catch {
            settings = before
            throw error
        }
        units.removeAll { $0 === unit }
        remotes?.remove(id)
        registerFolders()
        foldersChanged()
        planAgeing()
        unit.stop { [unowned self] in
            unit.removePartials()
            withExtendedLifetime(unit) { countKept(of: id, onRemoved) }
        }
    }

    /// The folders that are no longer synced and of which something is kept.
    var removedFolders: [RemovedFolder] { settings.removed ?? [] }

    /// Nothing is kept any more of a folder that is no longer synced.
    func forget(_ id: String) {
        let rest = removedFolders.filter { $0.id != id }
        guard rest != removedFolders else { return }
        settings.removed = rest.isEmpty ? nil : rest
        do throws(WorkerError) { try save() } catch { log(.warning, error.message) }
        planAgeing()
    }

    /// What is kept of removed folders nobody else ages.
    private func planAgeing() {
        if removedFolders.isEmpty { ageingTimer.cancel() } else { ageingTimer.set(after: Self.ageingInterval) }
    }

    /// Records that a folder stands elsewhere, and goes on there.
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
            do throws(WorkerError) {
                try unit.leave(for: place)
                var folder = unit.settings
                folder.uri = place.uri.uri
                try takeUp(folder)
                onMoved(nil)
            } catch {
                // It goes on where it was.
                try? takeUp(unit.settings)
                onMoved(error)
            }
        }
    }

    /// Goes on with a folder that was stopped, with other settings.
    private func takeUp(_ folder: FolderSettings) throws(WorkerError) {
        let unit = try FolderUnit(settings: folder, tag: settings.tag, service: self)
        if let index = settings.folders.firstIndex(where: { $0.id == folder.id }) { settings.folders[index] = folder }
        try save()
        add(unit)
        registerAndStart(unit)
        foldersChanged()
    }

    /// Records what a person chose for a folder.
    func keep(_ unit: FolderUnit) throws(WorkerError) {
        guard let index = settings.folders.firstIndex(where: { $0.id == unit.settings.id }) else { return }
        settings.folders[index] = unit.settings
        try save()
        foldersChanged()
    }

    private func save() throws(WorkerError) { try settings.save(places.settings) }

    /// Sets what a folder may have of the network, and keeps that.
    func setNetworkUse(_ use: NetworkUse, of unit: FolderUnit) throws(WorkerError) {
        guard unit.usesNetwork else { throw .noNetwork(unit.settings.label) }
        let before = unit.settings.network ?? .usual
        unit.setNetworkUse(use)
        do {
            try keep(unit)
        } catch {
            unit.setNetworkUse(before)
            throw error
        }
    }

    private func add(_ unit: FolderUnit) {
        units.append(unit)
        if unit.usesNetwork {
            metered.follow()
            unit.setMetered(metered.isMetered)
        }
        if case .directory(let path) = unit.remoteAddress { remotes?.watch(path, for: unit.settings.id) }
        followWatching(of: unit)
    }

    // MARK: The badge service

    /// Tells the badge service the folders; `done` is called when changes in them are watched, or nobody watches.
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

    /// Changes are told from when the watches stand; what was there before that, the first look finds.
    private func registerAndStart(_ unit: FolderUnit) {
        registerFolders { [weak self, weak unit] in
            guard let self, let unit else { return }
            service(flushes: unit) { [weak self, weak unit] in
                if let unit { self?.start(unit) }
            }
        }
    }

    /// Begins to sync a folder. One that needs the network begins when it is known what that costs.
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
                // What changed while nobody watched was not told.
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
        // Without a service manager nobody else would start it again. A short wait lets one do so, or --replace.
        revivalTimer.set(after: Self.revivalDelay)
    }

    private func startBadgeService() {
        guard link?.isRegistered != true else { return }
        bus.startService(Names.service) { result in
            if case .failure(let error) = result {
                log(.warning, Words.badgeServiceNotStarted(error.message))
            }
        }
    }

    /// Has every change up to now delivered, then goes on; without the badge service it goes on at once.
    func service(flushes unit: FolderUnit, _ done: @escaping () -> Void) {
        guard let link, link.isRegistered else { return done() }
        link.flush(unit.uri) { _ in done() }
    }

    private func startAll() {
        for unit in units { start(unit) }
    }

    // MARK: What is not watched

    /// Tells the folders which of their sides are not watched as a whole.
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

    /// Wakes up when the next folder is to be looked through; not at all while every change is told.
    func planRescans() {
        guard let next = units.compactMap(\.nextRescan).min() else { return rescanTimer.cancel() }
        rescanTimer.set(at: next)
    }

    // MARK: Sleep

    /// Something began or ended in a folder.
    func workChanged() {
        sleep.setBusy(units.contains { $0.isInFlight })
        // A bus that went may be back.
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

    /// Holds a call of Verify until it ends; false if there are too many.
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
