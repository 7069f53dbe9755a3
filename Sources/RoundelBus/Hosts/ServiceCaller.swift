internal import DBus
internal import Support

/// Calls the methods of one interface of the badge service. The last argument of each is a dictionary of options, and
/// its reply ends with one of extras, which are not read.
struct ServiceCaller: Sendable {
    let bus: AsyncConnection
    let interface: String

    /// Calls a method whose reply contains nothing to read.
    func call(
        _ member: String, options: VariantMap = [:],
        write: @escaping @Sendable (inout MessageWriter) throws -> Void = { _ in }
    ) async throws {
        try await call(member, options: options, write: write, read: { _ in () })
    }

    /// Calls a method and decodes its reply.
    /// - Throws: `DBusError`; `InconsistentMessage` for a reply that `read` cannot decode.
    func call<Answer: Sendable>(
        _ member: String, options: VariantMap = [:], timeout: Duration? = AsyncConnection.usualTimeout,
        write: @escaping @Sendable (inout MessageWriter) throws -> Void = { _ in },
        read: @escaping @Sendable (inout MessageReader) throws -> Answer
    ) async throws -> Answer {
        log(.debug, "call \(interface).\(member)")
        return try await bus.call(
            Names.service, Names.servicePath, interface, member, timeout: timeout,
            write: { writer in
                try write(&writer)
                try writer.append(map: options)
            }, read: ServiceCaller.reading(member, read))
    }

    /// Decodes a reply; any failure becomes the same sentence.
    static func reading<Answer: Sendable>(
        _ member: String, _ read: @escaping @Sendable (inout MessageReader) throws -> Answer
    ) -> @Sendable (inout MessageReader) throws -> Answer {
        { reader in
            do {
                return try read(&reader)
            } catch {
                throw DBusError(
                    .inconsistentMessage,
                    tr("The badge service answered {1} in a form that this version does not know.", member))
            }
        }
    }
}
