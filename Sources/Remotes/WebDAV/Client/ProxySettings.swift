internal import AsyncHTTPClient
internal import Support

/// Through which proxies servers are reached, by the variables that programs have for that: `https_proxy`, `http_proxy`,
/// `all_proxy` and `no_proxy`, in lower or upper case. Pure.
package struct ProxySettings: Sendable {
    /// A proxy.
    package struct Proxy: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        package let host: String
        package let port: Int
        /// Whether it speaks SOCKS instead of HTTP.
        package let isSocks: Bool
        /// The name and the password for it; nil if it wants none.
        let login: Login?

        struct Login: Hashable, Sendable {
            let user: String
            let password: String
        }

        /// Does not contain the login.
        package var description: String { "\(isSocks ? "socks" : "http")://\(host):\(port)" }
        /// Does not contain the login.
        package var customMirror: Mirror { Mirror(self, children: []) }
    }

    /// What the variables say about a server.
    package enum Word: Hashable, Sendable {
        /// They say nothing.
        case nothing
        /// It is reached without a proxy.
        case direct
        /// It is reached through this one.
        case proxy(Proxy)
    }

    /// The settings of this process.
    package static let process = ProxySettings { ProcessEnvironment.text($0) }

    private let encrypted: Word
    private let plain: Word
    private let exceptions: [String]

    /// - Parameter value: Returns the value of a variable; nil if it is not set.
    package init(_ value: (String) -> String?) {
        func first(_ names: [String]) -> String? { names.lazy.compactMap(value).first { !$0.isEmpty } }
        let all = first(["all_proxy", "ALL_PROXY"])
        // A proxy that this program does not know is none.
        func word(_ text: String?) -> Word {
            text.map { Proxy($0).map { .proxy($0) } ?? .direct } ?? .nothing
        }
        encrypted = word(first(["https_proxy", "HTTPS_PROXY"]) ?? all)
        // In upper case, a web server would take this one from a header of a request.
        plain = word(first(["http_proxy"]) ?? all)
        exceptions = (first(["no_proxy", "NO_PROXY"]) ?? "").lowercased().split { $0 == "," || $0 == " " }
            .map { String($0) }
    }

    /// How a server is reached. This computer is always reached directly.
    package func word(for location: ServerLocation) -> Word {
        guard !location.isOnThisComputer, !exceptions.contains(where: { Self.isMeant(location, by: $0) }) else {
            return .direct
        }
        return location.isEncrypted ? encrypted : plain
    }

    /// Whether an exception is about a server: its name or address, a domain that it is in, or `*`.
    private static func isMeant(_ location: ServerLocation, by exception: String) -> Bool {
        if exception == "*" { return true }
        var name = exception[...]
        if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]"),
            let port = Int(name[name.index(after: colon)...]), name.hasPrefix("[") || name.firstIndex(of: ":") == colon
        {
            guard port == location.port else { return false }
            name = name[..<colon]
        }
        for prefix in ["*.", "."] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        guard !name.isEmpty else { return false }
        return location.host == name || location.host.hasSuffix("." + name)
    }
}

extension ProxySettings.Proxy {
    /// `HOST:PORT`, with a scheme, a user and a password before it where there are any; nil for anything else.
    init?(_ text: String) {
        var rest = text[...]
        var scheme = "http"
        if let mark = rest.firstRange(of: "://") {
            scheme = rest[..<mark.lowerBound].lowercased()
            rest = rest[mark.upperBound...]
        }
        let isSocks = scheme.hasPrefix("socks")
        // A proxy that is itself reached encrypted is not one that this program knows.
        guard scheme == "http" || isSocks else { return nil }
        rest = rest.prefix { $0 != "/" }
        var login: Login?
        if let sign = rest.lastIndex(of: "@") {
            let parts = rest[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentCoding.decode($0).map { String(decoding: $0, as: UTF8.self) } ?? "" }
            login = Login(user: decoded.first ?? "", password: decoded.count > 1 ? decoded[1] : "")
            rest = rest[rest.index(after: sign)...]
        }
        var port = isSocks ? 1_080 : 80
        if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            (rest, port) = (rest[..<colon], Int(number))
        }
        guard !rest.isEmpty else { return nil }
        self.init(host: String(rest), port: port, isSocks: isSocks, login: login)
    }

    /// In the form of the client's library.
    var configuration: HTTPClient.Configuration.Proxy {
        if isSocks { return .socksServer(host: host, port: port) }
        return .server(
            host: host, port: port,
            authorization: login.map { .basic(username: $0.user, password: $0.password) })
    }
}
