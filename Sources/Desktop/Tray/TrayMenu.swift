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
    /// The menu that is not complete yet; nil if none is waited for.
    private var awaited: UInt64?

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
        ask { [weak self] result in self?.take(result) }
    }

    private func ask(_ answer: @escaping (Result<HostedMenu, RoundelError>) -> Void) {
        host.menu(
            kind: .toolbar,
            completed: { [weak self] menu in
                guard let self, menu.id == awaited else { return }
                show(menu)
                rebuild()
            }, answer: answer)
    }

    private func take(_ result: Result<HostedMenu, RoundelError>) {
        isAsking = false
        switch result {
        case .success(let menu): show(menu)
        case .failure(let error): log(.warning, "The tray has no menu of the providers: \(error.message)")
        }
        rebuild()
        guard asksAgain else { return }
        asksAgain = false
        refresh()
    }

    /// Uses a menu, unless it lacks items and there are older ones, which are valid for some minutes.
    private func show(_ menu: HostedMenu) {
        awaited = menu.incomplete.isEmpty ? nil : menu.id
        if menu.incomplete.isEmpty || self.menu.items.isEmpty { self.menu = menu }
    }

    private func rebuild() {
        let changes = model.update(
            TrayMenuContents.nodes(
                folders: folders, newEngines: host.hasWindow ? host.newProviders.keys.map(\.rawValue).sorted() : [],
                waiting: host.waitingFolders, items: menu.linesForNow))
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
        case .open(let folder):
            guard let hosted = folders.first(where: { $0.folder == folder }) else { return }
            opener.lead(to: hosted, options)
        case .activate(let item): activate(item, options, mayRepeat: true)
        case .allow(let folder): allow(folder)
        case .engines(let provider):
            opener.showWindow(.engines, of: provider, options) { isShown in
                if !isShown { log(.warning, "The window could not show the new sync engines.") }
            }
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
            ask { [weak self] result in
                self?.take(result)
                self?.activate(item, options, mayRepeat: false)
            }
        }
    }
}
