internal import DBus
internal import SystemPackage

/// Calls to the systemd user manager over the session bus, as systemctl does.
struct UserUnits: Sendable {
    private let bus: AsyncConnection

    private static let name = "org.freedesktop.systemd1"

    /// The manager on this bus; nil if there is none.
    static func find(_ bus: AsyncConnection) async -> UserUnits? {
        let owner = try? await bus.owner(of: name)
        return owner.flatMap(\.self) == nil ? nil : UserUnits(bus: bus)
    }

    /// Makes a unit start with the session from now on.
    /// - Parameter folder: The directory of its file, for a manager that does not search there.
    /// - Throws: `DBusError`.
    func enable(_ unit: String, in folder: FilePath) async throws {
        try await call("Reload", [])
        let isKnown = (try? await call("GetUnitFileState", [.string(unit)])) != nil
        let file = isKnown ? unit : folder.appending(unit).string
        try await call("EnableUnitFiles", [.strings([file]), .bool(false), .bool(true)])
        try await call("Reload", [])
    }

    /// Undoes ``enable(_:in:)``; unknown units are ignored.
    func disable(_ units: [String]) async {
        for unit in units { _ = try? await call("DisableUnitFiles", [.strings([unit]), .bool(false)]) }
        _ = try? await call("Reload", [])
    }

    /// Starts a unit.
    /// - Throws: `DBusError`.
    func start(_ unit: String) async throws { try await call("StartUnit", [.string(unit), .string("replace")]) }

    /// Ends a unit that runs, and starts it.
    /// - Throws: `DBusError`.
    func restart(_ unit: String) async throws { try await call("RestartUnit", [.string(unit), .string("replace")]) }

    /// Stops units; those that do not run are ignored.
    func stop(_ units: [String]) async {
        for unit in units { _ = try? await call("StopUnit", [.string(unit), .string("replace")]) }
    }

    private func call(_ member: String, _ arguments: [DBusValue]) async throws {
        _ = try await bus.call(
            UserUnits.name, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", member, arguments)
    }
}
