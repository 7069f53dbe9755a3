public import DBus

/// The conflicts of an engine: `org.roundel.Roundel1.Engine.Conflicts`.
public struct ConflictsProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.conflicts
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// The conflicts at or below a place, or all for "".
    /// - Parameters:
    ///   - uri: The place.
    ///   - asksAuthors: Whether servers are asked who wrote their versions, which takes some seconds at most.
    public func conflicts(at uri: String, asksAuthors: Bool = false) async throws -> [SyncConflict] {
        try await records("Conflicts", [.string(uri), .map(asksAuthors ? ["authors": .bool(true)] : [:])]).0
    }

    /// Resolves one conflict.
    public func resolve(_ uri: String, as choice: SyncConflict.Choice) async throws -> ConflictResolution {
        let reply = try await call("Resolve", [.string(uri), .string(choice.rawValue), .map([:])])
        return reply.last?.map.flatMap { ConflictResolution($0) } ?? .blank
    }
}
