package import DBus
package import TestSupport

extension PrivateBus {
    /// Connects to the bus.
    package func connect() async throws -> AsyncConnection { try await .open(address) }
}

extension AsyncConnection {
    /// Owns a name, or fails.
    package func own(_ name: String) async throws {
        let reply = try await requestName(name, flags: [.doNotQueue])
        guard reply.isOwner else { throw Failure("\(name) has an owner already") }
    }
}
