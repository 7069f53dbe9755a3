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

    /// The settings of this process.
    package static let process = ProxySettings { ProcessEnvironment.text($0) }

    private let encrypted: Proxy?
    private let plain: Proxy?
    private let exceptions: [String]

    /// - Parameter value: Returns the value of a variable; nil if it is not set.
    package init(_ value: (String) -> String?) {
        func first(_ names: [String]) -> String? { names.lazy.compactMap(value).first { !$0.isEmpty } }
        let all = first(["all_proxy", "ALL_PROXY"])
        encrypted = (first(["https_proxy", "HTTPS_PROXY"]) ?? all).flatMap(Self.proxy)
        // In upper case, a web server would take this one from a header of a request.
        plain = (first(["http_proxy"]) ?? all).flatMap(Self.proxy)
        exceptions = (first(["no_proxy", "NO_PROXY"]) ?? "").lowercased().split { $0 == "," || $0 == " " }
            .map { String($0) }
    }

    /// The proxy through which a server is reached; nil for none. This computer is always reached directly.
    package func proxy(for location: ServerLocation) -> Proxy? {
        guard !location.isOnThisComputer, !exceptions.contains(where: { Self.isMeant(location, by: $0) }) else {
            return nil
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

    /// `HOST:PORT`, with a scheme, a user and a password before it where there are any; nil for anything else.
    private static func proxy(_ text: String) -> Proxy? {
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
        var login: Proxy.Login?
        if let sign = rest.lastIndex(of: "@") {
            let parts = rest[..<sign].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = parts.map { PercentCoding.decode($0).map { String(decoding: $0, as: UTF8.self) } ?? "" }
            login = Proxy.Login(user: decoded.first ?? "", password: decoded.count > 1 ? decoded[1] : "")
            rest = rest[rest.index(after: sign)...]
        }
        var port = isSocks ? 1_080 : 80
        if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
            guard let number = UInt16(rest[rest.index(after: colon)...]), number > 0 else { return nil }
            (rest, port) = (rest[..<colon], Int(number))
        }
        guard !rest.isEmpty else { return nil }
        return Proxy(host: String(rest), port: port, isSocks: isSocks, login: login)
    }
}

extension ProxySettings.Proxy {
    /// In the form of the client's library.
    var configuration: HTTPClient.Configuration.Proxy {
        if isSocks { return .socksServer(host: host, port: port) }
        return .server(
            host: host, port: port,
            authorization: login.map { .basic(username: $0.user, password: $0.password) })
    }
}
