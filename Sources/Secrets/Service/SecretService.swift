internal import DBus
internal import Support

/// The secret service currently on the bus, identified by its unique name: if it is replaced meanwhile, calls fail
/// instead of reaching another one.
struct SecretService: Sendable {
    let bus: AsyncConnection
    /// Its unique name.
    let owner: String
    /// How long it may take to reply to a call.
    let replyTime: Duration

    /// Finds the service, which the bus starts if it does not run.
    static func find(on bus: AsyncConnection, replyTime: Duration) async throws -> SecretService {
        if let owner = try await bus.owner(of: SecretNames.service) {
            return SecretService(bus: bus, owner: owner, replyTime: replyTime)
        }
        // The bus replies when the service owns its name.
        _ = try await bus.call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "StartServiceByName",
            [.string(SecretNames.service), .uint32(0)], timeout: replyTime)
        guard let owner = try await bus.owner(of: SecretNames.service) else { throw SecretStoreError.noService }
        return SecretService(bus: bus, owner: owner, replyTime: replyTime)
    }

    /// Calls a method and decodes its reply.
    func call<Answer: Sendable>(
        _ path: ObjectPath, _ interface: String, _ member: String,
        write: @escaping @Sendable (inout MessageWriter) throws -> Void = { _ in },
        read: @escaping @Sendable (inout MessageReader) throws -> Answer
    ) async throws -> Answer {
        log(.debug, "call \(interface).\(member)")
        do {
            return try await bus.call(owner, path, interface, member, timeout: replyTime, write: write) { reader in
                // The service determines its reply, so an error in reading it is reported only as unreadable.
                do { return try read(&reader) } catch { throw Misread(error: error) }
            }
        } catch let misread as Misread {
            throw misread.error as? SecretStoreError ?? .malformed(member)
        } catch {
            throw SecretStoreError(error, calling: member)
        }
    }

    private struct Misread: Error { let error: any Error }

    /// Calls a method without waiting for a reply, even in a cancelled task.
    func tell(_ path: ObjectPath, _ interface: String, _ member: String) {
        Task { [bus, owner] in
            // If the service is gone, the call is not needed.
            try? await bus.perform { try $0.callNoReply(owner, path, interface, member) }
        }
    }
}

extension MessageReader {
    /// Reads an `ao` of at most `limit` paths.
    mutating func readPaths(atMost limit: Int) throws -> [ObjectPath] {
        var paths: [ObjectPath] = []
        // An empty array of another type would not be noticed otherwise.
        guard signature == "ao" else { throw DBusError.invalidArgs("Expected an array of object paths.") }
        try forEachElement { reader in
            guard paths.count < limit else { throw DBusError.invalidArgs("There are too many object paths.") }
            paths.append(try reader.readObjectPath())
        }
        return paths
    }

    /// Reads an `ay` of at most `limit` bytes. Longer ones are not even copied.
    mutating func readBytes(atMost limit: Int) throws -> [UInt8] {
        guard signature == "ay" else { throw DBusError.invalidArgs("Expected an array of bytes.") }
        var bytes: [UInt8] = []
        try forEachElement { reader in
            guard bytes.count < limit else { throw DBusError.invalidArgs("There are too many bytes.") }
            bytes.append(try reader.readByte())
        }
        return bytes
    }

    /// Reads an `s` of at most `limit` bytes; nil for a longer one.
    mutating func readString(atMost limit: Int) throws -> String? {
        try withString { $0.count <= limit ? String(decoding: $0, as: UTF8.self) : nil }
    }
}
