public import DBus
internal import Support

/// What folders of an engine can sync with, before one is added: `org.roundel.Roundel1.Engine.Remotes`.
public struct RemotesProxy: EngineProxy {
    /// The interface.
    public static let interface = EngineInterface.remotes
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// Finds out what is at an address that a person typed.
    public func find(_ address: String) async throws -> SyncRemote {
        try await record("Find", [.string(address), .map([:])], timeout: Patience.Worker.serverReply)
    }

    /// The directories in a directory of a remote; "" for the remote itself.
    /// - Returns: The directories, and whether some were left out.
    public func directories(
        of remote: String, in path: String, limit: UInt32 = 1_000
    ) async throws -> (directories: [SyncRemoteDirectory], hasMore: Bool) {
        let reply = try await call(
            "ListDirectories", [.string(remote), .string(path), .map(["limit": .uint32(limit)])],
            timeout: Patience.Worker.serverReply)
        guard let maps = reply.first?.maps else { throw unexpected("ListDirectories") }
        return (maps.compactMap { SyncRemoteDirectory($0) }, reply.last?.map?.bool("more") ?? false)
    }

    /// Keeps the certificates that a person gives for a server, in place of those from before.
    /// - Parameters:
    ///   - address: An address on the server.
    ///   - authority: The path of the certificate authorities that are trusted for it; nil for those of the desktop alone.
    ///   - certificate: The path of the person's own certificate; nil for none.
    ///   - key: The path of its key; nil if it is in the same file.
    ///   - passphrase: The end of a pipe from which the passphrase of the key is read, up to its end; nil for none, or for
    ///     the one that is saved.
    /// - Throws: `DBusError`, with `passphraseNeeded` for a key with another passphrase, or with one that is not known.
    public func setCertificates(
        at address: String, authority: String?, certificate: String?, key: String?,
        passphrase: OwnedFileDescriptor? = nil
    ) async throws {
        var map: VariantMap = [:]
        map["authority"] = authority.map(DBusValue.string)
        map["certificate"] = certificate.map(DBusValue.string)
        map["key"] = key.map(DBusValue.string)
        map["passphrase"] = passphrase.map { .fileDescriptor($0) }
        _ = try await text("SetCertificates", [.string(address), .map(map)])
    }

    /// Counts what adding a folder would do; nothing is written.
    public func preview(
        uri: String, remote: String, options: FoldersProxy.AddOptions, seconds: UInt32 = 10
    ) async throws -> SyncPreview {
        var map = options.map
        map["seconds"] = .uint32(seconds)
        return try await record(
            "Preview", [.string(uri), .string(remote), .map(map)], timeout: Patience.Worker.serverReply)
    }
}
