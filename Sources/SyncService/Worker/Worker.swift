internal import DBus
internal import Launching
internal import Remotes
internal import RoundelBus
internal import Support
internal import SyncEngine

/// The sync worker on the bus: puts its parts together, starts and stops them.
///
/// Belongs to the thread of its loop, which is also the control loop of the folders.
final class Worker {
    let loop: EventLoop
    let bus: Connection
    let control: LoopControl
    let blocking: BlockingWork
    /// The kinds of remotes, with what they share.
    let kinds: RemoteKinds
    let book: FolderBook
    let removed: RemovedFolders
    let placement: FolderPlacement
    let hub: HubLink
    /// The worker as the badge service sees it.
    let provider: FolderProvider
    let browserLogins: BrowserLogins
    let accountLogins: AccountLogins
    /// The running comparisons.
    let verifications = CallsUnderWay()
    /// Brings contents here and frees them, for callers and menus.
    let moving: ContentsMoving
    let lost: LostFolders
    /// The calls that wait for contents.
    let contentsCalls = CallsUnderWay()
    let contentsReports: ContentsReports
    /// Looks for what folders can sync with.
    let search: RemoteSearch
    let certificates: CertificateChoice
    /// The calls that count what adding a folder would do.
    let previews = CallsUnderWay()
    let places: WorkerPlaces
    private let sandboxes: SandboxGate
    private let watching: FolderWatching
    private let metered: MeteredFolders
    private let sleeping: SleepingFolders
    private let paused: PausedFolders
    private let starts: FolderStarts
    private let mounts: MountRunner
    private let copies: FolderCopies
    /// Shows folders, pages and the window.
    let opener: DesktopOpener

    init(
        loop: EventLoop, bus: Connection, places: WorkerPlaces = WorkerPlaces(), logins: SavedLogins = SavedLogins(),
        proxies: (any DesktopProxies)? = ProxyPortal()
    ) throws {
        (self.loop, self.bus, self.places) = (loop, bus, places)
        sandboxes = SandboxGate(bus: bus)
        control = try LoopControl(loop: loop)
        blocking = BlockingWork(control: control)
        mounts = MountRunner(bus: bus, loop: loop)
        let dismantling = MountDismantling(mounts, places, blocking: blocking, loop: loop)
        let book = try FolderBook(places.settings, dismantling: dismantling, blocking: blocking)
        let hub = HubLink(loop: loop, bus: bus)
        kinds = RemoteKinds(
            RemoteSurroundings(
                directory: places.state, leaving: FreeSpaceFloor(bytes: book.keepFree), logins: logins,
                proxies: proxies))
        removed = RemovedFolders(book, places, kinds, blocking: blocking, loop: loop)
        placement = FolderPlacement(book, kinds, places, blocking: blocking)
        logins.certificates.replace(with: book.certificates)
        certificates = CertificateChoice(
            book: book, saved: logins, home: "\(places.home)", blocking: blocking)
        search = RemoteSearch(kinds: kinds, places: places, blocking: blocking)
        browserLogins = BrowserLogins(bus: bus, blocking: blocking, saved: logins)
        accountLogins = AccountLogins(book: book, blocking: blocking, saved: logins)
        let watching = try FolderWatching(book, hub, loop: loop, bus: bus)
        metered = MeteredFolders(book, loop: loop)
        sleeping = SleepingFolders(book, loop: loop)
        paused = PausedFolders(book, loop: loop)
        let starts = FolderStarts(book, hub, metered, loop: loop)
        moving = ContentsMoving(book, loop: loop)
        lost = LostFolders(book, loop: loop)
        contentsReports = ContentsReports(bus: bus, loop: loop)
        opener = DesktopOpener(bus: bus, name: "roundel-worker")
        copies = FolderCopies(
            book, chooser: FileChooser(bus: bus), opener: opener, blocking: blocking, loop: loop,
            dataHome: places.dataHome, notes: CopyNotes(in: places.copies),
            bringHere: moving.bringHere)
        let actions = FolderActions(
            book: book, moving: moving, opener: opener, flush: hub.flush, copies: copies,
            window: InstalledWindow(bus: bus))
        provider = FolderProvider(book, actions) { isThere in
            if isThere {
                watching.hubIsThere()
                starts.hubIsThere()
            } else {
                log(.warning, "The badge service is not running; folders are checked for changes from time to time.")
                for unit in book.folders.all { unit.badges.endObserving() }
                watching.hubIsGone()
                hub.isGone()
            }
        }
        (self.book, self.hub, self.watching, self.starts) = (book, hub, watching, starts)
        openBook(places)
    }

    private func openBook(_ places: WorkerPlaces) {
        let signals = WorkerSignals(bus: bus)
        let surroundings = FolderSurroundings(
            loop: loop, control: control, blocking: blocking, mounts: mounts, kinds: kinds, places: places,
            flush: hub.flush,
            onBadges: hub.show,
            onStatus: { [hub] news in
                hub.show(news)
                signals.statusChanged(news.report)
            },
            onActivities: signals.activityAdded,
            onMount: { [weak self] id, isThere in
                guard let self, let unit = book.folders.unit(withID: id) else { return }
                if isThere {
                    starts.wasMounted(unit)
                    copies.removeLeft()
                } else {
                    starts.wasUnmounted()
                }
                unit.reporter.publishStatus()
            },
            onStepDone: { [weak self] id in self?.stepDone(id) },
            onWork: { [weak self] in
                self?.sleeping.workChanged()
                self?.metered.workChanged()
            },
            onRescanPlan: { [weak self] in self?.watching.planRescans() })
        book.open(
            FolderBook.Listener(
                make: { settings, all, save throws(WorkerError) in
                    try FolderUnit(settings, all, surroundings, saveFindings: save)
                },
                onCome: { [unowned self] unit, start in
                    metered.come(unit)
                    watching.come(unit)
                    starts.come(unit, start)
                },
                onGo: { [unowned self] unit, leave in
                    watching.go(unit)
                    switch leave {
                    case .forGood: hub.setFolders(book.folders)
                    case .toComeBack: break
                    }
                },
                onChange: { [unowned self] in
                    signals.foldersChanged()
                    paused.changed()
                }))
    }

    /// A folder has become one on demand.
    private func stepDone(_ id: String) {
        guard let unit = book.folders.unit(withID: id) else { return }
        do throws(WorkerError) { try book.change(unit) { $0.onDemand?.step = nil } } catch {
            log(.error, error.message)
        }
    }

    /// The folders that are synced now.
    var folders: FolderSet { book.folders }

    /// Exports these interfaces, closed to programs in sandboxes, and registers with the badge service, which is started
    /// if it does not run.
    func start(offering interfaces: [Interface]) throws {
        for interface in interfaces {
            let offered = interface.closedToSandboxes(sandboxes)
                .admitting { [weak self] _, proceed in
                    // Who the caller is may become known after the worker's end.
                    guard let self else { return }
                    book.readAgain()
                    proceed()
                }
            _ = try bus.export(offered, at: Names.workerPath)
        }
        try paused.begin()
        try hub.start(provider)
        book.resumeChanges()
        removed.resume()
        copies.begin()
        starts.begin()
        watching.follow()
        removed.age()
    }

    /// Finishes the effects that run, then calls `onStopped`.
    func stop(_ onStopped: @escaping () -> Void) {
        hub.stop()
        starts.stop()
        watching.stop()
        removed.stop()
        sleeping.stop()
        paused.stop()
        metered.stop()
        contentsReports.stop()
        var remaining = folders.all.count + 1
        func ended() {
            remaining -= 1
            if remaining == 0 { onStopped() }
        }
        copies.stop(ended)
        for unit in folders.all {
            unit.depart(because: WorkerError(.failed, tr("The sync worker was stopped meanwhile. Try again.")))
            unit.stop {
                unit.close()
                ended()
            }
        }
    }
}
