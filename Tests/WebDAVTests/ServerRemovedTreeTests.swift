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
            // The server's own tag is the first line.
            let (old, new) = (
                String(decoding: tag.bytes.prefix { $0 != 0x0A }, as: UTF8.self),
                String(decoding: other.bytes.prefix { $0 != 0x0A }, as: UTF8.self)
            )
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

    // MARK: Interrupted

    /// What ends syncing while a directory is aside.
    enum Interruption: CaseIterable, Sendable {
        /// The folder stops in this process, as for a logout.
        case stop
        /// No request comes through any more, and somebody else goes on.
        case kill
    }

    private func waitForRequest(_ beginning: String, _ scene: Scene) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try !scene.control.requests().contains(where: { $0.hasPrefix(beginning) }) {
            guard ContinuousClock.now < deadline else { throw Failure("no \(beginning)") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Everything that another client sees in the root.
    private func names(_ scene: Scene) async throws -> [String] {
        let remote = WebDAVRemote(scene.client, traits: scene.traits, owner: .constant("other"))
        let listing = try await remote.list(.root, ListingPart(identity: .none))
        return listing.entries.map { "\($0.name)" }.filter { $0 != ".roundel" }.sorted()
    }

    private func expectChangeAlone(_ scene: Scene, _ folder: ServerFolder) async throws {
        for _ in 0..<3 { try await folder.syncAll() }
        #expect(try await names(scene) == ["kept", "old"])
        let seen = try await scene.seen("old/odd/new", "old/odd/1", "old/even/2", "old/even")
        #expect(seen == ["old/odd/new"])
        #expect(try folder.local.read("old/odd/new") == "new")
        #expect(try folder.local.names(in: "old") == ["odd"] && folder.local.names(in: "old/odd") == ["new"])
        let (own, files) = (try scene.path(".roundel/test/staging"), scene.client)
        let remote = WebDAVRemote(files, traits: scene.traits, owner: .constant("other"))
        #expect(try await remote.list(own, ListingPart(identity: .none)).entries.isEmpty)
    }

    /// The beginning of the path of everything that is aside.
    private static let aside = "/remote.php/dav/files/\(TestServer.user)/.roundel/test/staging/"

    /// Removes “old” here, interrupts what follows during a request of this method, and goes on with another client.
    private func interrupt(
        _ scene: Scene, during method: String, by interruption: Interruption, isChanged: Bool,
        _ expect: (ServerFolder) async throws -> Void
    ) async throws {
        let own = try scene.server.client()
        let first = try ServerFolder(own, traits: scene.traits)
        for number in 0..<20 {
            try first.local.write("\(number)", to: "old/\(number % 2 == 0 ? "even" : "odd")/\(number)")
        }
        try first.local.write("kept", to: "kept")
        for _ in 0..<2 { try await first.syncAll() }
        try scene.control.set(#"{"slow": {"seconds": 1, "method": "MOVE", "count": 1}}"#)
        try scene.control.forgetRequests()
        try first.local.remove("old")
        first.begin()
        try await waitForRequest("MOVE /old", scene)
        if isChanged { try await scene.put("new", to: "old/odd/new") }
        if method != "MOVE" {
            try scene.control.set(
                #"{"slow": {"seconds": 1, "method": "\#(method)", "path": "\#(Self.aside)", "count": 1}}"#)
            try await waitForRequest("\(method) /.roundel/test/staging/s", scene)
        }
        if interruption == .kill { await own.shutDown() }
        try await first.stop()
        try await Task.sleep(for: .seconds(2))
        let next = try scene.server.client()
        let folder = try ServerFolder(next, traits: scene.traits, after: first)
        let result: Result<Void, any Error>
        do { result = .success(try await expect(folder)) } catch { result = .failure(error) }
        try await folder.stop()
        await next.shutDown()
        if interruption == .stop { await own.shutDown() }
        try result.get()
    }

    @Test(
        "What another client changed just before it was moved aside is back at its place, whatever is interrupted",
        arguments: ["MOVE", "PROPFIND"], Interruption.allCases)
    func interrupted(during method: String, by interruption: Interruption) async throws {
        try await play { scene in
            try await interrupt(scene, during: method, by: interruption, isChanged: true) { folder in
                try await expectChangeAlone(scene, folder)
            }
        }
    }

    @Test(
        "What nobody changed is gone, whatever is interrupted", arguments: ["MOVE", "PROPFIND", "DELETE"],
        Interruption.allCases)
    func interruptedUnchanged(during method: String, by interruption: Interruption) async throws {
        try await play { scene in
            try await interrupt(scene, during: method, by: interruption, isChanged: false) { folder in
                for _ in 0..<2 { try await folder.syncAll() }
                #expect(try await names(scene) == ["kept"])
                #expect(try folder.local.names().filter { !$0.hasPrefix(".") } == ["kept"])
            }
        }
    }

    @Test(
        "Where the connection is cut just when it is aside, what another client changed is back at its place in this run"
    )
    func cut() async throws {
        try await play { scene in
            let folder = try await agreed(scene)
            try scene.control.set(
                #"{"slow": {"seconds": 1, "method": "MOVE", "count": 1}, "lost-answer": {"method": "MOVE", "count": 1},"#
                    + #" "lost-request": {"method": ["PROPFIND", "MOVE"], "path": "\#(Self.aside)", "count": 12}}"#)
            try folder.local.remove("old")
            folder.begin()
            try await waitForRequest("MOVE", scene)
            try await scene.put("new", to: "old/odd/new")
            try await Task.sleep(for: .seconds(3))
            try await expectChangeAlone(scene, folder)
            try await folder.stop()
        }
    }

    @Test("Before a removal is repeated, the tag is looked at again")
    func changedBeforeRepetition() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(#"{"failing": {"method": "DELETE", "status": 504}}"#)
            let path = try scene.path("d")
            _ = await failure { () throws(EffectFailure) in
                try await remote.removeTree(path, expecting: version, tag: tag)
            }
            #expect(try await scene.seen("d").isEmpty)
            let staging = try scene.path(".roundel/test/staging")
            let staged = try await remote.list(staging, ListingPart(identity: .none)).entries
            let place = try #require(staged.first).name
            // As by a public link, or by the number of the file.
            try await scene.put("2", to: ".roundel/test/staging/\(place)/e/2")
            try scene.control.set(#"{"failing": null}"#)
            let deadline = ContinuousClock.now + .seconds(60)
            while try await scene.seen("d/e/2").isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await scene.seen("d/e/1", "d/e/2") == ["d/e/1", "d/e/2"])
        }
    }

    @Test("What the server could not be asked to remove is removed as soon as it can be")
    func removedLater() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(#"{"failing": {"method": "DELETE", "status": 504}}"#)
            let path = try scene.path("d")
            let reason = await failure { () throws(EffectFailure) in
                try await remote.removeTree(path, expecting: version, tag: tag)
            }
            #expect(reason == .putOff)
            try scene.control.set(#"{"failing": null}"#)
            let staging = try scene.path(".roundel/test/staging")
            let deadline = ContinuousClock.now + .seconds(60)
            while try await !remote.list(staging, ListingPart(identity: .none)).entries.isEmpty,
                ContinuousClock.now < deadline
            { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await remote.list(staging, ListingPart(identity: .none)).entries.isEmpty)
            #expect(try await scene.seen("d").isEmpty)
        }
    }

    @Test("What the server never removes is back at its place")
    func neverRemoved() async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(#"{"failing": {"method": "DELETE", "status": 504}}"#)
            let path = try scene.path("d")
            let reason = await failure { () throws(EffectFailure) in
                try await remote.removeTree(path, expecting: version, tag: tag)
            }
            #expect(reason == .putOff)
            let deadline = ContinuousClock.now + .seconds(60)
            while try await scene.seen("d/e/1").isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await scene.seen("d/e/1") == ["d/e/1"])
        }
    }

    @Test(
        "One that others reach elsewhere is not touched",
        arguments: [
            ("<oc:share-types/>", "<oc:share-types><oc:share-type>3</oc:share-type></oc:share-types>"),
            ("<nc:mount-type/>", "<nc:mount-type>external</nc:mount-type>"),
            ("<oc:permissions>R", "<oc:permissions>SR"), ("<oc:permissions>RG", "<oc:permissions>RMG"),
            ("oc:permissions", "oc:others"),
        ])
    func shared(_ told: (String, instead: String)) async throws {
        try await play { scene in
            let (remote, version, tag) = try await directory(scene, scene.traits)
            try scene.control.set(
                #"{"lying": {"method": "PROPFIND", "replace": {"\#(told.0)": "\#(told.instead)"}}}"#)
            let path = try scene.path("d")
            #expect(
                await failure { () throws(EffectFailure) in
                    try await remote.removeTree(path, expecting: version, tag: tag)
                } == .denied)
            #expect(try scene.changes(["MOVE", "DELETE"]).isEmpty)
        }
    }

    @Test("An empty directory into which another client writes meanwhile comes back, although the connection is cut")
    func emptyAside() async throws {
        try await play { scene in
            let remote = WebDAVRemote(scene.client, traits: scene.traits, owner: .constant("test"))
            try await scene.makeDirectory("d")
            let listing = try await remote.list(.root, ListingPart(identity: .none))
            let listed = try #require(listing.entries.first { $0.name == .constant("d") })
            let version = Version(identity: listed.version.identity, tag: .none, size: 0)
            try scene.control.set(
                #"{"slow": {"seconds": 1, "method": "MOVE", "count": 1},"#
                    + #" "lost-request": {"method": "PROPFIND", "path": "\#(Self.aside)", "count": 3}}"#)
            try scene.control.forgetRequests()
            let path = try scene.path("d")
            async let reason = failure { () throws(EffectFailure) in
                try await remote.remove(path, kind: .directory, expecting: version)
            }
            try await waitForRequest("MOVE", scene)
            try await scene.put("x", to: "d/x")
            #expect(await reason != nil)
            let deadline = ContinuousClock.now + .seconds(30)
            while try await scene.seen("d/x").isEmpty, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(try await scene.seen("d/x") == ["d/x"])
        }
    }

    @Test("A server that gives a directory another tag when it is moved is not asked")
    func tagsOfMoves() async throws {
        let server = try TestServer(.nextcloud)
        try CloudControl(server).set(#"{"moved-tags": true}"#)
        let client = try server.client()
        let traits = try await ServerProbe(client, in: .constant("probe")).run()
        await client.shutDown()
        #expect(traits.directoryTags && !traits.keepsTreeTags && !traits.removesTrees)
    }
}
