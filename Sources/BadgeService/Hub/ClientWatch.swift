internal import DBus
internal import Support

/// Notices when clients leave the bus.
final class ClientWatch {
    private let bus: Connection
    private let onDeparture: (_ client: String) -> Void
    private var departures: [String: Registration] = [:]

    /// - Parameter onDeparture: Called with the unique name of a client that has left.
    init(bus: Connection, onDeparture: @escaping (_ client: String) -> Void) {
        self.bus = bus
        self.onDeparture = onDeparture
    }

    /// Reports from now on when this client leaves.
    func follow(_ client: String) {
        guard departures[client] == nil else { return }
        do {
            departures[client] = try bus.watchDisappearance(of: client) { [unowned self] in
                departures[client] = nil
                onDeparture(client)
            }
        } catch {
            log(.warning, "The bus does not report when \(client) leaves: \(error.message)")
        }
    }
}
