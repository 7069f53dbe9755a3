internal import BadgeEngine
package import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The badge service: passes events from the bus, the watcher and the clock to the engine, and carries out its actions.
///
/// Runs on the thread of its loop and never makes a system call on a registered path; the watcher does that, on its own
/// thread.
package final class BadgeHub {
    /// The loop on whose thread everything here runs.
    package let loop: EventLoop
    /// The session bus.
    package let bus: Connection
    private(set) var engine = Engine()
    private var calls = CallTable()
    private lazy var signals = SignalSender(hub: self)
    private lazy var providers = ProviderCaller(hub: self)
    private lazy var settings = SettingsOpener(hub: self)
    private lazy var announcer = PropertyAnnouncer(hub: self)
    private(set) var watching: WatcherBridge?
    private(set) var manifests: ManifestTable?
    private(set) var activation: ProviderActivation?
    /// Writes the state that must survive a restart.
    package let saver: StateSaver
    private var keeper: StateKeeper?
    private lazy var timer = loop.makeTimer { [unowned self] in feed(.timer) }
    private(set) lazy var sandboxes = SandboxGate(bus: bus)
    private var departures: [String: Registration] = [:]
    private var waiting: [Event] = []
    private var isFeeding = false
    /// Called after rare work: folders came or went, a folder is watched, a panel appeared, a long answer was sent. The
    /// memory that it used is not needed any longer.
    var onRareWork: (() -> Void)?
    /// By their names, which no connection of the bus can have.
    private var localHosts: [String: LocalHost] = [:]

    /// - Throws: An error if the service cannot start: no watcher, no exports.
    package init(loop: EventLoop, bus: Connection) throws {
        self.loop = loop
        self.bus = bus
        saver = try StateSaver(loop: loop)
        let directories = BaseDirectories()
        // Without a home directory, this is a directory that the user cannot write. That is reported when the state is
        // saved.
        let file = StateFile(folder: (directories.state ?? "/").appending(Names.stateFolder))
        let keeper = StateKeeper(hub: self, file: file)
        self.keeper = keeper
        activation = ProviderActivation(hub: self)
        watching = try WatcherBridge(hub: self)
        for interface in [
            HostInterface.make(for: self), RegistryInterface.make(for: self), SettingsInterface.make(for: self),
        ] {
            _ = try bus.export(interface, at: Names.servicePath)
        }
        feed(.restored(keeper.load()))
        manifests = try ManifestTable(
            folders: ManifestFolders(
                data: [directories.data].compactMap(\.self) + directories.systemData,
                locales: KeyFile.locales(environment: ProcessEnvironment.text)),
            hub: self)
        manifests?.load()
    }

    /// Calls `body` for a call that needs what the manifests say now, once they are read and the engine knows the
    /// owners of their bus names. The calls of one caller keep their order.
    func whenManifestsAreRead(for caller: String, _ body: @escaping () -> Void) {
        guard let manifests else { return body() }
        manifests.reload()
        manifests.whenKnown(to: caller, body)
    }

    /// Calls `body` after the earlier calls of the same caller, which may wait for manifests.
    func afterManifests(for caller: String, _ body: @escaping () -> Void) {
        if let manifests { manifests.inOrder(of: caller, body) } else { body() }
    }

    /// Passes one event to the engine and carries out its actions. Events that occur meanwhile wait for their turn.
    func feed(_ event: Event) {
        waiting.append(event)
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        var next = 0
        while next < waiting.count {
            let event = waiting[next]
            next += 1
            perform(engine.handle(event, now: .now), of: event)
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Makes sure that the engine is notified when this connection leaves the bus.
    func follow(_ client: String) {
        guard departures[client] == nil else { return }
        do {
            departures[client] = try bus.watchDisappearance(of: client) { [unowned self] in
                departures[client] = nil
                signals.forget(client)
                // The last call of the client may still wait.
                sandboxes.afterChecks(of: client) { [unowned self] in
                    afterManifests(for: client) { [unowned self] in feed(.peerLeft(client)) }
                }
            }
        } catch {
            log(.warning, Texts.clientNotFollowed("\(client)", because: error.message))
        }
    }

    private func setTimer(_ time: Instant?) {
        if let time { timer.set(at: time) } else { timer.cancel() }
    }

    /// Calls `body` once everything that must survive a restart has been written, or after `limit`.
    func whenSaved(within limit: Duration, _ body: @escaping () -> Void) {
        var rest: (() -> Void)? = body
        let end = {
            rest?()
            rest = nil
        }
        let timer = loop.makeTimer(end)
        timer.set(after: limit)
        saver.whenIdle {
            timer.cancel()
            end()
        }
    }

    // MARK: Calls and hosts

    /// Keeps a call until the engine replies.
    func keep(_ call: OpenCall) -> CallToken { calls.insert(call) }

    /// Keeps a host's call until the engine replies; nil if too many of this host wait already.
    func keep(_ call: OpenCall, of host: String) -> CallToken? { calls.insert(call, of: host) }

    /// The host with this name inside the process, created when it is first requested.
    package func localHost(named name: String) -> LocalHost {
        // Well-known names contain no colon, and unique names begin with one.
        let caller = "local:" + name
        if let host = localHosts[caller] { return host }
        let host = LocalHost(caller: caller, hub: self)
        localHosts[caller] = host
        return host
    }

    /// Announces at the end of this turn of the loop that properties of the Host interface have changed.
    func announce(_ properties: ChangedProperties) { announcer.announce(properties) }

    /// Notifies the hosts inside the process which properties have changed.
    func notifyLocalHosts(_ changed: ChangedProperties) {
        for host in localHosts.values { host.changed(changed) }
    }

    // MARK: Actions of the engine

    private func perform(_ actions: [Action], of event: Event) {
        var saves = false
        for action in actions {
            log(.debug, action.summary)
            // The reply to a call that changed the state guarantees that the change is saved.
            if saves, case .reply(let token, let reply) = action, token == event.call {
                keeper?.whenSaved { [unowned self] in answer(token, reply) }
                continue
            }
            if case .persist = action { saves = true }
            perform(action)
        }
    }

    private func perform(_ action: Action) {
        switch action {
        case .reply(let token, let reply): answer(token, reply)
        case .fail(let token, let refusal): calls.remove(token)?.fail(refusal.error(\.shownPlace))
        case .signalBadges(let client, let directory, let columns): signals.send(columns, of: directory, to: client)
        case .signalActionFinished(let client, let end): finished(end, for: client)
        case .showFailure(let failure): for host in localHosts.values { host.onFailure?(failure) }
        case .signalReset(let client): signals.reset(client)
        case .notify(let provider, let notice): providers.notify(provider, notice)
        case .ask(let token, let provider, let request):
            let asker = engine.asker(of: token)
            providers.ask(ProviderQuestion(token: token, provider: provider, asker: asker, request: request))
        case .watchDirectory(let directory): watching?.observe(directory)
        case .unwatchDirectory(let directory): watching?.unobserve(directory)
        case .followLink(let link): watching?.follow(link)
        case .unfollowLink(let link): watching?.unfollow(link)
        case .setWatchedFolders(let folders): watching?.setFolders(folders)
        case .reportWhenWatched(let folder): watching?.report(folder)
        case .checkFolders(let token, let folders): watching?.check(folders, for: token)
        case .flushWatcher(let token, let folder): watching?.flush(folder, for: token)
        case .inspectItems(let token, let items): watching?.inspect(items, for: token)
        case .findPlaces(let token, let directories): watching?.find(directories, for: token)
        case .propertiesChanged(let properties): announcer.announce(properties)
        case .providersChanged: signals.sendProvidersChanged()
        case .persist: keeper?.save()
        case .activateProvider(let id, let busName): activation?.start(id, busName: busName)
        case .providerSettled(let id): activation?.settle(id)
        case .openSettings(let token, let id): calls.remove(token).map { settings.open(id, for: $0) }
        case .setTimer(let deadline): setTimer(deadline)
        case .warn(let text): log(.warning, text)
        }
    }

    private func answer(_ token: CallToken, _ reply: Reply) {
        calls.remove(token)?.answer(reply)
        switch reply {
        case .badges(let columns), .directory(let columns, next: _): if columns.count >= Self.manyRows { onRareWork?() }
        case .done, .monitored, .menu, .attributes, .service, .observed, .providers, .registered: break
        }
    }

    /// An answer with this many rows is longer than most directories.
    private static let manyRows = 1000

    private func finished(_ action: FinishedAction, for client: String) {
        if let host = localHosts[client] { host.finished(action) } else { signals.send(action, to: client) }
    }
}
