internal import DBus
internal import Remotes
internal import Support
internal import Synchronization

/// Asks the desktop's portal which proxies lead to a server
/// (<https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.ProxyResolver.html>); connects to the
/// bus when that is needed for the first time. Does not poll: the portal's signals tell of other networks.
final class ProxyPortal: DesktopProxies {
    private static let name = "org.freedesktop.portal.Desktop"
    private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let resolver = "org.freedesktop.portal.ProxyResolver"
    private static let monitor = "org.freedesktop.portal.NetworkMonitor"
    /// The most addresses of an answer that are looked at.
    private static let most = 16

    private let line: PortalLine
    private let counter = ChangeCounter()

    /// - Parameter address: The address of the session's bus.
    init(on address: BusAddress = .session) { line = PortalLine(address) }

    var changes: UInt64 { counter.value }

    func proxies(for origin: String) async -> [String]? {
        do {
            let bus = try await line.open { [counter] bus in try Self.follow(bus, counter) }
            let found = try await bus.call(
                Self.name, Self.path, Self.resolver, "Lookup", timeout: Patience.Server.proxyAnswer,
                write: { try $0.append(origin + "/") }, read: { try $0.readStringArray() })
            return Array(found.prefix(Self.most))
        } catch {
            log(.debug, "the desktop does not say which proxy leads to a server: \(error)")
            return nil
        }
    }

    /// Counts what the portal tells of the network, and whoever is the portal from then on.
    private static func follow(_ bus: AsyncConnection, _ counter: ChangeCounter) throws {
        let networks = try bus.signals(
            MatchRule(sender: name, path: path, interface: monitor, member: "changed"), buffering: 1)
        Task { for await _ in networks { counter.add() } }
        let owners = bus.owners(of: name)
        Task { for await _ in owners { counter.add() } }
    }
}

/// A number that only grows.
private final class ChangeCounter: Sendable {
    private let number = Atomic<UInt64>(0)

    var value: UInt64 { number.load(ordering: .relaxed) }

    func add() { number.add(1, ordering: .relaxed) }
}

/// The connection to the bus, which is opened once, and again when it was lost.
private actor PortalLine {
    private let address: BusAddress
    private var opening: Task<AsyncConnection, any Error>?

    init(_ address: BusAddress) { self.address = address }

    /// - Parameter begin: Called with each new connection.
    func open(_ begin: @escaping @Sendable (AsyncConnection) throws -> Void) async throws -> AsyncConnection {
        if let opening { return try await opening.value }
        let task = Task { [address] in
            let bus = try await AsyncConnection.open(address)
            try begin(bus)
            return bus
        }
        opening = task
        do {
            let bus = try await task.value
            Task {
                await bus.waitUntilDisconnected()
                opening = nil
            }
            return bus
        } catch {
            opening = nil
            throw error
        }
    }
}
