package import SyncCore

/// The result of probing a server.
package struct FoundServer: Hashable, Sendable {
    /// What it can do.
    package var traits: ServerTraits
    /// The identity of the server at that time: if it changes, the server must be probed again.
    package var identity: String

    /// The most characters of an identity; a longer one is truncated.
    private static let longest = 256

    /// The result of probing a server with this identity.
    package init(_ traits: ServerTraits, identity: String) { (self.traits, self.identity) = (traits, identity) }

    /// The identity of a server: the number of the probe, which changes with what it tests, and the version of the
    /// application, or of the server software if it reports no other.
    ///
    /// - Parameter client: A client of the synced collection.
    package static func identity(_ client: DAVClient) async throws(DAVFailure) -> String {
        let version: String?
        if AccountFiles(of: client.location) != nil, let known = try await ServerCapabilities.read(client)?.version {
            version = known
        } else {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
            version = client.program
        }
        return String("\(ServerProbe.number) \(version ?? "")".prefix(longest))
    }

    /// Probes a server if its identity has changed.
    ///
    /// - Parameters:
    ///   - known: The earlier identity; nil if none was stored.
    ///   - name: The name of a collection for the tests, which must be unused.
    /// - Returns: nil if the identity is the same.
    package static func ask(
        _ client: DAVClient, unless known: String?, in name: EntryName
    ) async throws(DAVFailure) -> FoundServer? {
        let identity = try await identity(client)
        if identity == known { return nil }
        return FoundServer(try await ServerProbe(client, in: name).run(), identity: identity)
    }
}
