internal import DBus
internal import Secrets
internal import Support

/// The logins in the person's secret service, to which a connection is made when the first is needed.
actor SavedLogins {
    private var opening: Task<AsyncConnection, any Error>?

    /// The login of an account; nil if none is saved. Nobody is asked anything: a background service is no reason for a
    /// window.
    func login(for account: RemoteAccount) async throws(SecretStoreError) -> StoredLogin? {
        CoreDumps.leaveOutMemory()
        let bus: AsyncConnection
        do {
            bus = try await connection()
        } catch {
            opening = nil
            throw .disconnected
        }
        do throws(SecretStoreError) {
            return try await SecretStore(bus: bus).login(for: account, asking: nil)
        } catch {
            if error == .disconnected { opening = nil }
            throw error
        }
    }

    private func connection() async throws -> AsyncConnection {
        if let opening { return try await opening.value }
        let task = Task { try await AsyncConnection.open(.session) }
        opening = task
        return try await task.value
    }
}
