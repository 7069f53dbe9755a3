package import DBus
internal import Support

/// The logins that Roundel saves in the user's secret service (`org.freedesktop.secrets`), and nowhere else.
///
/// Each operation finds the service again and agrees on a new key with it, so it does not matter if the service is
/// replaced or restarted in between. Secrets are sent over the bus encrypted.
package struct SecretStore: Sendable {
    private let bus: AsyncConnection
    private let replyTime: Duration

    /// Creates a store for a session bus.
    ///
    /// - Parameters:
    ///   - bus: A connection to it. Its thread handles only encrypted secrets.
    ///   - replyTime: How long the service may take to reply to one call, without the time of the user.
    package init(bus: AsyncConnection, replyTime: Duration = Patience.Secrets.reply) {
        self.bus = bus
        self.replyTime = replyTime
    }

    /// Checks that there is a secret service that supports an encrypted session.
    package func check() async throws(SecretStoreError) {
        try await inSession { _ in }
    }

    /// The login of an account; if the account has no user, the one that was last saved for its server. Nil if none was
    /// saved.
    ///
    /// - Parameter patience: How long the user has to unlock a locked keyring; nil if the user must not be asked.
    /// - Throws: ``SecretStoreError/locked`` if the login is locked and the user must not be asked.
    package func login(
        for account: RemoteAccount, asking patience: Duration?
    ) async throws(SecretStoreError) -> StoredLogin? {
        try await inSession { session in
            var items = try await session.openItems(of: account)
            if items.isEmpty { items = try await session.allItems(of: account, asking: patience) }
            guard let item = items.max(by: { $0.modified < $1.modified }) else { return nil }
            return StoredLogin(
                user: item.user, password: try await session.secret(of: item.path), isFromServer: item.isFromServer,
                saved: item.modified)
        }
    }

    /// The users whose logins are saved for an account's server; at most the account's own if it has one. No secret is read,
    /// so that one that is damaged is found as well.
    ///
    /// - Parameter patience: How long the user has to unlock a locked keyring; nil if the user must not be asked.
    package func users(
        of account: RemoteAccount, asking patience: Duration?
    ) async throws(SecretStoreError) -> [String] {
        try await inSession { session in
            Set(try await session.allItems(of: account, asking: patience).map(\.user)).sorted()
        }
    }

    /// Saves a login, replacing the existing one of this user at the server.
    ///
    /// - Parameters:
    ///   - login: The user and the password.
    ///   - server: The origin, as in ``RemoteAccount/server``.
    ///   - patience: How long the user has for each prompt, to unlock or create a keyring; nil if the user must not be
    ///     asked.
    /// - Throws: ``SecretStoreError/unusable`` for a user or a password that cannot be saved.
    package func save(
        _ login: StoredLogin, for server: String, asking patience: Duration?
    ) async throws(SecretStoreError) {
        guard login.isUsable else { throw .unusable }
        try await inSession { session in
            let collection = try await session.defaultCollection(asking: patience)
            // An item replaces only one with the same attributes.
            let account = RemoteAccount(server: server, user: login.user)
            let others = try await session.openItems(of: account).filter { $0.isFromServer != login.isFromServer }
            try await session.save(login, for: server, in: collection, asking: patience)
            for other in others { try await session.delete(other.path, asking: patience) }
        }
    }

    /// Removes the login of an account; if the account has no user, all that were saved for its server.
    ///
    /// - Parameter patience: How long the user has for each prompt; nil if the user must not be asked.
    /// - Returns: The users whose logins were removed.
    package func remove(
        _ account: RemoteAccount, asking patience: Duration?
    ) async throws(SecretStoreError) -> [String] {
        try await inSession { session in
            var users: Set<String> = []
            for item in try await session.allItems(of: account, asking: patience) {
                try await session.delete(item.path, asking: patience)
                users.insert(item.user)
            }
            return users.sorted()
        }
    }

    private func inSession<Result: Sendable>(
        _ body: @Sendable (SecretSession) async throws -> Result
    ) async throws(SecretStoreError) -> Result {
        do {
            let service = try await SecretService.find(on: bus, replyTime: replyTime)
            let session = try await SecretSession.open(with: service)
            defer { session.close() }
            return try await body(session)
        } catch {
            throw SecretStoreError(error, calling: "StartServiceByName")
        }
    }
}
