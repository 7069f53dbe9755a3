internal import DBus
internal import RoundelBus
internal import Support

/// The worker's registration at the badge service: says which folders there are and what is shown of them, and starts
/// the service if it does not run.
final class HubLink {
    private let loop: EventLoop
    private let bus: Connection
    private var link: ProviderLink?
    private lazy var revivalTimer = loop.makeTimer { [unowned self] in startService() }

    private static let registration = ProviderRegistration(
        object: Names.workerPath.rawValue, id: Names.workerProviderID, name: "Roundel", icon: "org.roundel.Roundel",
        toolbarItem: ToolbarItem(
            name: tr("Sync"), icon: "org.roundel.Roundel", tooltip: tr("Synced folders")),
        services: WorkerInterfaces.services)

    init(loop: EventLoop, bus: Connection) { (self.loop, self.bus) = (loop, bus) }

    /// Whether the badge service runs and has accepted the worker.
    var isRegistered: Bool { link?.isRegistered ?? false }

    /// Registers a provider, which must outlive this object, as soon as the service runs.
    func start(_ provider: any Provider) throws {
        let link = try ProviderLink(provider, registration: Self.registration, on: bus)
        self.link = link
        try link.start()
    }

    func stop() {
        link?.stop()
        revivalTimer.cancel()
    }

    /// Starts the badge service, unless it runs.
    func startService() {
        guard !isRegistered else { return }
        bus.startService(Names.service) { result in
            if case .failure(let error) = result {
                log(.warning, "The badge service could not be started: \(error.message)")
            }
        }
    }

    /// The badge service is gone. Without a service manager, nothing else would start it again. The short wait gives one
    /// the time to do so, and lets another instance take over with --replace.
    func isGone() { revivalTimer.set(after: Patience.Worker.revival) }

    // MARK: Folders

    /// Reports the folders. Calls `done` once changes in them are watched, or if there is no badge service.
    func setFolders(_ folders: FolderSet, _ done: @escaping () -> Void = {}) {
        let offers = folders.all.map { FolderOffer(folder: $0.uri, watch: $0.isThere, label: $0.settings.label) }
        guard let link, link.isRegistered else {
            link?.setFolders(offers)
            return done()
        }
        link.setFolders(offers) { result in
            if case .failure(let error) = result { log(.error, "The folders are not shown: \(error.message)") }
            done()
        }
    }

    /// Waits until all changes made in a folder so far were delivered, then calls `done`; immediately if there is no
    /// badge service.
    func flush(_ folder: ItemURI, _ done: @escaping () -> Void) {
        guard let link, link.isRegistered else { return done() }
        link.flush(folder) { _ in done() }
    }

    func show(_ updates: [BadgeUpdate]) {
        for update in updates { link?.updateBadges(in: update.directory, update.columns) }
    }

    func show(_ news: FolderNews) { link?.setFolderStatus(news.uri, news.hubStatus, notices: news.notices) }
}
