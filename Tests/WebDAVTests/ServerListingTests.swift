import RemoteSupport
import SyncCore
import SyncEngine
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

    private func remote(
        _ body: String, weakTagsStay: Bool = false
    ) throws -> (ScriptedServer, DAVClient, WebDAVRemote) {
        let text = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + body
        let server = try ScriptedServer([ScriptedServer.answer("207 Multi-Status", [], text)])
        let client = DAVClient(try ServerLocation(server.address + "a"), credentials: nil, clock: { 1_700_000_000 })
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
        func collection(_ path: String) -> ScriptedServer.Step {
            let body = #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">"# + Self.item(path, Self.collection)
            return ScriptedServer.answer("207 Multi-Status", [], body + "</d:multistatus>")
        }
        let refused = ScriptedServer.answer("403 Forbidden")
        let mark = "0123456789abcdef0123456789abcdef"
        let server = try ScriptedServer(inTurn: [
            ScriptedServer.answer("404 Not Found"), refused, collection("/a/.roundel/"), refused,
            collection("/a/.roundel/test/"), refused, collection("/a/.roundel/test/staging/"),
            // Neither what earlier runs left nor the collections of interrupted probes are told.
            ScriptedServer.answer("207 Multi-Status", [], "<no listing>"),
            ScriptedServer.answer("207 Multi-Status", [], "<no listing>"),
            ScriptedServer.answer("201 Created"), ScriptedServer.answer("201 Created"),
            ScriptedServer.answer("200 OK", [], mark),
        ])
        let client = DAVClient(try ServerLocation(server.address + "a"), credentials: nil, clock: { 1_700_000_000 })
        let remote = WebDAVRemote(client, traits: ServerTraits(), owner: try #require(EntryName("test")))
        let known = RootIdentity(mark: mark, inode: 0, born: 0, keepsInode: false).token
        let marked: Result<Token, EffectFailure>
        do throws(EffectFailure) { marked = .success(try await remote.mark(knownAs: known)) } catch {
            marked = .failure(error)
        }
        await client.shutDown()
        #expect(marked == .success(known))
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
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try await folder.stop()
        await client.shutDown()
    }

    @Test("a server that is gone is said to be, and nothing is touched")
    func offline() async throws {
        let address: String
        do {
            let server = try ScriptedServer([.beSilent])
            address = server.address
        }
        let client = DAVClient(try ServerLocation(address), credentials: nil, clock: { 1_700_000_000 })
        let folder = try ServerFolder(client, traits: ServerTraits())
        try folder.local.write("kept", to: "a")
        try await folder.waitForStatus { $0.phase == .offline && $0.message.code == .serverUnreachable }
        #expect(try folder.local.read("a") == "kept")
        try await folder.stop()
        await client.shutDown()
    }
}
