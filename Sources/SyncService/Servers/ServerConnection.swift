internal import Glibc
internal import Secrets
internal import SyncCore
internal import SyncEngine
internal import WebDAV

/// A folder's connection to its server: the client, and the login that it requires. It ends with the last reference.
final class ServerConnection: Sendable {
    /// The client that sends requests.
    let client: DAVClient
    /// What the server can do, as far as is known.
    let traits: KnownTraits
    private let login: ServerLogin

    /// - Parameters:
    ///   - traits: What the server was found to be capable of.
    ///   - pace: The speed limit for contents of files.
    init(
        _ place: ServerPlace, from saved: SavedLogins, traits: ServerTraits = ServerTraits(),
        pace: TransferPace = TransferPace()
    ) {
        self.traits = KnownTraits(traits)
        let account = place.account
        login = ServerLogin(at: account.server) { () async throws(SecretStoreError) in
            try await saved.login(for: account)
        }
        client = DAVClient(place.location, login: login, pace: pace) { Int64(time(nil)) }
    }

    deinit {
        // A client must be shut down, which takes a while.
        Task { [client] in await client.shutDown() }
    }

    /// The server as the remote of a folder.
    ///
    /// - Parameter transfers: Where large transfers are noted.
    func remote(owner: EntryName, transfers: TransferLedger?) -> any Remote {
        WebDAVRemote(client, traits: traits, owner: owner, transfers: transfers)
    }

    /// The address of the server's page of an item, for a browser; nil if it has none.
    func page(of item: RelativePath, isDirectory: Bool) async throws(DAVFailure) -> String? {
        try await ItemPage.address(of: item, isDirectory: isDirectory, client)
    }

    /// A link with which anyone can read an item.
    func shareLink(to item: RelativePath) async throws(ShareLinks.Failure) -> String {
        guard let links = ShareLinks(client) else { throw .refused(nil) }
        return try await links.link(to: item)
    }

    /// Tries the saved login; returns why it cannot be used.
    func tryLogin() async -> DAVFailure? {
        do throws(DAVFailure) {
            try await client.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
            return nil
        } catch {
            // Whoever is told that something is missing or forbidden is logged in.
            return [.denied, .notFound, .notAllowed, .conflict].contains(error.reason) ? nil : error
        }
    }

    /// Lets the server take back the login, a password that it gave to this computer; whether it did.
    func revokeLogin() async -> Bool { (try? await AppPassword.revoke(client)) ?? false }

    /// Sends nothing more with the login that is saved now.
    ///
    /// - Parameter user: The user whose login ends; nil for any.
    func endLogin(of user: String?) async { await login.end(of: user) }

    /// The user wants the server to be asked, whatever it refused before.
    func retry() async {
        client.resume()
        await login.retry()
    }
}
