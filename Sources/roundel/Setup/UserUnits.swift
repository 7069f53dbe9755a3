import DBus
import SystemPackage

/// The user manager of systemd, spoken to over the session bus, as systemctl does.
struct UserUnits: Sendable {
    private let bus: AsyncConnection

    private static let name = "org.freedesktop.systemd1"

    /// The one on this bus; nil where there is none.
    static func find(_ bus: AsyncConnection) async -> UserUnits? {
        let owner = try? await bus.owner(of: name)
        return owner.flatMap(\.self) == nil ? nil : UserUnits(bus: bus)
    }

    /// Has units start with the session from now on, the next included.
    /// - Parameter folder: Where their files are, for a manager that does not look there by itself.
    /// - Throws: `DBusError`.
    func enable(_ unit: String, in folder: FilePath) async throws {
        try await call("Reload", [])
        let isKnown = (try? await call("GetUnitFileState", [.string(unit)])) != nil
        let file = isKnown ? unit : folder.appending(unit).string
        try await call("EnableUnitFiles", [.strings([file]), .bool(false), .bool(true)])
        try await call("Reload", [])
    }

    /// Undoes ``enable(_:in:)``; units that are not known do not matter.
    func disable(_ units: [String]) async {
        for unit in units { _ = try? await call("DisableUnitFiles", [.strings([unit]), .bool(false)]) }
        _ = try? await call("Reload", [])
    }

    /// Starts a unit.
    /// - Throws: `DBusError`.
    func start(_ unit: String) async throws { try await call("StartUnit", [.string(unit), .string("replace")]) }

    /// Stops units; those that do not run do not matter.
    func stop(_ units: [String]) async {
        for unit in units { _ = try? await call("StopUnit", [.string(unit), .string("replace")]) }
    }

    private func call(_ member: String, _ arguments: [DBusValue]) async throws {
        _ = try await bus.call(
            UserUnits.name, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", member, arguments)
    }
}
