import DBus
import TestSupport

extension PrivateBus {
    func connect() async throws -> AsyncConnection { try await .open(address) }
}

extension AsyncConnection {
    /// Owns a name, or fails.
    func own(_ name: String) async throws {
        let reply = try await requestName(name, flags: [.doNotQueue])
        guard reply.isOwner else { throw Failure("\(name) has an owner already") }
    }
}
