internal import DBus
internal import Remotes
internal import Secrets
internal import Support

/// The logins in the user's secret service; connects to it when the first is needed.
actor SavedLogins {
    /// The certificates of servers, as the settings have them.
    nonisolated let certificates = KnownCertificates()
    private let address: BusAddress
    private var opening: Task<AsyncConnection, any Error>?

    init(on address: BusAddress = .session) { self.address = address }

    /// The login of an account; nil if none is saved. Never shows a prompt: a background service must not open windows.
    func login(for account: RemoteAccount) async throws(SecretStoreError) -> StoredLogin? {
        try await withStore { store throws(SecretStoreError) in try await store.login(for: account, asking: nil) }
    }

    /// Saves a login at the user's request; the user may be asked to unlock the keyring.
    func save(_ login: StoredLogin, for server: String) async throws(SecretStoreError) {
        try await withStore { store throws(SecretStoreError) in
            try await store.save(login, for: server, asking: Patience.Secrets.user)
        }
    }

    /// Saves the passphrase of the key of the person's certificate for a server; the user may be asked to unlock the
    /// keyring.
    func save(passphrase: SecretBytes, ofKeyFor server: String) async throws(SecretStoreError) {
        try await save(ClientKey.login(passphrase), for: ClientKey.account(at: server).server)
    }

    /// Deletes the passphrase that is saved for a server, if that can be done without asking the user.
    func forgetPassphrase(ofKeyFor server: String) async {
        _ = try? await withStore { store throws(SecretStoreError) in
            try await store.remove(ClientKey.account(at: server), asking: nil)
        }
    }

    private func withStore<Result: Sendable>(
        _ body: (SecretStore) async throws(SecretStoreError) -> Result
    ) async throws(SecretStoreError) -> Result {
        CoreDumps.leaveOutMemory()
        let bus: AsyncConnection
        do {
            bus = try await connection()
        } catch {
            opening = nil
            throw .disconnected
        }
        do throws(SecretStoreError) {
            return try await body(SecretStore(bus: bus))
        } catch {
            if error == .disconnected { opening = nil }
            throw error
        }
    }

    private func connection() async throws -> AsyncConnection {
        if let opening { return try await opening.value }
        let task = Task { [address] in try await AsyncConnection.open(address) }
        opening = task
        return try await task.value
    }
}

extension SavedLogins: RemoteLogins {
    nonisolated func account(in address: String) throws(AddressMistake) -> LoginAccount {
        do throws(RemoteAccount.Mistake) {
            let account = try RemoteAccount(remote: address)
            return LoginAccount(server: account.server, user: account.user)
        } catch {
            switch error {
            case .foreignScheme, .malformed: throw .malformed
            case .password: throw .password
            case .unencrypted: throw .unencrypted
            }
        }
    }

    nonisolated func certificates(of server: String) -> ServerCertificates? { certificates[server] }

    func passphrase(ofKeyFor server: String) async throws(LoginUnreadable) -> String? {
        do throws(SecretStoreError) {
            return try await login(for: ClientKey.account(at: server)).map { RemoteLogin($0).password }
        } catch {
            throw LoginUnreadable("\(error)")
        }
    }

    func login(for account: LoginAccount) async throws(LoginUnreadable) -> RemoteLogin? {
        do throws(SecretStoreError) {
            return try await login(for: RemoteAccount(account)).map { RemoteLogin($0) }
        } catch {
            throw LoginUnreadable("\(error)")
        }
    }
}

extension RemoteLogin {
    /// The login for a request.
    init(_ login: StoredLogin) {
        let password = login.password.withBytes { String(decoding: $0, as: UTF8.self) }
        self.init(user: login.user, password: password, saved: login.saved)
    }
}

extension RemoteAccount {
    /// The account of a place.
    init(_ account: LoginAccount) { self.init(server: account.server, user: account.user) }
}
