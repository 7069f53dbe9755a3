import Glibc
import RemoteSupport
import Remotes
import SyncCore
import SyncEngine
import Synchronization
import TestSupport
import Testing
import WebDAV

/// What a remote makes of listings and of servers that do not answer: nothing follows from what is not certain.
struct ServerListingTests {
    private static func item(_ reference: String, _ properties: String) -> String {
        """
        <d:response><d:href>\(reference)</d:href><d:propstat><d:prop>\(properties)</d:prop>\
        <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        """
    }

    private static let collection = "<d:resourcetype><d:collection/></d:resourcetype>"
    private static let file =
        "<d:resourcetype/><d:getcontentlength>3</d:getcontentlength><d:getetag>\"t\"</d:getetag>"

    private func client(_ address: String) throws -> DAVClient {
        DAVClient(try ServerLocation(address), credentials: nil, limits: .patient, clock: { 1_700_000_000 })
    }

    private func remote(
        _ body: String, weakTagsStay: Bool = false
    ) throws -> (ScriptedServer, DAVClient, WebDAVRemote) {
        let text = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + body
        let server = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], text)])
        let client = try client(server.address + "a")
        var traits = ServerTraits()
        (traits.listsTags, traits.tellsQuickWrites, traits.weakTagsStay) = (true, true, weakTagsStay)
        return (server, client, WebDAVRemote(client, traits: traits, owner: try #require(EntryName("test"))))
    }

    private func list(
        _ body: String, weakTagsStay: Bool = false
    ) async throws -> Result<ListingPage, EffectFailure> {
        let (server, client, remote) = try remote(body, weakTagsStay: weakTagsStay)
        let result: Result<ListingPage, EffectFailure>
        do throws(EffectFailure) {
            result = .success(try await remote.list(.root, ListingPart(identity: .none)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        withExtendedLifetime(server) {}
        return result
    }

    @Test("entries, without what is the engine's")
    func whole() async throws {
        let page = try await list(
            Self.item("/a/", Self.collection) + Self.item("/a/f", Self.file) + Self.item("/a/d/", Self.collection)
                + Self.item("/a/.roundel/", Self.collection) + "</d:multistatus>"
        ).get()
        let kinds = Dictionary(uniqueKeysWithValues: page.entries.map { ($0.name.description, $0.kind) })
        #expect(kinds == ["f": .file, "d": .directory])
        #expect(page.isComplete)
        #expect(page.entries.first { $0.kind == .file }?.version.size == 3)
    }

    @Test("the weak tag of a moment ago proves nothing, whatever the server makes of it", arguments: [false, true])
    func weakTags(_ stay: Bool) async throws {
        let weak = Self.file.replacing(#""t""#, with: #"W/"t""#)
        let page = try await list(
            Self.item("/a/", Self.collection) + Self.item("/a/f", Self.file) + Self.item("/a/g", weak)
                + "</d:multistatus>", weakTagsStay: stay
        ).get()
        #expect(page.entries.map(\.version.isRacy) == [false, true])
        #expect(Set(page.entries.map(\.version.tag)).count == 1)
    }

    @Test("an item of which nothing is said leaves a listing incomplete")
    func incomplete() async throws {
        let hidden = "<d:response><d:href>/a/x</d:href><d:status>HTTP/1.1 403 Forbidden</d:status></d:response>"
        let page = try await list(Self.item("/a/", Self.collection) + hidden + "</d:multistatus>").get()
        #expect(page.entries.isEmpty && !page.isComplete)
    }

    @Test(
        "a length that no file has is nothing that could be synced, and the others are told",
        arguments: [1 << 53, .max])
    func lengths(_ length: Int64) async throws {
        func file(_ length: Int64) -> String { Self.file.replacing(">3<", with: ">\(length)<") }
        let page = try await list(
            Self.item("/a/", Self.collection) + Self.item("/a/f", file(1 << 53)) + Self.item("/a/g", file(length))
                + "</d:multistatus>"
        ).get()
        #expect(page.entries.count == (length == 1 << 53 ? 2 : 1))
        #expect(page.isComplete == (length == 1 << 53))
        #expect(page.entries.first?.version.size == 1 << 53)
    }

    @Test("a time beyond those that can be told is the last of them")
    func times() async throws {
        let late = Self.file + "<d:getlastmodified>Fri, 11 Apr 2262 23:47:17 GMT</d:getlastmodified>"
        let page = try await list(
            Self.item("/a/", Self.collection) + Self.item("/a/f", late) + "</d:multistatus>"
        ).get()
        #expect(page.entries.map(\.version.modified) == [.max])
    }

    @Test("what cannot get its name is not uploaded for it")
    func hiddenName() async throws {
        let server = try ScriptedServer([.beSilent])
        let client = try client(server.address)
        var traits = ServerTraits()
        traits.hidesDotFiles = true
        let remote = WebDAVRemote(client, traits: traits, owner: try #require(EntryName("test")))
        let path = RelativePath([try #require(EntryName(".hidden"))])
        let failure = await #expect(throws: EffectFailure.self) {
            _ = try await remote.stage(StageID(1), from: MemorySource([1]), near: path) { _ in true }
        }
        #expect(failure?.reason == .nameClash)
        await client.shutDown()
        #expect(server.requests.isEmpty)
    }

    @Test(
        "a transfer has as many bytes as the listing said, also where the answer does not tell how many follow",
        arguments: [("ab", EffectFailure.Reason.putOff), ("abc", nil), ("abcd", .io)])
    func withoutLength(_ body: String, _ reason: EffectFailure.Reason?) async throws {
        let server = try ScriptedServer([.send("HTTP/1.1 200 OK\r\nETag: \"t\"\r\nConnection: close\r\n\r\n" + body)])
        let client = try client(server.address)
        var traits = ServerTraits()
        (traits.listsTags, traits.tellsQuickWrites, traits.writesAtOnce) = (true, true, true)
        let remote = WebDAVRemote(client, traits: traits, owner: try #require(EntryName("test")))
        let version = Version(identity: .none, tag: Token(Array("t".utf8)), size: 3)
        var read: [UInt8] = []
        let result: Result<Version, EffectFailure>
        do throws(EffectFailure) {
            let source = try await remote.open(RelativePath([EntryName.constant("f")]), expecting: version)
            result = .success(try await ContentTransfer.run(source, leaveOut: { _ in }, write: { read += $0 }).version)
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        withExtendedLifetime(server) {}
        switch result {
        case .success(let found): #expect(reason == nil && found == version && read == Array("abc".utf8))
        case .failure(let failure): #expect(failure.reason == reason)
        }
    }

    @Test("what another client writes in the moment of a move shows as a change")
    func movedMeanwhile() async throws {
        func found(_ tag: String) -> ScriptedServer.Step {
            let item = Self.item(tag == "t" ? "/a" : "/b", Self.file.replacing(#""t""#, with: "\"\(tag)\""))
            let body = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + item + "</d:multistatus>"
            return ScriptedServer.answer("207 Multi-Status", [], body)
        }
        let server = try ScriptedServer(inTurn: [found("t"), ScriptedServer.answer("201 Created"), found("other")])
        let client = try client(server.address)
        var traits = ServerTraits()
        (traits.listsTags, traits.tellsQuickWrites, traits.keepsTagInMoves) = (true, true, true)
        traits.honoursOverwrite = true
        let remote = WebDAVRemote(client, traits: traits, owner: try #require(EntryName("test")))
        let version = Version(identity: .none, tag: Token(Array("t".utf8)), size: 3)
        let moved = try? await remote.move(
            RelativePath([EntryName.constant("a")]), to: RelativePath([EntryName.constant("b")]), kind: .file,
            expecting: version)
        await client.shutDown()
        withExtendedLifetime(server) {}
        #expect(moved == version)
    }

    @Test("a lock that makes an empty file, where one has just gone, leaves none")
    func lockOfNothing() async throws {
        let item = Self.item("/a", Self.file)
        let body = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + item + "</d:multistatus>"
        let server = try ScriptedServer(inTurn: [
            ScriptedServer.answer("207 Multi-Status", [], body),
            ScriptedServer.answer("201 Created", ["Lock-Token: <opaquelocktoken:1>"]),
            ScriptedServer.answer("204 No Content"), ScriptedServer.answer("409 Conflict"),
        ])
        let client = try client(server.address)
        var traits = ServerTraits()
        (traits.listsTags, traits.tellsQuickWrites, traits.locks) = (true, true, true)
        let remote = WebDAVRemote(client, traits: traits, owner: try #require(EntryName("test")))
        let failure = await #expect(throws: EffectFailure.self) {
            try await remote.remove(
                RelativePath([EntryName.constant("a")]), kind: .file,
                expecting: Version(identity: .none, tag: Token(Array("t".utf8)), size: 3))
        }
        await client.shutDown()
        #expect(failure?.reason == .notFound)
        #expect(server.requests.map { $0.prefix { $0 != " " } } == ["PROPFIND", "LOCK", "DELETE", "UNLOCK"])
    }

    @Test(
        "a listing that is not one is a failure",
        arguments: [
            // Cut off.
            item("/a/", collection) + item("/a/f", file),
            // Of something else.
            item("/b/", collection) + item("/b/f", file) + "</d:multistatus>",
            // Deeper than was asked.
            item("/a/", collection) + item("/a/d/f", file) + "</d:multistatus>",
            // Without the collection itself.
            item("/a/f", file) + "</d:multistatus>",
            // One name twice, in two spellings.
            item("/a/", collection) + item("/a/f", file) + item("/a/%66", file) + "</d:multistatus>",
            // A file without a length.
            item("/a/", collection) + item("/a/f", "<d:resourcetype/>") + "</d:multistatus>",
            // A name that is none.
            item("/a/", collection) + item("/a/x%2Fy", file) + "</d:multistatus>",
            "</d:multistatus>",
        ])
    func mistakes(_ body: String) async throws {
        let result = try await list(body)
        guard case .failure(let failure) = result else {
            Issue.record("taken for a listing: \(result)")
            return
        }
        #expect(failure.reason == .io)
    }

    @Test("what somebody else makes in the same moment is there, and what is left from before is in nobody's way")
    func madeAtOnce() async throws {
        @Sendable func collection(_ path: String) -> ScriptedServer.Step {
            let body = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + Self.item(path, Self.collection)
            return ScriptedServer.answer("207 Multi-Status", [], body + "</d:multistatus>")
        }
        let mark = "0123456789abcdef0123456789abcdef"
        let isMarked = Mutex(false)
        let server = try ScriptedServer { request in
            let words = request.split(separator: " ", maxSplits: 2).map(String.init)
            switch words[0] {
            case "GET" where isMarked.withLock { $0 }: return [ScriptedServer.answer("200 OK", [], mark)]
            case "GET": return [ScriptedServer.answer("404 Not Found")]
            case "MKCOL": return [ScriptedServer.answer("403 Forbidden")]
            case "PROPFIND" where request.contains("Depth: 0"): return [collection(words[1] + "/")]
            // Neither what earlier runs left nor the collections of interrupted probes are told.
            case "PROPFIND": return [ScriptedServer.answer("207 Multi-Status", [], "<no listing>")]
            default:
                isMarked.withLock { $0 = words[0] == "MOVE" }
                return [ScriptedServer.answer("201 Created")]
            }
        }
        let client = try client(server.address + "a")
        let remote = WebDAVRemote(client, traits: ServerTraits(), owner: try #require(EntryName("test")))
        let known = RootIdentity(mark: mark, inode: 0, born: 0, keepsInode: false).token
        let marked: Result<Token, EffectFailure>
        do throws(EffectFailure) { marked = .success(try await remote.mark(knownAs: known)) } catch {
            marked = .failure(error)
        }
        await client.shutDown()
        #expect(marked == .success(known))
        let made = server.requests.filter { $0.hasPrefix("MKCOL") }.map { $0.split(separator: " ")[1] }
        #expect(made == ["/a/.roundel/", "/a/.roundel/test/", "/a/.roundel/test/staging/"])
        // What nobody told of is looked for, all the same.
        #expect(server.requests.count { $0.contains("Depth: 1") } == 2)
        withExtendedLifetime(server) {}
    }

    @Test("to stop does not wait for a server that does not answer")
    func stopping() async throws {
        let server = try ScriptedServer([.beSilent])
        var limits = DAVLimits()
        // Longer than the test waits.
        (limits.connection, limits.silence, limits.answer) = (.seconds(3_000), .seconds(3_000), .seconds(3_000))
        let client = DAVClient(
            try ServerLocation(server.address), credentials: nil, limits: limits, clock: { 1_700_000_000 })
        let folder = try ServerFolder(client, traits: ServerTraits())
        try await eventually("a request") { !server.requests.isEmpty }
        try await folder.stop()
        await client.shutDown()
    }

    @Test("a server that is gone is said to be, and nothing is touched")
    func offline() async throws {
        // Bound, and nobody listens.
        let (descriptor, port) = try Loopback.bound()
        defer { close(descriptor) }
        let client = try client("http://127.0.0.1:\(port)/")
        let folder = try ServerFolder(client, traits: ServerTraits())
        try folder.local.write("kept", to: "a")
        try await folder.waitForStatus {
            $0.phase == .offline && $0.message.foreignCode == ServerCode.unreachable.foreign
        }
        #expect(try folder.local.read("a") == "kept")
        try await folder.stop()
        await client.shutDown()
    }
}
