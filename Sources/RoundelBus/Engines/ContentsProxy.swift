public import DBus

/// Where the contents of an engine's items are: `org.roundel.Roundel1.Engine.Contents`.
public struct ContentsProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.contents
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// Brings contents to this computer; of a directory, those of everything in it. It is given up when the connection
    /// closes, unless the call does not wait.
    /// - Parameters:
    ///   - uris: Items of synced folders that keep contents on demand, as file URIs.
    ///   - waits: Whether it returns at the end. Otherwise it returns once the fetch has begun.
    public func fetch(_ uris: [String], waits: Bool = true) async throws -> SyncContentsResult {
        try await move("Fetch", uris, waits)
    }

    /// Deletes contents from this computer that the remote has as well; of a directory, those of everything in it. It
    /// is given up when the connection closes, unless the call does not wait.
    /// - Parameters:
    ///   - uris: Items of synced folders that keep contents on demand, as file URIs.
    ///   - waits: Whether it returns at the end. Otherwise it returns once it has begun.
    public func free(_ uris: [String], waits: Bool = true) async throws -> SyncContentsResult {
        try await move("Free", uris, waits)
    }

    private func move(_ member: String, _ uris: [String], _ waits: Bool) async throws -> SyncContentsResult {
        let options: VariantMap = waits ? [:] : ["wait": .bool(false)]
        return try await record(member, [.strings(uris), .map(options)], timeout: nil)
    }

    /// Always keeps the contents of items on this computer; they are fetched afterwards.
    public func pin(_ uris: [String]) async throws { _ = try await call("Pin", [.strings(uris), .map([:])]) }

    /// Ends ``pin(_:)``. Contents that are on this computer stay until they are freed.
    public func unpin(_ uris: [String]) async throws { _ = try await call("Unpin", [.strings(uris), .map([:])]) }

    /// Turns a folder into one on demand, or into a plain one, for which all contents are fetched first. The latter is
    /// given up when the connection closes.
    public func setOnDemand(_ isOnDemand: Bool, of folder: String) async throws {
        _ = try await call("SetOnDemand", [.string(folder), .bool(isOnDemand), .map([:])], timeout: nil)
    }

    /// Sets what is freed in a folder without being asked for.
    public func setRule(_ rule: SyncFreeingRule, of folder: String) async throws {
        _ = try await call("SetRule", [.string(folder), .map(rule.map), .map([:])])
    }

    /// What is freed in a folder without being asked for.
    public func rule(of folder: String) async throws -> SyncFreeingRule {
        try await record("Rule", [.string(folder), .map([:])])
    }

    /// Takes away from this computer what is on the remote alone, in a folder that waits for a login; it comes back after
    /// the next one.
    /// - Parameters:
    ///   - folder: The folder's id.
    ///   - removesLocal: Whether to remove also what is on this computer and equal on the remote.
    public func clear(_ folder: String, removesLocal: Bool = false) async throws -> SyncClearedContents {
        let options: VariantMap = removesLocal ? ["remove-local": .bool(true)] : [:]
        return try await record("Clear", [.string(folder), .map(options)], timeout: nil)
    }

    /// The progress of the calls of ``fetch(_:waits:)``, ``free(_:waits:)`` and ``setOnDemand(_:of:)`` on this
    /// connection.
    public func progress() throws -> some AsyncSequence<SyncContentsProgress, Never> & Sendable {
        try signals("ContentsProgress").compactMap { signal in
            signal.arguments.first?.map.flatMap { SyncContentsProgress($0) }
        }
    }
}
