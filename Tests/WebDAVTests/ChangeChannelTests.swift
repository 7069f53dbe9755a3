import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import Synchronization
import TestSupport
import Testing

@testable import WebDAV

/// What a server tells of changes, with our own Nextcloud and with servers that say what they like.
@Suite(.serialized) struct ChangeChannelTests {
    /// What was told so far.
    private final class Told: Sendable {
        private let counts = Mutex((opened: 0, changes: 0))

        var opened: Int { counts.withLock { $0.opened } }
        var changes: Int { counts.withLock { $0.changes } }
        func open() { counts.withLock { $0.opened += 1 } }
        func change() { counts.withLock { $0.changes += 1 } }
    }

    private func client(_ address: String, _ credentials: Credentials? = nil) throws -> DAVClient {
        DAVClient(try ServerLocation(address), credentials: credentials, limits: .patient, clock: { Int64(time(nil)) })
    }

    private func put(_ client: DAVClient, _ name: String) async throws {
        _ = try await client.write(
            RelativePath([try #require(EntryName(name))]), length: 1, parts: OneBuffer("x"), if: .none)
    }

    @Test("To stop does not wait for a server that says nothing")
    func silent() async throws {
        let server = try ScriptedServer([.beSilent])
        let client = try client(server.address, Credentials(user: "user", password: "secret"))
        let channel = ChangeChannel(client: client, place: RelativePath([EntryName.constant("push")]))
        let told = Told()
        let task = Task {
            // Also at the end, for which the test does not wait for ever.
            defer { told.open() }
            try await channel.listen(opened: told.open, changed: told.change)
        }
        try await eventually("a request") { !server.requests.isEmpty }
        task.cancel()
        try await eventually("it ends") { told.opened == 1 }
        await #expect(throws: DAVFailure(.cancelled)) { try await task.value }
        await client.shutDown()
    }

    @Test("A change is told at once", .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func told() async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(#"{"notify-push": true}"#)
        let client = try server.client()
        let channel = try #require(try await ChangeChannel.find(for: client))
        let told = Told()
        let task = Task { try await channel.listen(opened: told.open, changed: told.change) }
        try await eventually("the channel opens") { told.opened == 1 }
        #expect(told.changes == 0)
        try await put(client, "a")
        try await eventually("a change is told") { told.changes > 0 }
        task.cancel()
        await #expect(throws: DAVFailure(.cancelled)) { try await task.value }
        await client.shutDown()
    }

    @Test(
        "A connection over which nothing comes any more ends",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func lost() async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(#"{"notify-push": true}"#)
        let client = try server.client()
        let place = RelativePath([EntryName.constant("push"), .constant("ws")])
        let channel = ChangeChannel(client: client.at([]), place: place, checkedEvery: .milliseconds(500))
        let told = Told()
        let task = Task { try await channel.listen(opened: told.open, changed: told.change) }
        try await eventually("the channel opens") { told.opened == 1 }
        try await server.whileFrozen { try await task.value }
        await client.shutDown()
    }

    @Test(
        "A connection ends with its login", .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func loggedOut() async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(#"{"notify-push": true}"#)
        let login = EndingLogin()
        let client = DAVClient(
            try ServerLocation(server.address), login: login, limits: .patient, pace: TransferPace(),
            clock: { Int64(time(nil)) })
        let channel = try #require(try await ChangeChannel.find(for: client))
        let told = Told()
        let task = Task { try await channel.listen(opened: told.open, changed: told.change) }
        try await eventually("the channel opens") { told.opened == 1 }
        login.end()
        try await task.value
        await client.shutDown()
    }

    /// A login that the test ends.
    private struct EndingLogin: CredentialSource {
        private let stream = AsyncStream<Never>.makeStream()

        func credentials() -> Credentials? { Credentials(user: TestServer.user, password: TestServer.password) }
        func refused(_ credentials: Credentials?) -> DAVFailure { DAVFailure(.loginRefused, status: 401) }
        func ends() async { for await _ in stream.stream {} }
        func end() { stream.continuation.finish() }
    }

    @Test(
        "A server that tells nothing, and one that is none of these, is told apart from one that is away",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func none() async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        #expect(try await ChangeChannel.find(for: client) == nil)
        await client.shutDown()
        let other = try ScriptedServer([ScriptedServer.answer("404 Not Found")])
        let stranger = try self.client(other.address + "dav")
        #expect(try await ChangeChannel.find(for: stranger) == nil)
        await stranger.shutDown()
        let (descriptor, port) = try Loopback.bound()
        let away = try self.client("http://127.0.0.1:\(port)/")
        await #expect(throws: DAVFailure.self) { _ = try await ChangeChannel.find(for: away) }
        await away.shutDown()
        close(descriptor)
    }

    @Test(
        "A login that is not taken opens nothing, and a connection that ends says so",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func refused() async throws {
        var server: TestServer? = try TestServer(.nextcloud)
        try CloudControl(try #require(server)).set(#"{"notify-push": true}"#)
        let place = RelativePath([EntryName.constant("push"), .constant("ws")])
        let stranger = try #require(server).client(password: "wrong")
        let refused = ChangeChannel(client: stranger.at([]), place: place)
        await #expect(throws: DAVFailure(.denied)) { try await refused.listen(opened: {}, changed: {}) }
        await stranger.shutDown()
        let client = try #require(server).client()
        let channel = try #require(try await ChangeChannel.find(for: client))
        let told = Told()
        let task = Task { try await channel.listen(opened: told.open, changed: told.change) }
        try await eventually("the channel opens") { told.opened == 1 }
        server = nil
        try await task.value
        await client.shutDown()
    }

    @Test(
        "Only a place on the server itself is listened to",
        arguments: [
            "wss://elsewhere.example/push/ws", "ws://127.0.0.1:1/push/ws", "https://127.0.0.1/push", "", "ws://", "x",
            "ws://user:secret@127.0.0.1/push",
        ])
    func elsewhere(_ address: String) async throws {
        let body = #"{"ocs": {"data": {"capabilities": {"notify_push": {"endpoints": {"websocket": "\#(address)"}}}}}}"#
        let server = try ScriptedServer([ScriptedServer.answer("200 OK", [], body)])
        let client = try self.client(server.address)
        #expect(try await ChangeChannel.find(for: client) == nil)
        await client.shutDown()
        withExtendedLifetime(server) {}
    }

    @Test(
        "What is no WebSocket is refused",
        arguments: ["200 OK", "101 Switching Protocols", "403 Forbidden", "502 Bad Gateway"])
    func noSocket(_ status: String) async throws {
        let server = try ScriptedServer([ScriptedServer.answer(status)])
        let client = try self.client(server.address, Credentials(user: "user", password: "secret"))
        let channel = ChangeChannel(client: client, place: RelativePath([EntryName.constant("ws")]))
        await #expect(throws: DAVFailure.self) { try await channel.listen(opened: {}, changed: {}) }
        // Nothing of the login was sent.
        #expect(server.requests.allSatisfy { !$0.contains("secret") })
        await client.shutDown()
    }
}
