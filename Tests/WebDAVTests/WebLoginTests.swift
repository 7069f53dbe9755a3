import Glibc
import RemoteSupport
import Remotes
import SyncCore
import TestSupport
import Testing

@testable import WebDAV

/// Logins in a browser, with our own Nextcloud and with servers that say what they like.
@Suite(.serialized) struct WebLoginTests {
    private func client(_ address: String, _ credentials: Credentials? = nil) throws -> DAVClient {
        DAVClient(try ServerLocation(address), credentials: credentials, limits: .patient, clock: { Int64(time(nil)) })
    }

    private static let folder = "/remote.php/dav/files/user"

    private static func begun(page: String, endpoint: String) -> String {
        #"{"poll":{"token":"t&1","endpoint":"\#(endpoint)"},"login":"\#(page)"}"#
    }

    @Test(
        "What the server gives once the person has agreed lets this computer in",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func granted() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try client(server.address)
        let login = try #require(try await WebLogin.begin(client))
        #expect(login.page.hasPrefix("http://127.0.0.1:\(control.port)/") && login.page.contains("/login/v2/flow/"))
        let waiting = Task { try await login.wait(asking: .milliseconds(10)) { true } }
        try control.set(#"{"throttle": {"status": 503, "after": 0, "method": "POST", "count": 1}}"#)
        try control.grant()
        let granted = try #require(try await waiting.value)
        #expect(granted.user == TestServer.user && !granted.password.isEmpty)
        #expect(!"\(granted)".contains(granted.password) && Mirror(reflecting: granted).children.isEmpty)
        let own = try self.client(server.address, Credentials(user: granted.user, password: granted.password))
        try await own.properties(of: .root, isDirectory: true, depth: .item, [.resourceType]) { _ in }
        await own.shutDown()
        await client.shutDown()
    }

    @Test("Whoever has gone asks no more")
    func unwanted() async throws {
        let page = ScriptedServer.answer("404 Not Found", [], "[]")
        let server = try ScriptedServer([page])
        let client = try client(server.address)
        let text = Self.begun(page: server.address + "login/v2/flow/f", endpoint: server.address + "login/v2/poll")
        let login = try #require(WebLogin(Array(text.utf8), client.at([])))
        let asked = try await login.wait(asking: .milliseconds(10)) { server.requests.count < 3 }
        #expect(asked == nil && server.requests.count == 3)
        await client.shutDown()
    }

    @Test(
        "A server that is away for a moment is asked again; what refuses is not",
        arguments: [("503 Busy", true), ("502 Bad Gateway", true), ("403 Forbidden", false), ("301 Moved", false)])
    func away(status: String, isAskedAgain: Bool) async throws {
        let server = try ScriptedServer(inTurn: [
            ScriptedServer.answer(status, ["Retry-After: 0", "Location: http://127.0.0.1:9/"]),
            ScriptedServer.answer("200 OK", [], #"{"server":"x","loginName":"me","appPassword":"p"}"#),
        ])
        let client = try client(server.address)
        let text = Self.begun(page: server.address + "page", endpoint: server.address + "poll")
        let login = try #require(WebLogin(Array(text.utf8), client.at([])))
        let granted = try? await login.wait(asking: .milliseconds(10)) { server.requests.count < 20 }
        #expect((granted?.user == "me") == isAskedAgain)
        // The token goes in the body, of which no log and no other program sees anything.
        #expect(server.requests.allSatisfy { !$0.contains("t%261") || $0.hasSuffix("token=t%261") })
        await client.shutDown()
    }

    @Test("A page or a place elsewhere is none")
    func elsewhere() async throws {
        let secure = try client("https://cloud.example.org/nextcloud\(Self.folder)")
        let own = "https://cloud.example.org/nextcloud/"
        let read: (String, String) -> WebLogin? = { page, endpoint in
            WebLogin(Array(Self.begun(page: page, endpoint: endpoint).utf8), secure.at([]))
        }
        #expect(read(own + "flow/1?lang=de", own + "poll")?.page == own + "flow/1?lang=de")
        // Behind a proxy that encrypts, servers take themselves for unencrypted ones.
        let plain = "http://cloud.example.org/nextcloud/"
        #expect(read(plain + "flow/1", plain + "poll")?.page == own + "flow/1")
        let others = [
            "https://cloud.example.org.evil.example/x", "https://evil.example/x", "https://cloud.example.org:8443/x",
            "javascript:alert(1)", "file:///etc/passwd", "https://cloud.example.org/a b",
            "https://me@cloud.example.org/", "",
        ]
        for other in others {
            #expect(read(other, own + "poll") == nil, "\(other)")
            #expect(read(own + "flow/1", other) == nil, "\(other)")
        }
        await secure.shutDown()
    }

    @Test(
        "Another server has no page",
        arguments: [
            ("404 Not Found", ""), ("405 Not Allowed", "no"), ("401 Unauthorized", ""), ("200 OK", "<html>"),
            ("200 OK", "{}"), ("302 Found", ""), ("500 Error", ""),
        ])
    func none(status: String, body: String) async throws {
        let server = try ScriptedServer([ScriptedServer.answer(status, [], body)])
        let client = try client(server.address + "nextcloud" + Self.folder)
        #expect(try await WebLogin.begin(client) == nil)
        let asked = server.requests.map { $0.prefix { !$0.isNewline } }
        #expect(asked == ["POST /nextcloud/index.php/login/v2 HTTP/1.1"])
        #expect(server.requests.allSatisfy { !$0.lowercased().contains("authorization") })
        await client.shutDown()
    }

    @Test("A server that cannot be reached is not taken for another one")
    func unreachable() async throws {
        let (descriptor, port) = try Loopback.bound()
        let client = try client("http://127.0.0.1:\(port)/")
        await #expect(throws: DAVFailure.self) { _ = try await WebLogin.begin(client) }
        await client.shutDown()
        close(descriptor)
    }

    @Test("An answer without end is none")
    func endless() async throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 200 OK\r\n\r\n"),
            .repeatForever(String(repeating: "x", count: 65_536), pauseMilliseconds: 0),
        ])
        let client = try client(server.address)
        await #expect(throws: DAVFailure.self) { _ = try await WebLogin.begin(client) }
        await client.shutDown()
    }
}
