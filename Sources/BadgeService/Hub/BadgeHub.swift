internal import BadgeEngine
package import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The badge service: feeds the engine with what comes from the bus, the watcher and the clock, and does what it says.
///
/// Lives on the thread of its loop and never makes a system call on a registered path; the watcher does, on its own.
package final class BadgeHub {
    /// The loop on whose thread everything here happens.
    package let loop: EventLoop
    /// The session bus.
    package let bus: Connection
    var engine = Engine()
    var calls = CallTable()
    var receivers = ReceiverLedger()
    var questions = QuestionLedger()
    /// Providers that were asked to show their settings and have not answered.
    var openingSettings: Set<ProviderID> = []
    private(set) var watching: WatcherBridge?
    private(set) var manifests: ManifestTable?
    private(set) var activation: ProviderActivation?
    private let stateFile: StateFile
    private lazy var saving = loop.makeTimer { [unowned self] in save() }
    private lazy var timer = loop.makeTimer { [unowned self] in feed(.timer) }
    private var departures: [String: Registration] = [:]
    private var waiting: [Event] = []
    private var isFeeding = false
    private var changedProperties: ChangedProperties = []
    /// Called after work that comes seldom: folders came or went, a folder is watched, a panel appeared, a long answer went
    /// out. What the program touched for it is not needed for long.
    var onRareWork: (() -> Void)?
    /// By their names, which no connection of the bus can have.
    var localHosts: [String: LocalHost] = [:]

    /// - Throws: what keeps the service from starting: no watcher, no exports.
    package init(loop: EventLoop, bus: Connection) throws {
        self.loop = loop
        self.bus = bus
        let directories = BaseDirectories()
        // Without a home this is a directory that a person cannot write, which is reported when the state is saved.
        stateFile = StateFile(folder: (directories.state ?? "/").appending(Names.stateFolder))
        activation = ProviderActivation(hub: self)
        watching = try WatcherBridge(hub: self)
        for interface in [
            HostInterface.make(for: self), RegistryInterface.make(for: self), SettingsInterface.make(for: self),
        ] {
            _ = try bus.export(interface, at: Names.servicePath)
        }
        feed(.restored(loadedState()))
        manifests = ManifestTable(
            folders: ManifestFolders(
                data: [directories.data].compactMap(\.self) + directories.systemData,
                locales: KeyFile.locales(environment: ProcessEnvironment.text)),
            hub: self)
        manifests?.reload()
    }

    private func loadedState() -> SavedState {
        do {
            return try stateFile.load()
        } catch {
            log(.error, error.sentence)
            return SavedState()
        }
    }

    /// Calls `body` once the engine knows who owns the bus names of all manifests: at once, but for a manifest that was
    /// installed just now. Calls keep their order.
    func whenManifestsAreKnown(_ body: @escaping () -> Void) {
        if let manifests { manifests.whenKnown(body) } else { body() }
    }

    /// Gives the engine one event and does what it answers. Events that come up meanwhile wait for their turn.
    func feed(_ event: Event) {
        waiting.append(event)
        guard !isFeeding else { return }
        isFeeding = true
        defer { isFeeding = false }
        var next = 0
        while next < waiting.count {
            let event = waiting[next]
            next += 1
            for action in engine.handle(event, now: EventLoop.instant) {
                log(.debug, action.summary)
                perform(action)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Makes sure that the engine learns when this connection leaves the bus.
    func follow(_ client: String) {
        guard departures[client] == nil else { return }
        do {
            departures[client] = try bus.watchDisappearance(of: client) { [unowned self] in
                departures[client] = nil
                receivers.forget(client)
                // Its last call may still wait.
                whenManifestsAreKnown { [unowned self] in feed(.peerLeft(client)) }
            }
        } catch {
            log(.warning, "The bus does not tell when \(client) leaves: \(error.message)")
        }
    }

    func setTimer(_ time: Instant?) {
        if let time { timer.set(time) } else { timer.cancel() }
    }

    /// Writes the state; what cannot be written is said and tried again after a while.
    func save() {
        saving.cancel()
        do {
            try stateFile.save(engine.savedState)
        } catch {
            log(.error, error.sentence)
            saving.set(EventLoop.instant + Self.savingDelay)
        }
    }

    /// After what time the state that could not be written is written.
    private static let savingDelay = Duration.seconds(60)

    /// Tells once, at the end of this turn of the loop, which properties of the Host interface have changed.
    func announce(_ properties: ChangedProperties) {
        if changedProperties.isEmpty {
            loop.atEndOfTurn { [unowned self] in
                let changed = changedProperties
                changedProperties = []
                let names = HostInterface.names(of: changed)
                do {
                    if !names.isEmpty {
                        try bus.emitPropertiesChanged(names, of: Names.host, at: Names.servicePath)
                    }
                } catch {
                    log(.warning, "A change of properties could not be told: \(error)")
                }
                for (_, host) in localHosts { host.changed(changed) }
                if changed.contains(.folders) { onRareWork?() }
            }
        }
        changedProperties.formUnion(properties)
    }
}
