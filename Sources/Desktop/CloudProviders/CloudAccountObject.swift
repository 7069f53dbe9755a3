internal import BadgeService
internal import DBus
internal import RoundelBus
internal import Support

/// One account on the bus: its properties, its menu and the actions of the menu, at one path.
final class CloudAccountObject {
    static let interfaceName = "org.freedesktop.CloudProviders.Account"

    let folder: ItemURI
    private let bus: Connection
    private let host: LocalHost
    private let path: ObjectPath
    private var account: CloudAccount
    private var menu = SidebarMenu()
    private var subscriptions = MenuSubscriptions()
    private var departures: [String: Registration] = [:]
    private var exported: [Registration] = []
    /// The menu that is not complete yet; nil if none is waited for.
    private var awaited: UInt64?
    private var requests = MenuRequests<(SidebarMenu) -> Void>(most: Limits.callsPerCaller)

    init(_ folder: HostedFolder, at path: ObjectPath, host: LocalHost, bus: Connection) {
        self.folder = folder.folder
        self.path = path
        self.host = host
        self.bus = bus
        account = CloudAccount(folder)
    }

    // MARK: Exporting, updating, withdrawing

    /// Exports the account.
    func export(in manager: ObjectManager) throws {
        exported = [
            try bus.export(
                GtkMenus.interface(
                    start: { [weak self] in self?.start($0) }, end: { [weak self] in self?.end($0) }
                ).closedToSandboxes(host.sandboxes),
                at: path),
            try bus.export(
                GtkActions.interface(
                    withMenu: { [weak self] in self?.answer($0, $1) },
                    activate: { [weak self] in self?.activate($0, $1) }
                ).closedToSandboxes(host.sandboxes),
                at: path),
            try manager.export(properties, at: path),
        ]
    }

    /// Removes the account from the bus.
    func withdraw() {
        for registration in exported.reversed() { registration.cancel() }
        for (_, departure) in departures { departure.cancel() }
        exported = []
        departures = [:]
    }

    /// Applies the new state of the folder.
    /// - Parameter changesMenu: Whether its menu may have changed.
    func update(_ folder: HostedFolder, changesMenu: Bool) {
        let new = CloudAccount(folder)
        let changed = new.differences(from: account)
        account = new
        if !changed.isEmpty { emitChanged(changed) }
        guard changesMenu else { return }
        if !subscriptions.isEmpty { refresh() }
    }

    private func emitChanged(_ names: [String]) {
        do {
            try bus.emitPropertiesChanged(names, of: Self.interfaceName, at: path)
        } catch {
            logUnsent("A change of \(folder) could not be announced to the sidebar", error)
        }
    }

    private var properties: Interface {
        func property(_ name: String, _ value: @escaping (CloudAccount) -> String) -> Interface.Property {
            Interface.Property(name, "s") { [unowned self] in try $0.append(value(account)) }
        }
        return Interface(
            Self.interfaceName,
            properties: [
                property("Name", \.name), property("Path", \.path), property("Icon", \.icon),
                Interface.Property("Status", "i") { [unowned self] in try $0.append(account.status.rawValue) },
                property("StatusDetails", \.details),
            ])
    }

    // MARK: The menu

    private func start(_ call: MethodCall) {
        let answer = { (menu: SidebarMenu) in call.reply { try GtkMenus.write(menu, to: &$0) } }
        guard admit(answer, call) else { return }
        subscriptions.startMenu(call.sender)
        follow(call.sender)
        refresh()
    }

    private func end(_ caller: String) {
        subscriptions.endMenu(caller)
        unfollowIfDone(caller)
    }

    private func answer(_ call: MethodCall, _ body: @escaping (SidebarMenu) -> Void) {
        guard admit(body, call) else { return }
        subscriptions.followActions(call.sender)
        follow(call.sender)
        refresh()
    }

    /// Has `body` wait for the current menu; refuses the call of a caller that has too many which wait. Callers that
    /// already have the menu first get signals about its changes.
    private func admit(_ body: @escaping (SidebarMenu) -> Void, _ call: MethodCall) -> Bool {
        if requests.add(body, of: call.sender) { return true }
        call.fail(DBusError(.tooManyCalls(Limits.callsPerCaller)))
        return false
    }

    private func follow(_ caller: String) {
        guard departures[caller] == nil else { return }
        departures[caller] = try? bus.watchDisappearance(of: caller) { [weak self] in
            self?.subscriptions.forget(caller)
            self?.departures[caller] = nil
        }
    }

    private func unfollowIfDone(_ caller: String) {
        guard !subscriptions.contains(caller) else { return }
        departures.removeValue(forKey: caller)?.cancel()
    }

    private func refresh() {
        guard requests.begin() else { return }
        host.menu(
            kind: .sidebar, target: folder,
            completed: { [weak self] given in
                if let self, given.id == awaited { consider(given) }
            },
            answer: { [weak self] result in
                guard let self else { return }
                if case .success(let given) = result { consider(given) }
                let (askers, isOutdated) = requests.end()
                for asker in askers { asker(menu) }
                if isOutdated { refresh() }
            })
    }

    /// Uses a menu, unless it lacks items and there are older ones.
    private func consider(_ given: HostedMenu) {
        awaited = given.incomplete.isEmpty ? nil : given.id
        if given.incomplete.isEmpty || menu == SidebarMenu() { take(SidebarMenu(given.linesForNow)) }
    }

    private func take(_ new: SidebarMenu) {
        let lines = new.menuChanges(since: menu)
        let actions = new.actionChanges(since: menu)
        menu = new
        // Ordered so that no caller gets lines without their actions, or actions that no menu contains yet.
        if !actions.isEmpty { emit(GtkActions.name) { try GtkActions.write(actions, to: &$0) } }
        if !lines.isEmpty && subscriptions.hasMenus { emit(GtkMenus.name) { try GtkMenus.write(lines, to: &$0) } }
    }

    private func emit(_ interface: String, _ write: (inout MessageWriter) throws -> Void) {
        do {
            try bus.emit(path, interface, "Changed", write)
        } catch {
            logUnsent("A change of the menu of \(folder) could not be announced to the sidebar", error)
        }
    }

    // MARK: Activation

    private func activate(_ action: String, _ platform: VariantMap) {
        let options = ActivationOptions(platformData: platform)
        // The menu of the click may have expired; in a new one, its items have the same IDs.
        host.menu(kind: .sidebar, target: folder) { [weak self] result in
            guard let self, case .success(let given) = result else { return }
            guard let chosen = SidebarMenu(given.items).actions[action] else { return refresh() }
            host.activate(menu: given.id, item: chosen.item, options: options) { [weak self] result in
                if case .failure(let error) = result {
                    log(.info, "An action of the sidebar was refused: \(error.message)")
                    self?.refresh()
                }
            }
        }
    }
}

extension CloudAccount {
    /// The properties that differ from those of an earlier state.
    func differences(from old: CloudAccount) -> [String] {
        [
            ("Name", name != old.name), ("Path", path != old.path), ("Icon", icon != old.icon),
            ("Status", status != old.status), ("StatusDetails", details != old.details),
        ].filter(\.1).map(\.0)
    }
}

extension ActivationOptions {
    /// Parses GTK's data of a click: a Wayland token, or an ID that ends in the time of X11.
    init(platformData map: VariantMap) {
        self.init(activationToken: map.string("activation-token") ?? map.string("desktop-startup-id"))
        guard let startup = activationToken, let mark = startup.lastRange(of: "_TIME") else { return }
        timestamp = UInt32(startup[mark...].drop { !$0.isNumber })
    }
}

extension String {
    /// Where the last occurrence of a text begins.
    fileprivate func lastRange(of text: String) -> Index? {
        indices.last { self[$0...].hasPrefix(text) }
    }
}
