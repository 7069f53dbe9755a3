import Glibc
import NIOCore
import RemoteSupport
import SyncCore
import Synchronization
import TestSupport
import Testing
import WebDAV

/// A faithful client on a faulty wire: what is not certain is a failure, and nothing is sent to anybody else.
struct WireTroubleTests {
    private func client(
        _ address: String, _ change: (inout DAVLimits) -> Void = { _ in }
    ) throws -> DAVClient {
        var limits = DAVLimits.patient
        change(&limits)
        return DAVClient(
            try ServerLocation(address), credentials: Credentials(user: "user", password: "secret"), limits: limits,
            clock: { 1_700_000_000 })
    }

    /// Asks for a listing and gives why that failed; nil if it did not.
    private func failure(_ client: DAVClient) async -> DAVFailure? {
        var found: DAVFailure?
        do throws(DAVFailure) {
            try await client.properties(of: .root, isDirectory: true, depth: .entries, [.resourceType]) { _ in }
        } catch { found = error }
        await client.shutDown()
        return found
    }

    private static let start =
        #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href></d:response>"#

    @Test
    func whole() async throws {
        let server = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], Self.start + "</d:multistatus>")]
        )
        #expect(await failure(try client(server.address)) == nil)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("PROPFIND / HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("depth: 1\r\n"))
        #expect(request.contains("Basic dXNlcjpzZWNyZXQ="))
    }

    /// Neither the request nor the credentials go to where a server sends.
    @Test(arguments: ["301 Moved", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"])
    func redirected(_ status: String) async throws {
        let other = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], Self.start + "</d:multistatus>")])
        let server = try ScriptedServer([ScriptedServer.answer(status, ["Location: \(other.address)"])])
        #expect(await failure(try client(server.address))?.reason == .movedElsewhere)
        #expect(other.requests.isEmpty)
    }

    @Test
    func cutOff() async throws {
        let lost = try ScriptedServer([.send("HTTP/1.1 207 Multi-Status\r\nContent-Length: 900\r\n\r\n" + Self.start)])
        #expect(await failure(try client(lost.address)) != nil)
        let truncated = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], Self.start)])
        #expect(await failure(try client(truncated.address))?.reason == .malformed)
        let trailing = try ScriptedServer([
            ScriptedServer.answer("207 Multi-Status", [], Self.start + "</d:multistatus>Internal Server Error")
        ])
        #expect(await failure(try client(trailing.address))?.reason == .malformed)
    }

    /// The page of a hotel's network is no empty directory.
    @Test
    func foreign() async throws {
        let page = try ScriptedServer([ScriptedServer.answer("200 OK", ["Content-Type: text/html"], "<html/>")])
        #expect(await failure(try client(page.address))?.reason == .malformed)
        let other = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], "<html/>")])
        #expect(await failure(try client(other.address))?.reason == .malformed)
    }

    @Test(
        arguments: [
            ("401 Unauthorized", [], .loginNeeded), ("403 Forbidden", [], .denied), ("404 Not Found", [], .notFound),
            ("412 Precondition Failed", [], .conditionFailed), ("423 Locked", [], .locked),
            ("507 Insufficient Storage", [], .noSpace), ("500 Internal Server Error", [], .refused),
            ("429 Too Many Requests", ["Retry-After: 17"], .throttled(seconds: 17)),
            ("503 Unavailable", [], .throttled(seconds: nil)),
            ("503 Unavailable", ["Retry-After: Tue, 14 Nov 2023 22:14:20 GMT"], .throttled(seconds: 60)),
            ("503 Unavailable", ["Retry-After: Tue, 14 Nov 2000 22:14:20 GMT"], .throttled(seconds: 0)),
            ("429 Too Many Requests", ["Retry-After: 99999999999999999999"], .throttled(seconds: 86_400)),
            ("429 Too Many Requests", ["Retry-After: -1"], .throttled(seconds: nil)),
        ] as [(String, [String], DAVFailure.Reason)])
    func refused(_ status: String, _ headers: [String], _ reason: DAVFailure.Reason) async throws {
        let server = try ScriptedServer([ScriptedServer.answer(status, headers, "why")])
        #expect(await failure(try client(server.address))?.reason == reason)
    }

    /// A server that accepts and says nothing, and one that says a little again and again: both end at the deadline.
    @Test
    func slow() async throws {
        let silent = try ScriptedServer([.beSilent])
        #expect(await failure(try client(silent.address) { $0.wholeListing = .milliseconds(300) })?.reason == .silent)
        #expect(await failure(try client(silent.address) { $0.silence = .milliseconds(300) })?.reason == .silent)
        let dripping = try ScriptedServer([
            .send("HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n" + Self.start),
            .repeatForever(" ", pauseMilliseconds: 20),
        ])
        #expect(await failure(try client(dripping.address) { $0.wholeListing = .milliseconds(500) })?.reason == .silent)
    }

    @Test
    func endless() async throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n" + Self.start),
            .repeatForever("<d:response><d:href>/a</d:href></d:response>", pauseMilliseconds: 0),
        ])
        #expect(await failure(try client(server.address) { $0.listing = 200_000 })?.reason == .malformed)
    }

    @Test
    func endlessItem() async throws {
        let server = try ScriptedServer([
            .send("HTTP/1.1 207 Multi-Status\r\nConnection: close\r\n\r\n" + Self.start + "<d:response x=\""),
            .repeatForever(String(repeating: "a", count: 1_000), pauseMilliseconds: 0),
        ])
        #expect(await failure(try client(server.address) { $0.item = 200_000 })?.reason == .malformed)
    }

    @Test
    func cancelled() async throws {
        let server = try ScriptedServer([.beSilent])
        let client = try client(server.address)
        let task = Task { await failure(client) }
        try await eventually("a request") { !server.requests.isEmpty }
        task.cancel()
        #expect(await task.value?.reason == .cancelled)
    }

    /// Whatever closes the connections that are kept, the server is there, and the next request reaches it.
    @Test
    func keptConnectionsClose() async throws {
        let count = 8
        let heard = Mutex(0)
        let listing = ScriptedServer.answer("207 Multi-Status", [], Self.start + "</d:multistatus>", keepsOpen: true)
        // None is answered before all are there, so that each has a connection of its own.
        let server = try ScriptedServer { _ in
            heard.withLock { $0 += 1 }
            return [.await { heard.withLock { $0 } >= count }, listing, .hear]
        }
        let client = try client(server.address)
        let failures = Mutex<[DAVFailure]>([])
        let list: @Sendable () async -> Void = {
            do throws(DAVFailure) {
                try await client.properties(of: .root, isDirectory: true, depth: .entries, [.resourceType]) { _ in }
            } catch { failures.withLock { $0.append(error) } }
        }
        await withTaskGroup { group in
            for _ in 0..<count { group.addTask { await list() } }
        }
        await list()
        await client.shutDown()
        #expect(failures.withLock { $0 } == [])
        #expect(server.requests.count == 2 * count + 1)
    }

    /// What ends a server, such as a listing that is too large for it, is not asked for again and again.
    @Test
    func silentEnd() async throws {
        let server = try ScriptedServer([])
        #expect(await failure(try client(server.address))?.reason == .unreachable)
        #expect(server.requests.count == 2)
    }

    @Test
    func nobodyThere() async throws {
        let (descriptor, port) = try Loopback.bound()
        defer { close(descriptor) }
        // Bound, and nobody listens.
        #expect(await failure(try client("http://127.0.0.1:\(port)/"))?.reason == .unreachable)
    }

    /// A part that is not the one that was asked for, or other contents than were meant, are not taken.
    @Test
    func wrongContents() async throws {
        func read(_ step: ScriptedServer.Step, from start: Int64) async throws -> DAVFailure.Reason? {
            let server = try ScriptedServer([step])
            let client = try client(server.address)
            let path = RelativePath([try #require(EntryName("a"))])
            var reason: DAVFailure.Reason?
            do throws(DAVFailure) {
                _ = try await client.read(path, from: start, expecting: EntityTag(Array("\"1\"".utf8))) { _ in }
            } catch { reason = error.reason }
            await client.shutDown()
            return reason
        }
        let tag = "ETag: \"1\""
        #expect(try await read(ScriptedServer.answer("200 OK", [tag], "abc"), from: 0) == nil)
        #expect(try await read(ScriptedServer.answer("200 OK", ["ETag: \"2\""], "abc"), from: 0) == .conditionFailed)
        #expect(try await read(ScriptedServer.answer("200 OK", [tag], "abc"), from: 2) == .malformed)
        let range = "Content-Range: bytes 2-2/3"
        #expect(try await read(ScriptedServer.answer("206 Partial Content", [tag, range], "c"), from: 2) == nil)
        #expect(try await read(ScriptedServer.answer("206 Partial Content", [tag, range], "c"), from: 1) == .malformed)
        #expect(try await read(ScriptedServer.answer("206 Partial Content", [tag, range], "c"), from: 0) == .malformed)
        #expect(try await read(.send("HTTP/1.1 200 OK\r\n\(tag)\r\nContent-Length: 9\r\n\r\nabc"), from: 0) != nil)
    }

    /// A directory of which a part was removed is not removed, nor is one that will be removed some day.
    @Test(arguments: [207, 202])
    func doneInPart(_ status: Int) async throws {
        let body =
            #"<d:multistatus xmlns:d="DAV:"><d:response><d:href>/a/b</d:href><d:status>HTTP/1.1 423 Locked</d:status></d:response></d:multistatus>"#
        let server = try ScriptedServer([ScriptedServer.answer("\(status) Hm", [], body)])
        let client = try client(server.address)
        var failure: DAVFailure?
        do throws(DAVFailure) { _ = try await client.remove(.root, isDirectory: true, if: .none) } catch {
            failure = error
        }
        await client.shutDown()
        #expect(failure == DAVFailure(.refused, status: status))
    }

    /// A server that answers HEAD with a body says nothing about the request after it.
    @Test
    func bodyOfAHead() async throws {
        let page = "HTTP/1.1 200 OK\r\nETag: \"false\"\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer([
            .send("HTTP/1.1 404 Not Found\r\nContent-Length: \(page.utf8.count)\r\n\r\n" + page)
        ])
        let client = try client(server.address)
        for _ in 0..<20 {
            var reason: DAVFailure.Reason?
            do throws(DAVFailure) { _ = try await client.look(.root) } catch { reason = error.reason }
            #expect(reason == .notFound)
        }
        await client.shutDown()
        #expect(server.requests.count == 20)
        #expect(server.requests.allSatisfy { $0.lowercased().contains("connection: close\r\n") })
    }

    /// Whatever prints them, credentials do not show.
    @Test
    func secret() {
        let credentials = Credentials(user: "user", password: "secret")
        var dumped = ""
        dump(credentials, to: &dumped)
        for text in [dumped, "\(credentials)", String(reflecting: credentials)] {
            #expect(!text.contains("secret") && !text.contains("user"))
        }
    }
}
