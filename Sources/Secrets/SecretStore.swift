package import DBus

/// The logins that Roundel has saved in the person's secret service (`org.freedesktop.secrets`), and nowhere else.
///
/// Each operation finds the service anew and agrees on a key of its own with it, so that a service that was replaced or
/// started again in between is no matter. Secrets go over the bus encrypted.
package struct SecretStore: Sendable {
    private let bus: AsyncConnection
    private let replyTime: Duration

    /// The logins of a session bus.
    ///
    /// - Parameters:
    ///   - bus: A connection to it. Its thread sees encrypted secrets alone.
    ///   - replyTime: How long the service may take to answer one call, a person's time not counted.
    package init(bus: AsyncConnection, replyTime: Duration = .seconds(25)) {
        self.bus = bus
        self.replyTime = replyTime
    }

    /// Whether there is a secret service that takes part in an encrypted session.
    package func check() async throws(SecretStoreError) {
        try await inSession { _ in }
    }

    /// The login of an account; where the account names no user, the one that was saved last at its server. Nil if none
    /// was saved.
    ///
    /// - Parameter patience: How long the person has to unlock the keyring where it is locked; nil if nobody is to be
    ///   asked.
    /// - Throws: ``SecretStoreError/locked`` for a login that is locked if nobody is to be asked.
    package func login(
        for account: RemoteAccount, asking patience: Duration?
    ) async throws(SecretStoreError) -> StoredLogin? {
        try await inSession { session in
            var items = try await session.openItems(of: account)
            if items.isEmpty { items = try await session.allItems(of: account, asking: patience) }
            guard let item = items.max(by: { $0.modified < $1.modified }) else { return nil }
            return StoredLogin(user: item.user, password: try await session.secret(of: item.path))
        }
    }

    /// Saves a login in place of the one that this user has at the server.
    ///
    /// - Parameters:
    ///   - login: The user and the password.
    ///   - server: The origin, as in ``RemoteAccount/server``.
    ///   - patience: How long the person has for each prompt: to unlock the keyring, or to make one; nil if nobody is to
    ///     be asked.
    /// - Throws: ``SecretStoreError/unusable`` for a user or a password that cannot be saved.
    package func save(
        _ login: StoredLogin, for server: String, asking patience: Duration?
    ) async throws(SecretStoreError) {
        let isUsable = login.password.withBytes { bytes in
            (1...StoredLogin.longestPassword).contains(bytes.count) && !bytes.contains(0)
        }
        guard isUsable, RemoteAccount.isUser(login.user) else { throw .unusable }
        try await inSession { session in
            let collection = try await session.defaultCollection(asking: patience)
            try await session.save(login, for: server, in: collection, asking: patience)
        }
    }

    /// Removes the login of an account; where the account names no user, all that were saved at its server.
    ///
    /// - Parameter patience: How long the person has for each prompt; nil if nobody is to be asked.
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
