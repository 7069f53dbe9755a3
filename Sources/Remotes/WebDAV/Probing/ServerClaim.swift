import SyncCore

/// What a server says of itself.
struct ServerClaim: Sendable {
    /// The name and the version of its software; nil if it says none.
    let program: String?
    /// What one with Nextcloud's interface says besides; nil for any other.
    let capabilities: ServerCapabilities?

    /// The most characters of an identity; a longer one is truncated.
    private static let longest = 256

    init(program: String?, capabilities: ServerCapabilities?) {
        (self.program, self.capabilities) = (program, capabilities)
    }

    /// Asks a server.
    ///
    /// - Parameters:
    ///   - client: A client of the synced collection.
    ///   - isCollection: Whether the server has just said that there is one.
    init(_ client: DAVClient, knownAsCollection isCollection: Bool = false) async throws(DAVFailure) {
        capabilities =
            AccountFiles(of: client.location) == nil ? nil : try await ServerCapabilities.read(client)
        if capabilities?.version == nil, !isCollection {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
        }
        program = client.program
    }

    /// The identity of the server: the number of the probe, which changes with what it tests, and the version of the
    /// application, or of the server software if it reports no other.
    var identity: String {
        String("\(ServerProbe.number) \(capabilities?.version ?? program ?? "")".prefix(Self.longest))
    }
}
