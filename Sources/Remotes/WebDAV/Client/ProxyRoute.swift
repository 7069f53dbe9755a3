/// A way to a server.
package enum ProxyRoute: Hashable, Sendable {
    /// Without a proxy.
    case direct
    /// Through a proxy.
    case proxy(ProxySettings.Proxy)
    /// Only through a proxy of a kind that this program cannot use: its address, without a name and a password.
    case unusable(String)

    /// The usable ways that the desktop's settings name, the best first; never empty.
    ///
    /// - Parameter addresses: As the desktop answers them, such as `http://proxy:3128` or `direct://`; none mean that
    ///   there is no proxy.
    static func routes(_ addresses: [String]) -> [ProxyRoute] {
        let routes = addresses.map { ProxyRoute($0) }
        let usable = routes.filter {
            switch $0 {
            case .direct, .proxy: true
            case .unusable: false
            }
        }
        return usable.isEmpty ? [routes.first ?? .direct] : usable
    }

    private init(_ address: String) {
        let scheme = address.firstRange(of: "://").map { address[..<$0.lowerBound].lowercased() } ?? ""
        // The library speaks version 5 of SOCKS, and gives no name and no password there.
        let isKnown = ["http", "socks", "socks5", "socks5h"].contains(scheme)
        if scheme == "direct" {
            self = .direct
        } else if isKnown, let proxy = ProxySettings.Proxy(address), !proxy.isSocks || proxy.login == nil {
            self = .proxy(proxy)
        } else {
            self = .unusable(Self.shown(address, scheme))
        }
    }

    /// The longest address that is shown.
    private static let longest = 100

    private static func shown(_ address: String, _ scheme: String) -> String {
        let rest = address.firstRange(of: "://").map { address[$0.upperBound...] } ?? address[...]
        // A password may contain any character.
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        let text = (scheme.isEmpty ? "" : scheme + "://") + host.prefix { $0 != "/" }
        return String(text.prefix(longest))
    }
}
