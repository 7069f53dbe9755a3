package import SyncCore

/// The result of probing a server.
package struct FoundServer: Hashable, Sendable {
    /// What it can do.
    package var traits: ServerTraits
    /// The identity of the server at that time: if it changes, the server must be probed again.
    package var identity: String

    /// The result of probing a server with this identity.
    package init(_ traits: ServerTraits, identity: String) { (self.traits, self.identity) = (traits, identity) }

    /// Probes a server.
    ///
    /// - Parameters:
    ///   - client: A client of the synced collection, of which the server has just said that it is one.
    ///   - name: The name of a collection for the tests, which must be unused.
    static func find(_ client: DAVClient, in name: EntryName) async throws(DAVFailure) -> FoundServer {
        try await find(client, saying: try await ServerClaim(client, knownAsCollection: true), in: name)
    }

    private static func find(
        _ client: DAVClient, saying claim: ServerClaim, in name: EntryName
    ) async throws(DAVFailure) -> FoundServer {
        FoundServer(try await ServerProbe(client, in: name).run(saying: claim), identity: claim.identity)
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
        let claim = try await ServerClaim(client)
        return claim.identity == known ? nil : try await find(client, saying: claim, in: name)
    }
}
