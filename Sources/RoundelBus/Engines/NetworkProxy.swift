public import DBus

/// How the folders of an engine use the network: `org.roundel.Roundel1.Engine.Network`.
public struct NetworkProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.network
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// How a folder uses the network; for "", the same for every folder with a remote behind a network.
    public func networkUse(_ folder: String) async throws -> [SyncNetworkReport] {
        try await records("NetworkUse", [.string(folder), .map([:])]).0
    }

    /// Sets how a folder may use the network.
    public func setNetworkUse(_ use: SyncNetworkUse, of folder: String) async throws {
        _ = try await call("SetNetworkUse", [.string(folder), .map(use.map), .map([:])])
    }
}
