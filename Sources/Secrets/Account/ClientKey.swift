/// The key of a person's certificate for a server, whose passphrase is saved.
package enum ClientKey {
    /// Where a passphrase is saved. No server has such an origin, so that nobody takes it for a login.
    package static func account(at server: String) -> RemoteAccount {
        RemoteAccount(server: server + "#client-certificate", user: user)
    }

    /// A passphrase as it is saved.
    package static func login(_ passphrase: SecretBytes) -> StoredLogin {
        StoredLogin(user: user, password: passphrase)
    }

    private static let user = "key"
}
