package import DBus
internal import RoundelBus
internal import Secrets
internal import Support

/// The logins that are saved in the keyring.
package struct SavedAccounts: Sendable {
    /// A login that was ended.
    package struct Ended: Sendable {
        /// Its user.
        package var user: String
        /// Whether the server took the password back.
        package var isRevoked: Bool
    }

    private let store: SecretStore
    private let bus: AsyncConnection

    /// The logins in the keyring of this bus.
    package init(bus: AsyncConnection) {
        store = SecretStore(bus: bus)
        self.bus = bus
    }

    /// Ends the login of a remote's account, at the server and then in the keyring; if the account has no user, all
    /// logins at its server.
    /// - Throws: `SecretStoreError`.
    package func end(at remote: LoginRemote) async throws -> [Ended] {
        let engine = AccountsProxy(bus: bus, engine: remote.engine.address)
        var ended: [Ended] = []
        for user in try await store.users(of: remote.account, asking: Patience.Secrets.user) {
            // Without its engine, nothing uses the login.
            let isRevoked = (try? await engine.endLogin(remote: remote.address(of: user))) ?? false
            let account = RemoteAccount(server: remote.account.server, user: user)
            let removed = try await store.remove(account, asking: Patience.Secrets.user)
            ended += removed.map { Ended(user: $0, isRevoked: isRevoked) }
        }
        return ended
    }
}
