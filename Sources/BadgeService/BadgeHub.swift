internal import BadgeCore
public import DBus
internal import Glibc
internal import RoundelBus
internal import SystemPackage

/// The badge service: feeds the engine with what comes from the bus, the watcher and the clock, and does what it says.
///
/// Lives on the thread of its loop and never makes a system call on a registered path; the watcher does, on its own.
public final class BadgeHub {
    /// The loop on whose thread everything here happens.
    public let loop: EventLoop
    /// The session bus.
    public let bus: Connection
    var engine = BadgeEngine()
    var calls = CallTable()
    var receivers = ReceiverLedger()
    private(set) var watching: WatcherBridge?
    private(set) var manifests: ManifestTable?
    private(set) var activation: ProviderActivation?
    private let stateFile: StateFile
    private lazy var timer = loop.makeTimer { [unowned self] in feed(.timer) }
    private var departures: [String: DBus.Registration] = [:]
    private var waiting: [Event] = []
    private var isFeeding = false
    private var changedProperties: HostProperties = []
    /// Called after work that comes seldom: folders came or went, a folder is watched, a panel appeared, a long answer went
    /// out. What the program touched for it is not needed for long.
    var onRareWork: (() -> Void)?
    /// By their names, which no connection of the bus can have.
    var localHosts: [String: LocalHost] = [:]

    /// - Throws: what keeps the service from starting: no watcher, no exports.
    public init(loop: EventLoop, bus: Connection) throws {
        self.loop = loop
        self.bus = bus
        let folders = StandardFolders()
        stateFile = StateFile(folder: folders.state)
        activation = ProviderActivation(hub: self)
        watching = try WatcherBridge(hub: self)
        for interface in [
            HostInterface.make(for: self), RegistryInterface.make(for: self), SettingsInterface.make(for: self),
        ] {
            _ = try bus.export(interface, at: Names.servicePath)
        }
        feed(.restored(stateFile.load()))
        manifests = ManifestTable(
            folders: ManifestFolders(
                data: folders.data, locales: KeyFile.locales(environment: StandardFolders.variable)),
            hub: self)
        manifests?.reload()
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
            for action in engine.handle(event, now: EventLoop.now()) { perform(action) }
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
                feed(.peerLeft(client))
            }
        } catch {
            log(.warning, "The bus does not tell when \(client) leaves: \(error.message)")
        }
    }

    func setTimer(_ deadline: UInt64?) {
        if let deadline { timer.set(deadline: deadline) } else { timer.cancel() }
    }

    func save() {
        do {
            try stateFile.save(engine.savedState)
        } catch {
            log(.error, "The list of providers cannot be saved: \(error). Check that the state directory is writable.")
        }
    }

    /// Tells once, at the end of this turn of the loop, which properties of the Host interface have changed.
    func announce(_ properties: HostProperties) {
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
