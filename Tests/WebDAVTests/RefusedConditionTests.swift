import RemoteSupport
import SyncCore
import SyncEngine
import TestSupport
import Testing

@testable import WebDAV

/// Conditions that a server refuses: for once, always, or rightly although its listings say otherwise.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct RefusedConditionTests {
    /// What is done on the condition that a file has a version.
    private enum Change: String, CaseIterable {
        case write = "PUT"
        case move = "MOVE"
        case remove = "DELETE"

        /// The trait that says whether such conditions are honoured.
        func isHonoured(_ traits: ServerTraits) -> Bool {
            self == .write ? traits.honoursMatch : traits.honoursMatchInMoves
        }
    }

    private final class Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        let known: KnownTraits
        let remote: WebDAVRemote

        init(_ server: TestServer, _ client: DAVClient) async throws {
            self.server = server
            self.client = client
            control = try CloudControl(server)
            known = KnownTraits(try await ServerProbe(client, in: .constant("probe")).run())
            remote = WebDAVRemote(client, traits: known, owner: .constant("test"))
        }

        func put(_ text: String, to name: EntryName = .constant("a")) async throws -> Version {
            let path = RelativePath([name])
            _ = try await client.write(path, length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none)
            return try #require(try await remote.entry(path, in: .none)).version
        }

        /// Makes a change; returns why it failed.
        func make(_ change: Change, expecting expected: Version) async -> EffectFailure.Reason? {
            let path = RelativePath([.constant("a")])
            do throws(EffectFailure) {
                switch change {
                case .write:
                    let source = MemorySource(Array("mine!".utf8))
                    _ = try await remote.stage(StageID(1), from: source, near: path) { _ in true }
                    try await remote.syncContents([StageID(1)])
                    _ = try await remote.publish(StageID(1), at: path, replacing: expected, permissions: nil)
                case .move:
                    let target = RelativePath([.constant("b")])
                    _ = try await remote.move(path, to: target, kind: .file, expecting: expected)
                case .remove: try await remote.remove(path, kind: .file, expecting: expected)
                }
                return nil
            } catch {
                return error.reason
            }
        }

        func there() throws -> [String: String] { try FileTree.read(server.files) }
    }

    private func play(_ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(try await Scene(server, client)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    private static func done(_ change: Change) -> [String: String] {
        switch change {
        case .write: ["a": "mine!"]
        case .move: ["b": "first"]
        case .remove: [:]
        }
    }

    private static let files = "/remote.php/dav/files/\(TestServer.user)"

    @Test("One refusal by mistake changes nothing", arguments: Change.allCases)
    private func once(_ change: Change) async throws {
        try await play { scene in
            let seen = try await scene.put("first")
            try scene.control.set(
                #"{"failing": {"status": 412, "method": "\#(change.rawValue)", "path": "\#(Self.files)/a", "count": 1}}"#
            )
            #expect(await scene.make(change, expecting: seen) == nil)
            #expect(try scene.there() == Self.done(change))
            #expect(change.isHonoured(scene.known.current))
        }
    }

    @Test("A server that refuses whatever holds is believed in this alone", arguments: Change.allCases)
    private func always(_ change: Change) async throws {
        try await play { scene in
            let seen = try await scene.put("first")
            let before = scene.known.current
            try scene.control.set(#"{"weak-tags": true}"#)
            #expect(await scene.make(change, expecting: seen) == nil)
            #expect(try scene.there() == Self.done(change))
            let after = scene.known.current
            #expect(change.isHonoured(before) && !change.isHonoured(after))
            #expect(Set(before.names).subtracting(after.names).count == 1)
        }
    }

    @Test(
        "Where a listing is older than the file, a refusal is right, and what others wrote stays",
        arguments: Change.allCases)
    private func staleListing(_ change: Change) async throws {
        try await play { scene in
            let seen = try await scene.put("first")
            let theirs = try await scene.put("other")
            let (old, new) = try (text(of: seen.tag), text(of: theirs.tag))
            try scene.control.set(#"{"lying": {"method": "PROPFIND", "replace": {"\#(new)": "\#(old)"}}}"#)
            #expect(await scene.make(change, expecting: seen) == .changed)
            #expect(try scene.there() == ["a": "other"])
            #expect(change.isHonoured(scene.known.current))
        }
    }

    private func text(of tag: Token) throws -> String {
        try #require(String(validating: tag.bytes, as: UTF8.self))
    }
}
