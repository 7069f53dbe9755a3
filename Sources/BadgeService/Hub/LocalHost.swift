internal import BadgeEngine
internal import DBus
package import RoundelBus

/// A host inside the service's own process: the tray, the sidebar, the notifications. It asks what a host on the bus
/// asks and is told what a host on the bus is told, without messages. To be used on the loop's thread.
package final class LocalHost {
    /// The caller's name towards the engine; no connection of the bus can have it.
    let caller: String
    private unowned let hub: BadgeHub

    /// Called at the end of a turn of the loop in which some of the properties below changed.
    package var onChange: ((ChangedProperties) -> Void)?
    /// Called when an action of this host has finished.
    package var onActionFinished: ((FinishedAction) -> Void)?
    /// Called when an action of whatever host has failed and that host does not tell the person.
    package var onFailure: ((ActionFailure) -> Void)?

    init(caller: String, hub: BadgeHub) {
        self.caller = caller
        self.hub = hub
    }

    // MARK: Properties

    /// The registered folders with their status, in order of the folders.
    package var folders: [HostedFolder] {
        let status = hub.engine.folderStatus
        return hub.engine.registeredFolders.map { provider, offer in
            HostedFolder(
                folder: offer.folder, provider: provider, label: offer.label, icon: offer.icon,
                status: status[offer.folder] ?? .unknown)
        }
    }

    /// What needs the person, of every registered folder that has something.
    package var notices: [ItemURI: [FolderNotice]] {
        hub.engine.waitingFolders.reduce(into: hub.engine.folderNotices) { $0[$1.folder] = [$1.question] }
    }

    /// The folders that wait for a person's consent, in order, each with the line that gives it.
    package var waitingFolders: [(folder: ItemURI, line: String)] {
        hub.engine.waitingFolders.map { ($0.folder, $0.question.title) }
    }

    /// The property `ToolbarItem`.
    package var toolbarItem: ToolbarItem { hub.engine.toolbarItem }

    /// The property `IconThemePath`.
    package var iconThemePath: String { ServiceInstallation.iconThemePath }

    /// The directory of the other files that belong to this installation, `PREFIX/share/roundel`.
    package var resourcePath: String { ServiceInstallation.resourcePath }

    /// To be called after work that comes seldom, so that the memory it took is given back when it is over.
    package func didRareWork() { hub.onRareWork?() }

    // MARK: Requests

    /// Asks for a menu. `answer` is called once, never before this returns.
    package func menu(
        kind: MenuKind, target: ItemURI? = nil, selection: [ItemURI] = [],
        answer: @escaping (Result<HostedMenu, RoundelError>) -> Void
    ) {
        send(.getMenu(kind: kind.rawValue, target: target, selection: selection)) { result in
            answer(
                result.flatMap { reply in
                    guard case .menu(let id, let items) = reply else { return .failure(Self.unexpected) }
                    return .success(HostedMenu(id: id, items: items))
                })
        }
    }

    /// Chooses an item of a menu. `answer` is called once it is accepted, never before this returns; what becomes of
    /// it comes to ``onActionFinished``.
    /// - Parameter item: the id as the menu gave it, `<provider-id>/<id>`.
    package func activate(
        menu: UInt64, item: String, options: ActivationOptions = ActivationOptions(),
        answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        send(.activate(menu: menu, item: item, options)) { answer($0.map { _ in }) }
    }

    /// Chooses an action of a notice of a folder. `answer` is called once it is accepted, never before this returns;
    /// what becomes of it comes to ``onActionFinished``, with the menu 0.
    package func activate(
        notice: String, of folder: ItemURI, action: String, options: ActivationOptions = ActivationOptions(),
        answer: @escaping (Result<Void, RoundelError>) -> Void
    ) {
        send(.activateNotice(folder, notice: notice, action: action, options)) { answer($0.map { _ in }) }
    }

    /// Calls `body` with nil if the program at this connection may speak for the person, else with the reason why not: one
    /// in a sandbox may not.
    package func checkIsOutsideSandbox(_ caller: String, _ body: @escaping (RoundelError?) -> Void) {
        hub.sandboxes.check(caller, body)
    }

    /// Asks for attributes of an item; none asks for all. `answer` is called once, never before this returns.
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

    /// What the engine cannot answer; if it does all the same, the caller hears of it.
    private static let unexpected = RoundelError(.providerFailed, Texts.unexpectedAnswer)

    private func send(_ request: HostRequest, _ answer: @escaping (Result<Reply, RoundelError>) -> Void) {
        let loop = hub.loop
        // An answer that is there at once waits for the end of the turn, so that callers need not expect it earlier.
        let token = hub.keep(.local { result in loop.atEndOfTurn { answer(result) } })
        hub.feed(.host(HostCall(caller: caller, token: token, request: request)))
    }

    // MARK: Signals

    func changed(_ properties: ChangedProperties) {
        onChange?(properties)
    }

    func finished(_ action: FinishedAction) {
        onActionFinished?(action)
    }
}
