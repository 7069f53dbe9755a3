/// Where Syncthing's REST interface is reached from this computer.
enum GuiAddress: Equatable, Sendable {
    /// A port of the loopback interface, at 127.0.0.1 or ::1.
    case port(UInt16, host: String)
    /// A socket in the file system.
    case socket(String)

    /// Reads the address of the configuration; nil for one that is not reached without leaving this computer.
    ///
    /// Where Syncthing listens on all interfaces, it is reached over the loopback interface.
    init?(_ text: String) {
        if text.hasPrefix("/") {
            self = .socket(text)
            return
        }
        if text.hasPrefix("unix://") {
            self = .socket(String(text.dropFirst("unix://".count)))
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0 else {
            return nil
        }
        switch text[..<colon] {
        case "", "0.0.0.0", "localhost", "127.0.0.1": self = .port(port, host: "127.0.0.1")
        case "[::]", "[::1]": self = .port(port, host: "::1")
        case let host where host.hasPrefix("127.") && host.allSatisfy({ $0.isNumber || $0 == "." }):
            self = .port(port, host: String(host))
        default: return nil
        }
    }

    /// What a browser calls it; nil for a socket, which no browser opens.
    func page(tls: Bool) -> String? {
        guard case .port(let port, let host) = self else { return nil }
        return "\(tls ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    /// The value of the header Host. Syncthing refuses names that are not its own.
    var host: String {
        switch self {
        case .port(let port, let host): "\(host.contains(":") ? "[\(host)]" : host):\(port)"
        case .socket: "localhost"
        }
    }
}
