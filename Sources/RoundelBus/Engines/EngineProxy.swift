public import DBus
internal import Support

/// Calls one interface of an engine. Errors are `DBusError`; those of the engine contain a sentence for the user.
public protocol EngineProxy: Sendable {
    /// The interface.
    static var interface: EngineInterface { get }
    /// The connection on which the engine is called.
    var bus: AsyncConnection { get }
    /// Where it is called.
    var engine: EngineAddress { get }

    /// Creates a proxy for an engine on this bus.
    init(bus: AsyncConnection, engine: EngineAddress)
}

extension EngineProxy {
    /// Creates a proxy for the bundled engine on this bus.
    public init(bus: AsyncConnection) { self.init(bus: bus, engine: .bundled) }

    /// Calls a method.
    /// - Parameter timeout: How long to wait for the reply; nil for any time.
    func call(
        _ member: String, _ arguments: [DBusValue], timeout: Duration? = Patience.Worker.reply
    ) async throws -> [DBusValue] {
        log(.debug, "call \(engine.busName) \(Self.interface.name).\(member)")
        return try await bus.call(
            engine.busName, engine.object, Self.interface.name, member, arguments, timeout: timeout)
    }

    /// Calls a method whose first result is text.
    func text(
        _ member: String, _ arguments: [DBusValue], timeout: Duration? = Patience.Worker.reply
    ) async throws -> (String, extra: VariantMap) {
        let reply = try await call(member, arguments, timeout: timeout)
        guard let text = reply.first?.string else { throw unexpected(member) }
        return (text, reply.last?.map ?? [:])
    }

    /// Calls a method whose first result is one object.
    func record<Result: Record>(
        _ member: String, _ arguments: [DBusValue], timeout: Duration? = Patience.Worker.reply
    ) async throws -> Result {
        let reply = try await call(member, arguments, timeout: timeout)
        guard let result = reply.first?.map.flatMap({ Result($0) }) else { throw unexpected(member) }
        return result
    }

    /// Calls a method whose first result is a list of objects.
    func records<Result: Record>(_ member: String, _ arguments: [DBusValue]) async throws -> (
        [Result], extra: VariantMap
    ) {
        let reply = try await call(member, arguments)
        guard let maps = reply.first?.maps else { throw unexpected(member) }
        return (maps.compactMap { Result($0) }, reply.last?.map ?? [:])
    }

    /// The signals of the engine with this name.
    func signals(_ member: String) throws -> AsyncStream<ReceivedSignal> {
        try bus.signals(
            MatchRule(sender: engine.busName, path: engine.object, interface: Self.interface.name, member: member))
    }

    /// The error for a reply without what it should have.
    func unexpected(_ member: String) -> DBusError {
        DBusError.failed("The sync engine answered \(member) in a form that this version does not know.")
    }
}
