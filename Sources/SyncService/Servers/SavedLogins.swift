internal import DBus
internal import Secrets
internal import Support

/// The logins in the user's secret service; connects to it when the first is needed.
actor SavedLogins {
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
