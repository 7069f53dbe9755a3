public import DBus

/// Comparing both sides of an engine's folders: `org.roundel.Roundel1.Engine.Verification`.
public struct VerificationProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.verification
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// Compares every byte of an item, and of everything below it, on both sides; for "", of all folders. It is
    /// cancelled when the connection closes.
    public func verify(_ uri: String) async throws -> SyncVerification {
        try await record("Verify", [.string(uri), .map([:])], timeout: nil)
    }

    /// The progress of the calls of ``verify(_:)`` on this connection.
    public func verificationProgress() throws -> some AsyncSequence<SyncVerification, Never> & Sendable {
        try signals("VerifyProgress").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncVerification($0) }
        }
    }
}
