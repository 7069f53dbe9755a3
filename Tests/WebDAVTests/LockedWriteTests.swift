import Glibc
import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import TestSupport
import Testing

@testable import WebDAV

/// A write under a lock of which it is not certain that it was carried out.
@Suite(.serialized) struct LockedWriteTests {
    private static var traits: ServerTraits {
        var traits = ServerTraits()
        for trait in [
            \ServerTraits.locks, \.writesAtOnce, \.listsTags, \.tellsQuickWrites, \.weakTagsStay, \.tagsAreVeryFine,
        ] { traits[keyPath: trait] = true }
        return traits
    }

    private static func listing(_ tag: String) -> ScriptedServer.Step {
        ScriptedServer.answer(
            "207 Multi-Status", [],
            """
            <d:multistatus xmlns:d="DAV:"><d:response><d:href>/a</d:href><d:propstat><d:prop><d:resourcetype/>\
            <d:getetag>"\(tag)"</d:getetag><d:getcontentlength>3</d:getcontentlength>\
            <d:getlastmodified>Mon, 02 Nov 2026 10:00:00 GMT</d:getlastmodified></d:prop>\
            <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>
            """)
    }

    /// What comes of a write over a version with the tag `one`, of the same size.
    ///
    /// - Parameter method: Whose task is cancelled as soon as the server has such a request; nil for none.
    private func outcome(
        of steps: [ScriptedServer.Step], cancelledIn method: String? = nil
    ) async throws -> (EffectFailure.Reason?, [String]) {
        let lock = ScriptedServer.answer("200 OK", ["Lock-Token: <opaquelocktoken:1>"])
        let server = try ScriptedServer(
            inTurn: [Self.listing("one"), Self.listing("one"), lock, Self.listing("one")] + steps)
        let client = DAVClient(
            try ServerLocation(server.address), credentials: nil, limits: .patient, clock: { Int64(time(nil)) })
        let view = ServerView(client, KnownTraits(Self.traits))
        let publishing = ServerPublishing(view, ServerArea(view, owner: .constant("test"), transfers: nil))
        let path = RelativePath([.constant("a")])
        let expected = try #require(try await view.entry(path)).version
        let held = StagedContents.Held(
            bytes: ByteBuffer(string: "new"), modified: 0, hash: ContentHash([UInt8](repeating: 0, count: 32)))
        let write = Task { () async -> EffectFailure.Reason? in
            do throws(EffectFailure) {
                _ = try await publishing.overwrite(expected, at: path, by: held)
                return nil
            } catch {
                return error.reason
            }
        }
        if let method {
            try await eventually("a \(method)") { server.requests.contains { $0.hasPrefix(method) } }
            write.cancel()
        }
        let reason = await write.value
        try await eventually("each of the steps") { server.requests.count == 4 + steps.count }
        await client.shutDown()
        return (reason, server.requests.compactMap { $0.split(separator: " ").first.map(String.init) })
    }

    private static let putOff = ScriptedServer.answer("503 Service Unavailable", ["Retry-After: 1"])
    private static let written = ScriptedServer.answer("204 No Content")
    private static let unlocked = ScriptedServer.answer("204 No Content")
    private static let old = ScriptedServer.answer("200 OK", ["ETag: \"one\""], "old")
    private static let new = ScriptedServer.answer("200 OK", ["ETag: \"two\""], "new")

    @Test("A request that was lost has written nothing, though what is there has the same size")
    func lostRequest() async throws {
        let (reason, requests) = try await outcome(of: [.send(""), Self.listing("one"), Self.old, Self.unlocked])
        #expect(reason == .unreachable)
        #expect(requests == ["PROPFIND", "PROPFIND", "LOCK", "PROPFIND", "PUT", "PROPFIND", "GET", "UNLOCK"])
    }

    @Test("A request of which the answer was lost is known by what is there")
    func lostAnswer() async throws {
        let (reason, requests) = try await outcome(of: [.send(""), Self.listing("two"), Self.new, Self.unlocked])
        #expect(reason == nil)
        #expect(requests.last == "UNLOCK")
    }

    @Test("A server that says that it has written, and has not, is not believed")
    func nothingWritten() async throws {
        let (reason, _) = try await outcome(
            of: [Self.written, Self.listing("one"), Self.listing("one"), Self.old, Self.unlocked])
        #expect(reason == .changed)
        let (right, requests) = try await outcome(of: [Self.written, Self.listing("two"), Self.unlocked])
        #expect(right == nil)
        #expect(requests.suffix(3) == ["PUT", "PROPFIND", "UNLOCK"])
    }

    @Test(
        "A lock is released again when the request for that had no answer, or was put off",
        arguments: [[ScriptedServer.Step.send("")], [.send(""), .send("")], [putOff], [.send(""), putOff]])
    func unansweredRelease(steps: [ScriptedServer.Step]) async throws {
        let (reason, requests) = try await outcome(
            of: [Self.written, Self.listing("two")] + steps + [Self.unlocked])
        #expect(reason == nil)
        #expect(requests.suffix(steps.count + 1).allSatisfy { $0 == "UNLOCK" })
    }

    @Test("A lock is released when its task is cancelled")
    func cancelled() async throws {
        let (_, requests) = try await outcome(of: [.beSilent, Self.unlocked], cancelledIn: "PUT")
        #expect(requests.last == "UNLOCK")
    }
}
