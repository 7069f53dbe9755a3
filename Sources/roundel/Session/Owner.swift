import DBus

extension AsyncConnection {
    /// The unique name that owns a name now; nil for nobody.
    func owner(of name: String) async throws -> String? {
        do {
            return try await call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner",
                write: { try $0.append(name) }, read: { try $0.readString() })
        } catch let error as DBusError where error.standard == .nameHasNoOwner {
            return nil
        }
    }

    /// The names that the bus can start a service for.
    func activatableNames() async throws -> [String] {
        try await call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames",
            read: { try $0.readStringArray() })
    }
}
