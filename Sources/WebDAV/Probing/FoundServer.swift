package import SyncCore

/// What was found out about a server by trying it.
package struct FoundServer: Hashable, Sendable {
    /// What it can do.
    package var traits: ServerTraits
    /// What it was when that was found out: with another text, it has to be found out again.
    package var identity: String

    /// Most characters of an identity; a server that says more of itself is known by the beginning.
    private static let longest = 256

    /// What was found out, at a server that is this now.
    package init(_ traits: ServerTraits, identity: String) { (self.traits, self.identity) = (traits, identity) }

    /// Asks a server what it is: the number of the probe, which changes with what that tries, and the version of the
    /// application, or of the program where it tells no other.
    ///
    /// - Parameter client: Of the collection that is synced.
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

    /// Finds out what a server can do if it is not what it was.
    ///
    /// - Parameters:
    ///   - known: What it was; nil: that was never noted.
    ///   - name: Of a collection to try things in, where nothing may be.
    /// - Returns: nil if it is the same.
    package static func ask(
        _ client: DAVClient, unless known: String?, in name: EntryName
    ) async throws(DAVFailure) -> FoundServer? {
        let identity = try await identity(client)
        if identity == known { return nil }
        return FoundServer(try await ServerProbe(client, in: name).run(), identity: identity)
    }
}
