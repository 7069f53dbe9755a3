internal import DBus
internal import Support

/// Follows on the system bus whether NetworkManager considers the connection metered
/// (<https://networkmanager.dev/docs/api/latest/gdbus-org.freedesktop.NetworkManager.html>), starting with the first
/// folder that needs a network. It does not poll: signals report changes.
final class MeteredConnection {
    private let loop: EventLoop
    private let address: BusAddress
    /// Called when the state is known for the first time, and after each change.
    private let onChange: (Bool) -> Void
    private var reading = MeteredReading()
    private var bus: Connection?
    private var registrations: [Registration] = []
    /// When connecting to the bus was last tried.
    private var tried: Instant?
    private var waiting: [() -> Void] = []

    private static let manager = "org.freedesktop.NetworkManager"
    private static let path: ObjectPath = "/org/freedesktop/NetworkManager"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let property = "Metered"

    /// - Parameter address: The address of the system bus.
    init(loop: EventLoop, at address: BusAddress = SystemBus.address, onChange: @escaping (Bool) -> Void) {
        self.loop = loop
        self.address = address
        self.onChange = onChange
    }

    /// Whether the connection is metered, as far as is known.
    var isMetered: Bool { reading.isMetered }

    /// Starts following it, unless that is done already. A bus that cannot be reached is not tried again for a while.
    func follow() {
        guard bus == nil, tried.map({ Instant.now >= $0 + Patience.Worker.systemBus }) ?? true else { return }
        tried = .now
        do {
            let bus = try Connection.open(address, on: loop)
            registrations = [try followChanges(bus), try followOwner(bus)]
            bus.onDisconnect = { [weak self] in self?.disconnected() }
            self.bus = bus
        } catch {
            log(.debug, "no system bus: \(error.message)")
            handle(.lost)
        }
    }

    /// Calls `body` once it is known whether the connection is metered: usually at once, always soon.
    func whenKnown(_ body: @escaping () -> Void) {
        if reading.isKnown { body() } else { waiting.append(body) }
    }

    /// Leaves the bus.
    func close() {
        for registration in registrations { registration.cancel() }
        registrations = []
        waiting = []
        bus?.close()
        bus = nil
    }

    private func followChanges(_ bus: Connection) throws(DBusError) -> Registration {
        let rule = MatchRule(
            sender: Self.manager, path: Self.path, interface: Self.properties, member: "PropertiesChanged",
            arguments: [0: Self.manager])
        return try bus.subscribe(rule) { [weak self] message in
            guard let arguments = try? message.arguments(), arguments.count > 2 else { return }
            if let value = arguments[1].map?.uint32(Self.property) {
                self?.handle(.said(value))
            } else if arguments[2].strings?.contains(Self.property) == true {
                self?.handle(.mayHaveChanged)
            }
        }
    }

    private func followOwner(_ bus: Connection) throws(DBusError) -> Registration {
        try bus.watchName(Self.manager) { [weak self] owner in self?.handle(.isThere(owner != nil)) }
    }

    private func handle(_ event: MeteredReading.Event) {
        for action in reading.handle(event) {
            switch action {
            case .ask: ask()
            case .tell(let isMetered):
                onChange(isMetered)
                let callbacks = waiting
                waiting = []
                for callback in callbacks { callback() }
            }
        }
    }

    private func ask() {
        bus?.call(Self.manager, Self.path, Self.properties, "Get", timeout: Patience.Worker.systemReply) { writer in
            try writer.append(Self.manager)
            try writer.append(Self.property)
        } _: { [weak self] result in
            if case .failure(let error) = result { log(.debug, "no word of metered connections: \(error.message)") }
            let value = (try? result.get()).flatMap { try? $0.arguments() }?.first
            if case .variant(let value)? = value { self?.handle(.said(value.uint32)) } else { self?.handle(.said(nil)) }
        }
    }

    private func disconnected() {
        bus = nil
        registrations = []
        handle(.lost)
    }
}
