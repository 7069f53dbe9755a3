internal import BadgeService
internal import DBus
internal import Launching
internal import RoundelBus
internal import Support

/// The menu of the tray's item. It is known before it is opened, and requested again whenever it may have changed.
final class TrayMenu: DBusMenuOwner {
    static let path: ObjectPath = "/MenuBar"

    private let host: LocalHost
    private let bus: Connection
    private let opener: DesktopOpener
    private(set) var model = MenuModel()
    private var folders: [HostedFolder] = []
    private var menu = HostedMenu(id: 0, items: [])
    private var isAsking = false
    private var asksAgain = false
    private var retries = 0
    private lazy var retry = bus.loop.makeTimer { [weak self] in self?.refresh() }

    /// How often missing lines that existed before are requested again.
    private static let mostRetries = 3

    /// The activation token from the panel for the next click.
    var activationToken: String?

    init(host: LocalHost, bus: Connection, opener: DesktopOpener) {
        self.host = host
        self.bus = bus
        self.opener = opener
    }

    var iconThemePath: String { host.iconThemePath }

    var isNotice: Bool { folders.contains { $0.state == .attention || $0.state == .error } }

    // MARK: Contents

    /// Shows the current state of the folders.
    func show(_ folders: [HostedFolder]) {
        self.folders = folders
        rebuild()
    }

    /// Requests the providers' items; once more if something changed meanwhile.
    func refresh() {
        guard !isAsking else {
            asksAgain = true
            return
        }
        isAsking = true
        host.menu(kind: .toolbar) { [weak self] result in self?.take(result) }
    }

    private func take(_ result: Result<HostedMenu, RoundelError>) {
        isAsking = false
        switch result {
        case .success(let menu) where isIncomplete(menu) && retries < Self.mostRetries:
            // The existing lines are used meanwhile; their menu is valid for some minutes.
            retries += 1
            retry.set(after: Patience.Desktop.trayMenu)
        case .success(let menu):
            retries = 0
            self.menu = menu
        case .failure(let error): log(.warning, "The tray has no menu of the providers: \(error.message)")
        }
        rebuild()
        guard asksAgain else { return }
        asksAgain = false
        refresh()
    }

    /// Whether the menu lacks a running provider, because it responded too late.
    private func isIncomplete(_ menu: HostedMenu) -> Bool {
        let running = Set(folders.filter { $0.state != .unknown }.map(\.provider.rawValue))
        let lost = TrayMenuContents.providers(of: self.menu.items)
            .subtracting(TrayMenuContents.providers(of: menu.items))
        return !lost.isDisjoint(with: running)
    }

    private func rebuild() {
        let changes = model.update(
            TrayMenuContents.nodes(folders: folders, waiting: host.waitingFolders, items: menu.items))
        do {
            try bus.emit(changes, revision: model.revision, at: Self.path)
        } catch {
            logUnsent("A change of the tray's menu could not be announced", error)
        }
    }

    // MARK: Use

    func willShow(_ line: Int32) {
        if line == MenuModel.root { refresh() }
    }

    func choose(_ line: Int32, timestamp: UInt32) {
        let options = ActivationOptions(
            activationToken: takeActivationToken(), timestamp: timestamp == 0 ? nil : timestamp)
        switch model.choice(line) {
        case .open(let folder): opener.open(folder, options)
        case .activate(let item): activate(item, options, mayRepeat: true)
        case .allow(let folder): allow(folder)
        case nil: break
        }
    }

    private func allow(_ folder: ItemURI) {
        host.allow(folder) { result in
            guard case .failure(let error) = result else { return }
            log(.warning, "The item allow of the tray's menu could not be chosen: \(error.message)")
        }
    }

    /// The activation token for the current action; it can be used once.
    func takeActivationToken() -> String? {
        defer { activationToken = nil }
        return activationToken
    }

    /// - Parameter mayRepeat: Whether to try again with a new menu: one that was open for long has expired, but its
    ///   items are still valid.
    private func activate(_ item: String, _ options: ActivationOptions, mayRepeat: Bool) {
        host.activate(menu: menu.id, item: item, options: options) { [weak self] result in
            guard case .failure(let error) = result, let self else { return }
            guard error.code == .staleMenu, mayRepeat else {
                return log(.warning, "The item \(item) of the tray's menu could not be chosen: \(error.message)")
            }
            host.menu(kind: .toolbar) { [weak self] result in
                self?.take(result)
                self?.activate(item, options, mayRepeat: false)
            }
        }
    }
}
