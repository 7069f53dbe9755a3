import Glibc
import RemoteSupport
import Remotes
import Support
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// What a server does not do now: it is tried again, neither all the time nor never, and nothing useless stays there.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct PutOffTests {
    private final class Scene {
        let server: TestServer
        let client: DAVClient
        let control: CloudControl
        private(set) var folder: ServerFolder
        private let traits: ServerTraits

        init(_ server: TestServer, _ client: DAVClient, _ control: CloudControl) async throws {
            (self.server, self.client, self.control) = (server, client, control)
            traits = try await ServerProbe(client, in: .constant("probe")).run()
            folder = try ServerFolder(client, traits: traits)
        }

        func restart() async throws {
            try await folder.stop()
            folder = try ServerFolder(client, traits: traits, after: folder)
        }

        func there() throws -> [String: String] { try FileTree.read(server.files) }

        var staged: [String] {
            ((try? FileTree.read(server.files.appending(".roundel/test/staging"))) ?? [:]).keys.sorted()
        }

        func count(_ method: String) throws -> Int { try control.requests().count { $0.hasPrefix(method + " ") } }
    }

    private func play(_ quirks: String = "{}", _ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let control = try CloudControl(server)
        try control.set(quirks)
        let client = try server.client()
        let scene = try await Scene(server, client, control)
        let result: Result<Void, any Error>
        do { result = .success(try await body(scene)) } catch { result = .failure(error) }
        try? await scene.folder.stop()
        await client.shutDown()
        try result.get()
    }

    /// More than is sent in one request to its place.
    private static let large = String(repeating: "0123456789abcdef", count: 20_000)

    @Test(
        "A status that passes puts the item off, says why, and leaves the folder connected",
        arguments: [423, 502, 503, 504])
    func reason(status: Int) async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(
                #"{"failing": {"status": \#(status), "method": "MOVE", "path": "/remote.php/dav/files"}}"#)
            try scene.folder.local.write(Self.large, to: "large")
            try await scene.folder.syncAll()
            #expect(!scene.folder.wasOffline && scene.folder.errors == [])
            let waiting = await scene.folder.putOff()
            #expect(waiting.count == 1)
            let message = waiting.first?.message
            switch status {
            case 423: #expect(message?.foreignCode == ServerCode.locked.foreign)
            case 503: #expect(message?.code == .busy)
            default: #expect(message?.foreignCode == ServerCode.noAnswer.foreign)
            }
            try scene.control.set(#"{"failing": null}"#)
            try await scene.folder.syncAll()
            #expect(try scene.there() == ["large": Self.large])
            #expect(await scene.folder.putOff().isEmpty)
        }
    }

    @Test("Staged files of failed attempts go, also where they cannot be removed at once")
    func remains() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"failing": {"status": 502, "method": ["MOVE", "DELETE"]}}"#)
            try scene.folder.local.write(Self.large, to: "large")
            for _ in 0..<3 { try await scene.folder.syncAll() }
            #expect(!scene.staged.isEmpty)
            try scene.folder.local.remove("large")
            try scene.control.set(#"{"failing": null}"#)
            try await eventually("they are gone") { scene.staged.isEmpty }
        }
    }

    @Test("Staged files of failed attempts go after a restart, though nothing else is uploaded")
    func remainsOfEarlierRuns() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"failing": {"status": 502, "method": ["MOVE", "DELETE"]}}"#)
            try scene.folder.local.write(Self.large, to: "large")
            try await scene.folder.syncAll()
            #expect(!scene.staged.isEmpty)
            try await scene.folder.stop()
            try scene.folder.local.remove("large")
            // Removals by the folder that has stopped still fail.
            try await scene.restart()
            try scene.control.set(#"{"failing": null}"#)
            try await scene.restart()
            try await scene.folder.syncAll()
            try await eventually("they are gone") { scene.staged.isEmpty }
        }
    }

    @Test("An upload that was given up is removed once, and nothing is looked for afterwards")
    func abandoned() async throws {
        try await play { scene in
            try await scene.folder.stop()
            let traits = try await ServerProbe(scene.client, in: .constant("probe")).run()
            let remote = WebDAVRemote(scene.client, traits: traits, owner: .constant("other"))
            let path = RelativePath([.constant("large")])
            try scene.control.forgetRequests()
            await #expect(throws: EffectFailure.self) {
                _ = try await remote.stage(StageID(1), from: MemorySource(Array(Self.large.utf8)), near: path) { _ in
                    false
                }
            }
            // Long enough for another attempt, where one is meant.
            try await Task.sleep(for: Patience.Server.remains * 2 + .milliseconds(500))
            #expect(try scene.count("DELETE") == 1)
        }
    }

    @Test("What a server finished although a proxy gave up is recognised", arguments: ["PUT", "MOVE"], [0, 2])
    func late(method: String, seconds: Int) async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(
                #"{"late": {"method": "\#(method)", "count": 1, "seconds": \#(seconds), "path": "/remote.php/dav/files"}}"#
            )
            try scene.control.forgetRequests()
            try scene.folder.local.write(Self.large, to: "large")
            try await eventually("it is synced") {
                try await scene.folder.syncAll()
                return try scene.there() == ["large": Self.large]
            }
            if seconds == 0 { #expect(try scene.count("PUT") == 1) }
            try await eventually("nothing stays") { scene.staged.isEmpty }
            #expect(try scene.folder.local.names(in: "").filter { !$0.hasPrefix(".") } == ["large"])
        }
    }

    @Test("After the time that a server asked for, the folder goes on by itself")
    func afterRetryAfter() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"throttle": {"status": 503, "after": 2, "count": 1, "method": "PUT"}}"#)
            try scene.folder.local.write("new", to: "new")
            let start = ContinuousClock.now
            scene.folder.begin()
            try await scene.folder.waitForStatus { $0.phase == .offline }
            try await eventually("it goes on") { try scene.there() == ["new": "new"] }
            // Two seconds were asked for, and two more are allowed; the rest is for a busy machine.
            #expect(ContinuousClock.now - start < .seconds(15))
        }
    }

    @Test("A file that a proxy takes in small parts alone is sent in such parts")
    func smallBodies() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"body-limit": 1000000}"#)
            let contents = String(repeating: "0123456789abcdef", count: 300_000)
            try scene.folder.local.write(contents, to: "large")
            try await scene.folder.syncAll()
            #expect(try scene.there() == ["large": contents])
            #expect(scene.folder.errors == [])
            #expect(scene.staged.isEmpty)
        }
    }

    @Test("A file that is too large for a server says so, and not that there is no space")
    func tooLarge() async throws {
        try await play { scene in
            try await scene.folder.syncAll()
            try scene.control.set(#"{"body-limit": 1000}"#)
            try scene.folder.local.write(String(repeating: "x", count: 50_000), to: "large")
            try scene.folder.local.write("x", to: "small")
            try await scene.folder.syncAll()
            #expect(try scene.there() == ["small": "x"])
            #expect(scene.folder.errors.contains { $0.contains("too-large-for-server") })
        }
    }
}
