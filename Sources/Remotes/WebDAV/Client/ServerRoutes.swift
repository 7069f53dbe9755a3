package import Remotes
internal import Support
internal import Synchronization

/// The ways to servers: by the variables of this process, and where they say nothing, by the desktop's settings.
package final class ServerRoutes: Sendable {
    /// By the variables of this process alone.
    package static let environment = ServerRoutes(.process)

    private let variables: ProxySettings
    private let desktop: (any DesktopProxies)?
    private let book = Mutex(ProxyBook())

    /// - Parameter desktop: The desktop's settings; nil if they are not asked.
    package init(_ variables: ProxySettings, desktop: (any DesktopProxies)? = nil) {
        (self.variables, self.desktop) = (variables, desktop)
    }

    /// The way to a server.
    func route(to location: ServerLocation) async -> ProxyRoute {
        switch variables.word(for: location) {
        case .direct: return .direct
        case .proxy(let proxy): return .proxy(proxy)
        case .nothing: break
        }
        guard let desktop else { return .direct }
        let (origin, change) = (location.origin, desktop.changes)
        if let known = book.withLock({ $0.route(to: origin, at: .now, change: change) }) { return known }
        let addresses = await desktop.proxies(for: origin)
        return book.withLock { $0.note(addresses, for: origin, at: .now, change: change) }
    }

    /// A server could not be reached by this way.
    func failed(_ route: ProxyRoute, to location: ServerLocation) {
        book.withLock { $0.failed(route, to: location.origin) }
    }
}
