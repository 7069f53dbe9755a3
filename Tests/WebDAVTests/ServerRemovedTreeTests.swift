import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import TestSupport
import Testing

@testable import WebDAV

/// A directory is removed from a Nextcloud with everything in it, only if everything in it is as it is known.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct ServerRemovedTreeTests {
    private struct Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        let traits: ServerTraits

        func path(_ text: String) throws -> RelativePath {
            RelativePath(try text.split(separator: "/").map { try #require(EntryName(String($0))) })
        }

        func put(_ text: String, to path: String) async throws {
            _ = try await client.write(
                self.path(path), length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none)
        }

        func makeDirectory(_ path: String) async throws { _ = try await client.makeDirectory(self.path(path)) }

        /// Which of these another client sees.
        func seen(_ paths: String...) async throws -> [String] {
            var seen: [String] = []
            for text in paths {
                let path = try self.path(text)
                do throws(DAVFailure) {
                    _ = try await client.look(path)
                    seen.append(text)
                } catch {
                    guard error.reason == .notFound || error.reason == .conflict else { throw error }
                }
            }
            return seen
        }

        /// The requests that change something, since they were forgotten last.
        func changes(_ methods: Set<String> = ["PUT", "MOVE", "DELETE"]) throws -> [String] {
            try control.requests().filter {
                $0.split(separator: " ").first.map { methods.contains(String($0)) } ?? false
            }
        }
    }

    private func play(_ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            let traits = try await ServerProbe(client, in: .constant("probe")).run()
            result = .success(
                try await body(
                    Scene(server: server, client: client, control: try CloudControl(server), traits: traits)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    /// A folder that both sides have, with the directory “old”: 20 files and two directories.
    private func agreed(_ scene: Scene) async throws -> ServerFolder {
        let folder = try ServerFolder(scene.client, traits: scene.traits)
        for number in 0..<20 {
            try folder.local.write("\(number)", to: "old/\(number % 2 == 0 ? "even" : "odd")/\(number)")
        }
        try folder.local.write("kept", to: "kept")
        try await folder.syncAll()
        try await folder.syncAll()
        try scene.control.forgetRequests()
        return folder
    }

    @Test("Twenty files in two directories go with one removal, and nothing else does")
    func atOnce() async throws {
        try await play { scene in
            let folder = try await agreed(scene)
            try folder.local.remove("old")
            let done = try await folder.syncAll()
            let changes = try scene.changes()
            #expect(changes.count == 2 && changes.first == "MOVE /old", "\(changes)")
            #expect(changes.last?.hasPrefix("DELETE /.roundel/test/staging/") == true, "\(changes)")
            // Its name is shown in the server's trash.
            #expect(
                changes.last?.hasSuffix("%20old/") == true || changes.last?.hasSuffix("%20old") == true, "\(changes)")
            #expect(try await scene.seen("old", "kept") == ["kept"])
            #expect(done == RunSummary())
            #expect(try await folder.syncAll() == RunSummary())
            try await folder.stop()
        }
    }

    @Test("What another client writes into it in that moment is not lost")
    func writtenMeanwhile() async throws {
        try await play { scene in
            let folder = try await agreed(scene)
            try scene.control.set(#"{"slow": {"seconds": 2, "method": "MOVE", "count": 1}}"#)
            try folder.local.remove("old")
            folder.begin()
            let deadline = ContinuousClock.now + .seconds(60)
            while try scene.changes(["MOVE"]).isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await scene.put("new", to: "old/odd/new")
            try await scene.put("changed", to: "old/even/2")
            try await folder.syncAll()
            // There and back.
            #expect(try scene.changes(["MOVE"]).count >= 2)
            #expect(try folder.local.read("old/odd/new") == "new" && folder.local.read("old/even/2") == "changed")
            let seen = try await scene.seen("old/odd/new", "old/odd/1", "old/even/2", "old/even/4")
            #expect(seen == ["old/odd/new", "old/even/2"])
            #expect(try folder.local.names(in: "old/odd") == ["new"] && folder.local.names(in: "old/even") == ["2"])
            try await folder.stop()
        }
    }

    /// The remote, and the directory “d” with a file in it as a listing tells of it.
    private func directory(
        _ scene: Scene, _ traits: ServerTraits
    ) async throws -> (remote: WebDAVRemote, version: Version, tag: Token) {
        let remote = WebDAVRemote(scene.client, traits: traits, owner: .constant("test"))
        try await scene.makeDirectory("d")
        try await scene.makeDirectory("d/e")
        try await scene.put("1", to: "d/e/1")
        let listing = try await remote.list(.root, ListingPart(identity: .none))
        let entry = try #require(listing.entries.first { $0.name == .constant("d") })
        try scene.control.forgetRequests()
        return (remote, Version(identity: entry.version.identity, tag: .none, size: 0), entry.version.tag)
    }

    private func failure(_ body: () async throws(EffectFailure) -> Void) async -> EffectFailure.Reason? {
        do throws(EffectFailure) {
            try await body()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("With another tag than it has now it is not touched")
    func otherTag() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try await scene.put("2", to: "d/e/2")
            try scene.control.forgetRequests()
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == .changed)
            #expect(try scene.changes().isEmpty)
            #expect(try await scene.seen("d/e/1", "d/e/2") == ["d/e/1", "d/e/2"])
        }
    }

    @Test("One that is another than the server says is back where it was")
    func changedBehindALook() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try await scene.put("2", to: "d/e/2")
            let listing = try await remote.list(.root, ListingPart(identity: .none))
            let other = try #require(listing.entries.first { $0.name == .constant("d") }).version.tag
            let (old, new) = (String(decoding: tag.bytes, as: UTF8.self), String(decoding: other.bytes, as: UTF8.self))
            try scene.control.set(
                #"{"lying": {"method": "PROPFIND", "count": 1, "replace": {"\#(new)": "\#(old)"}}}"#)
            try scene.control.forgetRequests()
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == .changed)
            #expect(try scene.changes(["MOVE"]).count == 2 && scene.changes(["DELETE"]).isEmpty)
            #expect(try await scene.seen("d/e/1", "d/e/2") == ["d/e/1", "d/e/2"])
        }
    }

    @Test("A server that was not tried for it is not asked at all")
    func withoutTrait() async throws {
        try await play { scene in
            var traits = scene.traits
            #expect(traits.removesTrees)
            traits.keepsTreeTags = false
            let (remote, version, tag) = try await directory(scene, traits)
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == .denied)
            #expect(try scene.control.requests().isEmpty)
        }
    }

    @Test("A lost answer is looked up", arguments: ["MOVE", "DELETE"])
    func lostAnswer(to method: String) async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(#"{"lost-answer": {"method": "\#(method)", "count": 1}}"#)
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == nil)
            #expect(try await scene.seen("d").isEmpty)
            let staged = try await remote.list(try scene.path(".roundel/test/staging"), ListingPart(identity: .none))
            #expect(staged.entries.isEmpty)
        }
    }

    @Test("Where the server refuses the removal it is back where it was")
    func refused() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(#"{"failing": {"method": "DELETE", "status": 403, "count": 1}}"#)
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == .denied)
            #expect(try await scene.seen("d/e/1") == ["d/e/1"])
        }
    }
}
