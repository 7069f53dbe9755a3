import Glibc
import RemoteSupport
import Remotes
import Support
import SyncCore
import Synchronization
import Testing

@testable import WebDAV

@Suite("Which way leads to a server, by the desktop's settings")
struct ProxyRouteTests {
    private func shown(_ route: ProxyRoute) -> String {
        switch route {
        case .direct: "direct"
        case .proxy(let proxy): "\(proxy)"
        case .unusable(let address): "unusable \(address)"
        }
    }

    @Test(
        "What the desktop answers is used as far as it can be, in its order",
        arguments: [
            ([], ["direct"]), (["direct://"], ["direct"]),
            (["http://proxy:3128"], ["http://proxy:3128"]),
            (["http://a:1", "direct://"], ["http://a:1", "direct"]),
            (["http://me:hunter2@a:1"], ["http://a:1"]),
            (["socks5://s:1080", "socks4a://s:1080", "socks4://s:1080"], ["socks://s:1080"]),
            (["socks://s"], ["socks://s:1080"]),
            (["socks4://s:1"], ["unusable socks4://s:1"]),
            (["socks4://s:1", "direct://"], ["direct"]),
            (["socks5://me:hunter2@s:1/x"], ["unusable socks5://s:1"]),
            (["https://me:hun@ter2@s:1"], ["unusable https://s:1"]),
            (["http://a:0"], ["unusable http://a:0"]), ([""], ["unusable "]), (["proxy:1"], ["unusable proxy:1"]),
            (["://" + String(repeating: "x", count: 300)], ["unusable " + String(repeating: "x", count: 100)]),
        ] as [([String], [String])])
    func answers(addresses: [String], expected: [String]) {
        #expect(ProxyRoute.routes(addresses).map(shown) == expected)
    }

    // MARK: For how long

    private let origin = "https://cloud.example.org"
    private let start = Instant(nanoseconds: 1_000_000_000_000)
    private var end: Instant { start + Patience.Server.proxies }

    private func route(_ book: ProxyBook, at now: Instant, change: UInt64 = 0) -> String? {
        book.route(to: origin, at: now, change: change).map(shown)
    }

    @Test("An answer counts for a while, for its server, and until the network changes")
    func kept() {
        var book = ProxyBook()
        #expect(route(book, at: start) == nil)
        #expect(shown(book.note(["http://a:1"], for: origin, at: start, change: 0)) == "http://a:1")
        #expect(route(book, at: start) == "http://a:1")
        #expect(book.route(to: "https://other.example.org", at: start, change: 0) == nil)
        #expect(route(book, at: start, change: 1) == nil)
        #expect(route(book, at: end.advanced(by: .nanoseconds(-1))) == "http://a:1")
        #expect(route(book, at: end) == nil)
    }

    @Test("After a failure the next way is used, and after the last one the desktop is asked again")
    func failures() {
        var book = ProxyBook()
        let first = book.note(["http://a:1", "direct://"], for: origin, at: start, change: 0)
        book.failed(first, to: origin)
        // Eight connections fail at the same time.
        book.failed(first, to: origin)
        #expect(route(book, at: start) == "direct")
        book.failed(.direct, to: origin)
        #expect(route(book, at: start) == nil)
        book.failed(.direct, to: origin)
        #expect(route(book, at: start) == nil)
    }

    @Test("Where nobody answers there is no proxy, and it is not asked again at each failure")
    func silence() {
        var book = ProxyBook()
        #expect(book.note(nil, for: origin, at: start, change: 0) == .direct)
        book.failed(.direct, to: origin)
        #expect(route(book, at: start) == "direct")
        #expect(route(book, at: end) == nil)
    }

    // MARK: Who is asked

    /// A desktop, and what it was asked.
    private final class Desktop: DesktopProxies {
        private let state = Mutex((answer: [String]?.none, asked: [String](), changes: UInt64(0)))

        init(_ answer: [String]?) { state.withLock { $0.answer = answer } }

        var asked: [String] { state.withLock { $0.asked } }
        var changes: UInt64 { state.withLock { $0.changes } }

        func change(to answer: [String]?) {
            state.withLock { state in
                state.answer = answer
                state.changes += 1
            }
        }

        func proxies(for origin: String) async -> [String]? {
            state.withLock { state in
                state.asked.append(origin)
                return state.answer
            }
        }
    }

    private func way(_ routes: ServerRoutes, _ address: String) async throws -> String {
        shown(await routes.route(to: try ServerLocation(address)))
    }

    @Test("The desktop is asked once for a server, without the path, and again when the network has changed")
    func asked() async throws {
        let desktop = Desktop(["http://a:1"])
        let routes = ServerRoutes(ProxySettings { _ in nil }, desktop: desktop)
        #expect(try await way(routes, "https://cloud.example.org/private/file") == "http://a:1")
        #expect(try await way(routes, "https://cloud.example.org/other") == "http://a:1")
        #expect(desktop.asked == ["https://cloud.example.org"])
        #expect(try await way(routes, "https://cloud.example.org:8443/") == "http://a:1")
        desktop.change(to: ["direct://"])
        #expect(try await way(routes, "https://cloud.example.org/") == "direct")
        #expect(desktop.asked.count == 3)
    }

    @Test("The desktop is not asked where the variables say something, nor about this computer")
    func notAsked() async throws {
        let desktop = Desktop(["http://a:1"])
        let set = ServerRoutes(
            ProxySettings { ["https_proxy": "b:2", "no_proxy": "example.com"][$0] }, desktop: desktop)
        #expect(try await way(set, "https://cloud.example.org/") == "http://b:2")
        #expect(try await way(set, "https://cloud.example.com/") == "direct")
        let unset = ServerRoutes(ProxySettings { _ in nil }, desktop: desktop)
        #expect(try await way(unset, "http://localhost:80/") == "direct")
        #expect(try await way(unset, "https://127.0.0.1/") == "direct")
        #expect(desktop.asked.isEmpty)
    }

    @Test("A way that failed is not used again, and after the last one the desktop is asked again")
    func failedWays() async throws {
        let desktop = Desktop(["http://a:1", "http://b:2"])
        let routes = ServerRoutes(ProxySettings { _ in nil }, desktop: desktop)
        let server = try ServerLocation("https://cloud.example.org/private/file")
        for expected in ["http://a:1", "http://b:2", "http://a:1"] {
            let way = await routes.route(to: server)
            #expect(shown(way) == expected)
            routes.failed(way, to: server)
        }
        #expect(desktop.asked.count == 2)
    }

    @Test(
        "A client that cannot reach the server has the desktop asked again at its next request",
        arguments: ["http://127.0.0.1:PORT", "socks4://proxy.example.org:1080"])
    func unreachable(proxy: String) async throws {
        // Nobody listens there.
        let (socket, port) = try Loopback.bound()
        defer { close(socket) }
        let desktop = Desktop([proxy.replacing("PORT", with: "\(port)")])
        let client = DAVClient(
            try ServerLocation("https://cloud.example.org/"), credentials: nil, limits: .patient,
            routes: ServerRoutes(ProxySettings { _ in nil }, desktop: desktop), clock: { 0 })
        var asked = 0
        for _ in 0..<2 {
            var failure: DAVFailure?
            do throws(DAVFailure) {
                _ = try await client.read(.root, expecting: nil) { _ in }
            } catch { failure = error }
            #expect(failure?.reason == .unreachable)
            #expect(desktop.asked.count > asked)
            asked = desktop.asked.count
        }
        await client.shutDown()
    }

    // MARK: What is said

    private func sentence(_ detail: DAVFailure.Detail?, _ proxy: String?) throws -> [String] {
        var failure = DAVFailure(.unreachable)
        (failure.detail, failure.proxy) = (detail, proxy)
        let place = try ServerLocation("https://cloud.example.org/")
        return [failure.unreached("https://cloud.example.org/"), ServerTrouble(place).explanation(failure, at: .root)]
            .map { message in
                let code = message.foreignCode.flatMap { WebDAVKind.code($0, message.arguments) }
                return code?.sentence(message.arguments) ?? ""
            }
    }

    @Test("Each failure on the way through a proxy names it; the others do not")
    func words() throws {
        for detail in [nil, .unknownHost, .proxy, .proxyLogin, .proxyUnusable] as [DAVFailure.Detail?] {
            for sentence in try sentence(detail, "http://proxy:3128") {
                #expect(sentence.contains("http://proxy:3128"), "\(String(describing: detail))")
                #expect(sentence.contains("https://cloud.example.org/"), "\(String(describing: detail))")
            }
        }
        for sentence in try sentence(nil, nil) { #expect(!sentence.contains("proxy")) }
    }
}
