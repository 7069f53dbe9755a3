internal import DBus
internal import RoundelBus

/// The folders that the badge service does not watch completely: its property `WatchStatus`.
final class WatchReport {
    private let bus: Connection
    private let handler: (Set<String>) -> Void

    private static let properties = "org.freedesktop.DBus.Properties"
    private static let status = "WatchStatus"

    /// - Parameter handler: Called with the URIs of those folders, of all providers, whenever they are read.
    init(bus: Connection, _ handler: @escaping (Set<String>) -> Void) throws {
        self.bus = bus
        self.handler = handler
        let rule = MatchRule(
            sender: Names.service, path: Names.servicePath, interface: Self.properties, member: "PropertiesChanged",
            arguments: [0: Names.host])
        _ = try bus.subscribe(rule) { [weak self] message in
            guard let arguments = try? message.arguments(), arguments.count > 2 else { return }
            let isInvalidated = arguments[2].strings?.contains(Self.status) ?? false
            if isInvalidated || arguments[1].map?[Self.status] != nil { self?.read() }
        }
    }

    /// Asks the badge service; without a response, the handler is not called.
    func read() {
        bus.call(
            Names.service, Names.servicePath, Self.properties, "Get",
            { writer in
                try writer.append(Names.host)
                try writer.append(Self.status)
            }
        ) { [weak self] result in
            guard case .success(let message) = result, let arguments = try? message.arguments(),
                case .variant(let value)? = arguments.first
            else { return }
            self?.handler(Set(value.map?["unreliable"]?.strings ?? []))
        }
    }
}
