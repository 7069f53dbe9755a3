internal import Support

/// Which way is used to each server, by the desktop's settings: what was answered is used for a while, and asked again
/// after the network has changed, or when a server could not be reached by any of the ways. Pure.
struct ProxyBook: Sendable {
    private struct Entry {
        /// Never empty.
        var routes: [ProxyRoute]
        /// Whether somebody answered.
        var isAnswered: Bool
        /// The index of the one that is used.
        var used = 0
        var end: Instant
        var change: UInt64
    }

    /// By the origin of the server.
    private var entries: [String: Entry] = [:]

    /// The way to a server; nil if it has to be asked for.
    ///
    /// - Parameter change: How often the network has changed.
    func route(to origin: String, at now: Instant, change: UInt64) -> ProxyRoute? {
        guard let entry = entries[origin], entry.change == change, now < entry.end else { return nil }
        return entry.routes[entry.used]
    }

    /// Notes what was answered, and returns the way to use.
    ///
    /// - Parameters:
    ///   - addresses: Those of the proxies; nil if nobody answered.
    ///   - change: How often the network had changed when it was asked.
    mutating func note(
        _ addresses: [String]?, for origin: String, at now: Instant, change: UInt64
    ) -> ProxyRoute {
        entries = entries.filter { now < $0.value.end }
        let routes = addresses.map { ProxyRoute.routes($0) } ?? [.direct]
        entries[origin] = Entry(
            routes: routes, isAnswered: addresses != nil, end: now + Patience.Server.proxies, change: change)
        return routes[0]
    }

    /// A server could not be reached by this way: the next one is used, and after the last one it is asked again.
    mutating func failed(_ route: ProxyRoute, to origin: String) {
        guard var entry = entries[origin], entry.routes[entry.used] == route else { return }
        entry.used += 1
        if entry.used < entry.routes.count {
            entries[origin] = entry
        } else if entry.isAnswered {
            entries[origin] = nil
        }
        // Whoever did not answer is left alone for a while: it would delay each attempt.
    }
}
