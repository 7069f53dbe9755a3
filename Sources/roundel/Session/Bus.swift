import DBus

/// The session bus of a command.
enum Bus {
    /// Connects to the session bus.
    /// - Throws: ``CommandFailure`` with a sentence that says what to do.
    static func open() async throws -> AsyncConnection {
        do {
            return try await AsyncConnection.open(.session)
        } catch let error as DBusError {
            throw CommandFailure(error.message, code: .noSessionBus)
        }
    }
}
