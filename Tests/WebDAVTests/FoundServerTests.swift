import Glibc
import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What a server was when it was tried out, and when it is tried out again.
@Suite(.serialized) struct FoundServerTests {
    private let scratch = EntryName.constant(".roundel-stage-test")

    @Test(
        "Only a server that is another one than it was is tried out again",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func upgraded() async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        let client = try server.client()
        let known = try await ServerClaim(client).identity
        #expect(known == "\(ServerProbe.number) 29.0.4")
        try control.forgetRequests()
        #expect(try await FoundServer.ask(client, unless: known, in: scratch) == nil)
        #expect(try control.requests().count == 1)
        try control.set(#"{"version": "30.0.1", "no-ranges": true}"#)
        let found = try #require(try await FoundServer.ask(client, unless: known, in: scratch))
        #expect(found.identity == "\(ServerProbe.number) 30.0.1")
        #expect(!found.traits.ranges && found.traits.directoryTags)
        // Nor is one of which nothing was noted taken for known.
        #expect(try await FoundServer.ask(client, unless: nil, in: scratch) == found)
        await client.shutDown()
    }

    @Test(
        "What a server was tried out with is removed, also when it is busy with it at first",
        .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
    func tidied() async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let place = "/remote.php/dav/files/\(TestServer.user)/\(scratch)"
        // The first one is an item of it.
        try CloudControl(server).set(
            #"{"failing": {"status": 423, "method": "DELETE", "path": "\#(place)", "skip": 1, "count": 2}}"#)
        _ = try await ServerProbe(client, in: scratch).run()
        #expect(access(server.files.appending("\(scratch)").string, F_OK) != 0)
        await client.shutDown()
    }

    @Test("A server without a version is known by its program", arguments: ["Server: Apache/2.4", nil])
    func program(header: String?) async throws {
        let body = """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>/dav/</d:href><d:propstat><d:prop><d:resourcetype>\
            <d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>\
            </d:multistatus>
            """
        let answer = ScriptedServer.answer("207 Multi-Status", header.map { [$0] } ?? [], body)
        let server = try ScriptedServer([answer])
        let client = DAVClient(
            try ServerLocation(server.address + "dav"), credentials: nil, limits: .patient, clock: { Int64(time(nil)) })
        let identity = try await ServerClaim(client).identity
        #expect(identity == "\(ServerProbe.number) " + (header == nil ? "" : "Apache/2.4"))
        await client.shutDown()
    }

    @Test("What is known of a server changes for whoever uses it")
    func replaced() throws {
        let known = KnownTraits(ServerTraits())
        let names = UsableNames(known)
        let path = RelativePath([try #require(EntryName("100%"))])
        #expect(throws: (any Error).self) { try names.require(path) }
        var traits = ServerTraits()
        traits.keepsNamesInMoves = true
        known.replace(with: traits)
        try names.require(path)
    }
}
