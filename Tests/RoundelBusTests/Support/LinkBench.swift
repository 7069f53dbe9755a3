import DBus
import RoundelBus
import TestSupport

/// A provider with its link and a stand-in for the service, on a bus of their own.
final class LinkBench {
    let harness: Harness
    let registry: StandInRegistry
    let provider = StandInProvider()
    let link: ProviderLink
    let host: Connection
    let providerBus: Connection

    static let object: ObjectPath = "/org/example/cloud"
    static let folder = Wire.uri("/home/Cloud")

    init() throws {
        harness = try Harness()
        registry = try StandInRegistry(on: try harness.connect())
        host = try harness.connect()
        providerBus = try harness.connect()
        let registration = ProviderRegistration(object: Self.object.rawValue, id: "cloud", name: "Cloud")
        link = try ProviderLink(provider, registration: registration, on: providerBus)
    }

    /// A bench whose provider is registered.
    static func registered(isReplaceable: Bool = false) throws -> LinkBench {
        let bench = try LinkBench()
        bench.registry.appear(isReplaceable: isReplaceable)
        try bench.link.start()
        guard bench.run(until: { bench.link.isRegistered }) else { throw DBusError.failed("it did not register") }
        guard bench.run(until: { bench.provider.results.count == 1 }) else { throw DBusError.failed("nobody was told") }
        bench.registry.forget()
        return bench
    }

    func run(until condition: () -> Bool) -> Bool { harness.run(until: condition) }

    /// Lets everything that was sent before arrive.
    func settle() throws {
        for connection in [host, providerBus, registry.bus] where connection.isConnected {
            _ = try harness.call(
                connection, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId")
        }
    }

    /// Calls the provider as the badge service does; gives the arguments of the reply without the extras.
    func ask(
        _ method: String, _ write: (inout MessageWriter) throws -> Void, extras: Bool = true
    ) throws -> [DBusValue] {
        let reply = try harness.call(
            host, providerBus.uniqueName, Self.object, Names.provider, method
        ) { writer in
            try write(&writer)
            if extras { try writer.appendNoExtras() }
        }
        let arguments = try reply.arguments()
        guard arguments.last == .map([:]) else { throw DBusError.failed("the reply does not end in a{sv}") }
        return Array(arguments.dropLast())
    }
}
