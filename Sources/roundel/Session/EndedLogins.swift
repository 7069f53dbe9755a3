import Secrets
import Support

/// Ends saved logins, each at the server and then in the keyring.
enum EndedLogins {
    /// A login that was ended.
    struct Ended {
        var user: String
        /// Whether the server took the password back.
        var isRevoked: Bool
    }

    /// Ends the login of a remote's account; if that has no user, all logins at its server.
    static func end(
        at remote: LoginRemote, _ store: SecretStore, _ folders: AccountFolders
    ) async throws -> [Ended] {
        let users = try await SecretSentence.throwing { () async throws(SecretStoreError) in
            try await store.users(of: remote.account, asking: Patience.Secrets.user)
        }
        var ended: [Ended] = []
        for user in users {
            let isRevoked = await folders.endLogin(at: remote.address(of: user))
            let removed = try await SecretSentence.throwing { () async throws(SecretStoreError) in
                try await store.remove(
                    RemoteAccount(server: remote.account.server, user: user), asking: Patience.Secrets.user)
            }
            ended += removed.map { Ended(user: $0, isRevoked: isRevoked) }
        }
        return ended
    }
}
