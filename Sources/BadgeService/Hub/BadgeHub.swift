internal import BadgeEngine
package import DBus
package import RoundelBus
internal import Support

/// The badge service: connects the bus, the watcher and the clock with the engine, and has its actions carried out.
///
/// Runs on the thread of its loop and never makes a system call on a registered path; the watcher does that, on its own
/// thread.
package final class BadgeHub {
    /// The session bus, with the loop on whose thread everything here runs.
    package let bus: Connection
    /// Writes the state that must survive a restart.
    package let saver: StateSaver
    private let driver = EngineDriver()
    private let sandboxes: SandboxGate
    private let signals: SignalSender
    private let providers: ProviderCaller
    private let settings: SettingsOpener
    private let announcer: PropertyAnnouncer
    private let watching: WatcherBridge
    private let manifests: ManifestTable
    private let types: TypeFinder
    private let activation: ProviderActivation
    private let keeper: StateKeeper
    private let pictures: PictureStore
    private let timer: LoopTimer
    private let localHosts: LocalHosts
    private let onRareWork: () -> Void

    /// - Parameter onRareWork: Called after rare work: folders came or went, a folder is watched, a panel appeared, a
    ///   long answer was sent. The memory that it used is not needed any longer.
    /// - Throws: An error if the service cannot start: no watcher, no exports.
    init(bus: Connection, onRareWork: @escaping () -> Void) throws {
        self.bus = bus
        self.onRareWork = onRareWork
        saver = try StateSaver(loop: bus.loop)
        sandboxes = SandboxGate(bus: bus, describe: InstalledApps.ofUser.program)
        localHosts = LocalHosts { [driver, loop = bus.loop, sandboxes] caller in
            LocalHost(caller: caller, driver: driver, loop: loop, sandboxes: sandboxes, onRareWork: onRareWork)
        }
        signals = SignalSender(bus: bus) { [driver] in driver.feed(.receiverFellBehind($0)) }
        providers = ProviderCaller(
            bus: bus, isAwaited: { [driver] in driver.engine.isAwaited($0) },
            onAnswer: { [driver] in driver.feed(.answer($0, $1)) })
        manifests = try ManifestTable(folders: .ofUser, bus: bus) { [driver] in driver.feed(.manifests($0)) }
        types = try TypeFinder(loop: bus.loop, folders: .ofUser) { [driver] token, types in
            driver.feed(.typesFound(token, types))
            onRareWork()
        }
        settings = SettingsOpener(bus: bus) { [manifests] in manifests.busName(of: $0) }
        announcer = PropertyAnnouncer(bus: bus) { [localHosts] changed in
            localHosts.changed(changed)
            if changed.contains(.folders) { onRareWork() }
        }
        watching = try WatcherBridge(
            loop: bus.loop, knownNames: { [driver] in driver.engine.knownNames(in: $0) },
            feed: { [driver] in driver.feed($0) }, onStatus: { [announcer] in announcer.announce(.watchStatus) },
            onFolderWatched: onRareWork)
        activation = ProviderActivation(bus: bus) { [driver] in driver.feed(.activationFailed($0, $1)) }
        keeper = StateKeeper(
            file: .ofUser, saver: saver, loop: bus.loop, state: { [driver] in driver.engine.savedState },
            onSaved: onRareWork)
        pictures = PictureStore(theme: .ofUser, saver: saver)
        timer = bus.loop.makeTimer { [driver] in driver.feed(.timer) }
        driver.onActions = { [unowned self] in perform($0, of: $1) }
        try exportInterfaces()
        driver.feed(.restored(keeper.load()))
        manifests.load()
    }

    private func exportInterfaces() throws {
        let clients = ClientWatch(bus: bus) { [driver, signals, sandboxes, manifests] client in
            signals.forget(client)
            // The last call of the client may still wait.
            sandboxes.afterChecks(of: client) {
                sandboxes.forget(client)
                manifests.inOrder(of: client) { driver.feed(.peerLeft(client)) }
            }
        }
        let host = HostInterface(driver: driver, clients: clients) { [watching] in watching.statusMap }
        let registry = RegistryInterface(
            driver: driver, clients: clients, sandboxes: sandboxes, manifests: manifests, locales: Locales.ofSession)
        let settings = SettingsInterface(driver: driver, sandboxes: sandboxes, manifests: manifests)
        for interface in [host.exported, registry.exported, settings.exported] {
            _ = try bus.export(interface, at: Names.servicePath)
        }
    }

    /// The host with this name inside the process, created when it is first requested.
    package func localHost(named name: String) -> LocalHost { localHosts.host(named: name) }

    /// Shows something of a subject in Roundel's window, and says whether it did. Set by whoever can.
    package var windowShower:
        ((WindowView, _ subject: String, ActivationOptions, _ finished: @escaping (_ isShown: Bool) -> Void) -> Void)?

    /// Reports whether Roundel's window is installed.
    package func windowFound(_ isThere: Bool) { driver.feed(.windowFound(isThere)) }

    private func showWindow(_ request: WindowRequest) {
        let finished = { [driver] isShown in driver.feed(.windowAnswered(request, isShown: isShown)) }
        guard let windowShower else { return finished(false) }
        windowShower(request.view, request.subject, request.options, finished)
    }

    /// Call this when the service owns its name: only then the pictures in the person's icon theme are its own.
    package func serviceBegan() { pictures.begin() }

    /// Removes what nobody needs without the service. Not to be called after another service took over.
    package func serviceEnds() { pictures.end() }

    // MARK: Actions of the engine

    private func perform(_ actions: [Action], of event: Event) {
        var saves = false
        for action in actions {
            log(.debug, action.summary)
            // The reply to a call that changed the state guarantees that the change is saved.
            if saves, case .reply(let token, let reply) = action, token == event.call {
                keeper.whenSaved { [unowned self] in answer(token, reply) }
                continue
            }
            if case .persist = action { saves = true }
            perform(action)
        }
    }

    private func perform(_ action: Action) {
        switch action {
        case .reply(let token, let reply): answer(token, reply)
        case .fail(let token, let refusal): driver.take(token)?.fail(refusal.error(\.shownPlace))
        case .signalBadges(let client, let directory, let columns): signals.send(columns, of: directory, to: client)
        case .signalMenu(let client, let menu):
            if !localHosts.menuChanged(menu, for: client) { signals.send(menu, to: client) }
        case .signalActionFinished(let client, let end):
            if !localHosts.finished(end, for: client) { signals.send(end, to: client) }
        case .showReport(let report): localHosts.report(report)
        case .signalReset(let client): signals.reset(client)
        case .notify(let provider, let notice): providers.notify(provider, notice)
        case .ask(let token, let provider, let request):
            let asker = driver.engine.asker(of: token)
            providers.ask(ProviderQuestion(token: token, provider: provider, asker: asker, request: request))
        case .watchDirectory(let directory): watching.observe(directory)
        case .unwatchDirectory(let directory): watching.unobserve(directory)
        case .followLink(let link): watching.follow(link)
        case .unfollowLink(let link): watching.unfollow(link)
        case .setWatchedFolders(let folders): watching.setFolders(folders)
        case .reportWhenWatched(let folder): watching.report(folder)
        case .checkFolders(let token, let folders): watching.check(folders, for: token)
        case .flushWatcher(let token, let folder): watching.flush(folder, for: token)
        case .inspectItems(let token, let items): watching.inspect(items, for: token)
        case .findTypes(let token, let items): types.find(items, for: token)
        case .findPlaces(let token, let directories): watching.find(directories, for: token)
        case .propertiesChanged(let properties): announcer.announce(properties)
        case .providersChanged: signals.sendProvidersChanged()
        case .persist: keeper.save()
        case .activateProvider(let id, let busName): activation.start(id, busName: busName)
        case .providerSettled(let id): activation.settle(id)
        case .storePicture(let token, let picture):
            pictures.store(picture) { [unowned self] problem in
                if let problem {
                    driver.take(token)?.fail(Refusal.pictureNotStored(problem).error(\.shownPlace))
                } else {
                    answer(token, .icon(picture.icon))
                }
            }
        case .removePictures(let icons): pictures.remove(icons)
        case .openSettings(let token, let id): driver.take(token).map { settings.open(id, for: $0) }
        case .showWindow(let request): showWindow(request)
        case .setTimer(let deadline): if let deadline { timer.set(at: deadline) } else { timer.cancel() }
        case .warn(let text): log(.warning, text)
        }
    }

    private func answer(_ token: CallToken, _ reply: Reply) {
        driver.take(token)?.answer(reply)
        switch reply {
        case .badges(let columns), .directory(let columns, next: _): if columns.count >= Self.manyRows { onRareWork() }
        case .done, .monitored, .menu, .attributes, .service, .observed, .providers, .registered, .icon: break
        }
    }

    /// An answer with this many rows is longer than most directories.
    private static let manyRows = 1000
}
