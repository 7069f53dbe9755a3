internal import BadgeEngine
internal import DBus
package import RoundelBus
internal import Support

/// A host inside the service's own process: the tray, the sidebar, the notifications. It makes the same requests and
/// gets the same signals as a host on the bus, but without messages. Must be used on the loop's thread.
package final class LocalHost {
    private let caller: String
    private let driver: EngineDriver
    private let loop: EventLoop
    private let onRareWork: () -> Void
    /// Who is told of the menus that are not complete, by their ids.
    private var followed: [UInt64: (HostedMenu) -> Void] = [:]
    /// What stands before the interfaces through which this host is used: programs in a sandbox are hosts of their own.
    package let sandboxes: SandboxGate

    /// Called at the end of a turn of the loop in which some of the properties below changed.
    package var onChange: ((ChangedProperties) -> Void)?
    /// Called when an action of this host has finished.
    package var onActionFinished: ((FinishedAction) -> Void)?
    /// Called when the user is to be told of an action of any host, which that host does not do.
    package var onReport: ((ActionReport) -> Void)?

    /// - Parameters:
    ///   - caller: The name by which the engine knows it; no connection of the bus can have it.
    ///   - driver: Handles the requests, and has the values of the properties.
    ///   - loop: The loop of the service.
    ///   - onRareWork: Called after rare work.
    init(
        caller: String, driver: EngineDriver, loop: EventLoop, sandboxes: SandboxGate, onRareWork: @escaping () -> Void
    ) {
        self.caller = caller
        self.driver = driver
        self.loop = loop
        self.sandboxes = sandboxes
        self.onRareWork = onRareWork
    }

    // MARK: Properties

    /// The registered folders with their status, in order of the folders.
    package var folders: [HostedFolder] {
        let status = driver.engine.folderStatus
        return driver.engine.registeredFolders.map { provider, offer in
            HostedFolder(
                folder: offer.folder, provider: provider, label: offer.label, icon: offer.icon,
                status: status[offer.folder] ?? .unknown)
        }
    }

    /// The notices of every registered folder that needs the user's attention.
    package var notices: [ItemURI: [FolderNotice]] {
        let own = driver.engine.waitingFolders.reduce(into: driver.engine.folderNotices) {
            $0[$1.folder] = [$1.question]
        }
        return driver.engine.troubledProviders.reduce(into: own) { $0[$1.folder, default: []].append($1.warning) }
    }

    /// The folders that wait for the user's consent, in order, each with the text of the question.
    package var waitingFolders: [(folder: ItemURI, line: String)] {
        driver.engine.waitingFolders.map { ($0.folder, $0.question.title) }
    }

    /// The questions about providers that were just installed (E8), by provider.
    package var newProviders: [ProviderID: FolderNotice] {
        driver.engine.newProviders.reduce(into: [:]) { $0[$1.provider] = $1.question }
    }

    /// Whether Roundel's window is installed.
    package var hasWindow: Bool { driver.engine.addsFolders }

    /// The property `ToolbarItem`.
    package var toolbarItem: ToolbarItem { driver.engine.toolbarItem }

    /// The property `IconThemePath`.
    package var iconThemePath: String { ServiceInstallation.iconThemePath }

    /// The directory of the other files of this installation, `PREFIX/share/roundel`.
    package var resourcePath: String { ServiceInstallation.resourcePath }

    /// Must be called after rare work, so that the memory it used is released afterwards.
    package func didRareWork() { onRareWork() }

    // MARK: Requests

    /// Requests a menu. `answer` is called once, never before this returns.
    /// - Parameter completed: Called whenever a late provider has completed the menu, with all of it.
    package func menu(
        kind: MenuKind, target: ItemURI? = nil, selection: [ItemURI] = [],
        completed: @escaping (HostedMenu) -> Void = { _ in },
        answer: @escaping (Result<HostedMenu, RoundelError>) -> Void
    ) {
        send(.getMenu(kind: kind.rawValue, target: target, selection: selection)) { [weak self] result in
            answer(
                result.flatMap { reply in
                    guard case .menu(let menu) = reply else { return .failure(Self.unexpected) }
                    if !menu.incomplete.isEmpty { self?.follow(menu.id, completed) }
                    return .success(menu)
                })
        }
    }

    private func follow(_ menu: UInt64, _ completed: @escaping (HostedMenu) -> Void) {
        followed[menu] = completed
        // Of older ones nothing is told any more.
        if followed.count > Limits.menusPerCaller { followed.keys.min().map { followed[$0] = nil } }
    }

    /// Called with a menu of this host that a late provider has completed.
    func menuChanged(_ menu: HostedMenu) {
        let completed = menu.incomplete.isEmpty ? followed.removeValue(forKey: menu.id) : followed[menu.id]
        completed?(menu)
    }

    /// Activates a menu item. `answer` is called once it is accepted, never before this returns; the result is reported
    /// by ``onActionFinished``.
    /// - Parameter item: The ID from the menu, `<provider-id>/<id>`.
    package func activate(
        menu: UInt64, item: String, options: ActivationOptions = ActivationOptions(),
        answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        send(.activate(menu: menu, item: item, options)) { answer($0.map { _ in }) }
    }

    /// Activates an action of a folder's notice. `answer` is called once it is accepted, never before this returns; the
    /// result is reported by ``onActionFinished``, with the menu 0.
    package func activate(
        notice: String, of folder: ItemURI, action: String, options: ActivationOptions = ActivationOptions(),
        answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        send(.activateNotice(folder, notice: notice, action: action, options)) { answer($0.map { _ in }) }
    }

    /// Gives the user's consent to a folder that waits for it. `answer` is called once, never before this returns.
    package func allow(_ folder: ItemURI, answer: @escaping (Result<Void, RoundelError>) -> Void) {
        activate(notice: WaitingFolder.notice, of: folder, action: WaitingFolder.allow, answer: answer)
    }

    /// Gives the user's answer about a provider that was just installed: the id of an action of its notice. `answer` is
    /// called once, never before this returns.
    package func answer(
        _ action: String, about provider: ProviderID, answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        let request: SettingsRequest
        switch action {
        case NewProvider.turnOn: request = .enable(provider.rawValue)
        case NewProvider.leaveOff: request = .disable(provider.rawValue)
        default: return
        }
        driver.submit(request) { [loop] result in loop.atEndOfTurn { answer(result.map { _ in }) } }
    }

    /// Requests attributes of an item; if `keys` is empty, all of them. `answer` is called once, never before this
    /// returns.
    package func attributes(
        of item: ItemURI, keys: [String] = [],
        answer: @escaping (Result<[String: AttributeValue], RoundelError>) -> Void
    ) {
        send(.getAttributes(item, keys: keys)) { result in
            answer(
                result.flatMap { reply in
                    guard case .attributes(let attributes) = reply else { return .failure(Self.unexpected) }
                    return .success(attributes)
                })
        }
    }

    /// An answer of the engine that does not fit the request; the caller gets it as an error.
    private static let unexpected = RoundelError(
        .providerFailed, tr("The badge service gave an answer of another kind."))

    private func send(_ request: HostRequest, _ answer: @escaping (Result<Reply, RoundelError>) -> Void) {
        // An answer that is available immediately is delayed to the end of the turn, so that callers need not expect it
        // earlier.
        driver.submit(request, from: caller) { [loop] result in loop.atEndOfTurn { answer(result) } }
    }
}
