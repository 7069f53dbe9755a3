internal import Glibc
internal import Support

/// The address of a bus.
public enum BusAddress: Sendable, Hashable {
    /// The session bus of this process' environment.
    case session
    /// A server address of the D-Bus specification, for example `unix:path=/run/user/1000/bus`.
    case address(String)

    /// The server address.
    ///
    /// The session bus is `DBUS_SESSION_BUS_ADDRESS`, otherwise `$XDG_RUNTIME_DIR/bus`; a bus is never started.
    ///
    /// - Throws: `NoServer` if the environment contains no session bus.
    public func resolved() throws(DBusError) -> String {
        switch self {
        case .address(let address): return address
        case .session:
            if let address = environment("DBUS_SESSION_BUS_ADDRESS").flatMap(withoutAutolaunch) { return address }
            if let directory = environment("XDG_RUNTIME_DIR"), !directory.isEmpty {
                return "unix:path=" + escaped(directory + "/bus")
            }
            throw DBusError(
                .noServer,
                tr(
                    """
                    There is no session bus: neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set. Run this \
                    in a desktop session or under dbus-run-session.
                    """
                ))
        }
    }

    /// The alternatives in `address` that do not start a bus; nil if there are none.
    private func withoutAutolaunch(_ address: String) -> String? {
        let alternatives = address.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") }
        return alternatives.isEmpty ? nil : alternatives.joined(separator: ";")
    }

    private func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Escapes characters that must not appear unescaped in an address (D-Bus specification, "Server Addresses").
    private func escaped(_ path: String) -> String {
        let digits = Array("0123456789abcdef")
        return path.utf8.reduce(into: "") { result, byte in
            let isPlain = NameRules.isWordByte(byte) || "-/.\\*".utf8.contains(byte)
            result += isPlain ? String(UnicodeScalar(byte)) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
        }
    }
}
