import NIOCore
import RemoteSupport
import SyncCore
import SyncEngine
import Synchronization
import TestSupport
import Testing

@testable import WebDAV

/// Contents of files go as slowly as the plan says, both ways; questions and changes do not wait.
@Suite(.serialized, .enabled(if: ServerKind.nextcloud.program != nil, "needs Debian's Python"))
struct PaceTests {
    private struct Scene {
        let clock: SteppedClock
        let pace: TransferPace
        let client: DAVClient
        let file: RelativePath
    }

    private static let size = 1_000_000
    /// Bytes a second of a plan that is to be noticed.
    private static let limit: UInt64 = 100_000
    /// Seconds that a file takes at that limit, but for what was saved.
    private static let least = 9.75

    private func play(up: UInt64 = 0, down: UInt64 = 0, _ body: (Scene) async throws -> Void) async throws {
        let server = try TestServer(.nextcloud)
        let clock = SteppedClock()
        var plan = BandwidthPlan()
        (plan.up, plan.down) = (up, down)
        let pace = TransferPace(plan, clock: clock.clock)
        let client = try server.client(pace: pace)
        let result: Result<Void, any Error>
        do {
            let file = RelativePath([try #require(EntryName("file"))])
            result = .success(try await body(Scene(clock: clock, pace: pace, client: client, file: file)))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }

    private func write(_ scene: Scene) async throws {
        let bytes = ByteBuffer(repeating: 7, count: Self.size)
        _ = try await scene.client.write(scene.file, length: Int64(Self.size), parts: OneBuffer(bytes), if: .none)
    }

    private func read(_ scene: Scene) async throws -> Int {
        let size = Mutex(0)
        _ = try await scene.client.read(scene.file, expecting: nil) { part in
            size.withLock { $0 += part.readableBytes }
        }
        return size.withLock { $0 }
    }

    @Test("What goes up is held back piece by piece, what comes down is not")
    func up() async throws {
        try await play(up: Self.limit) { scene in
            try await write(scene)
            #expect(scene.clock.waited >= Self.least)
            // No piece was larger than it is to be.
            #expect(scene.clock.waits >= Self.size / scene.pace.piece(.up) / 2)
            let before = scene.clock.waits
            #expect(try await read(scene) == Self.size)
            #expect(scene.clock.waits == before)
        }
    }

    @Test("What comes down is held back, what goes up is not")
    func down() async throws {
        try await play(down: Self.limit) { scene in
            try await write(scene)
            #expect(scene.clock.waits == 0)
            #expect(try await read(scene) == Self.size)
            #expect(scene.clock.waited >= Self.least)
        }
    }

    @Test("Questions and changes do not wait")
    func questions() async throws {
        try await play(up: 20_000, down: 20_000) { scene in
            let other = RelativePath([try #require(EntryName("other"))])
            for _ in 0..<20 {
                try await scene.client.properties(of: .root, isDirectory: true, depth: .entries, [.resourceType]) { _ in
                }
                _ = try await scene.client.makeDirectory(scene.file)
                _ = try await scene.client.move(
                    scene.file, to: other, isDirectory: true, if: .none, overwrites: false)
                _ = try await scene.client.remove(other, isDirectory: true, if: .none)
            }
            #expect(scene.clock.waits == 0)
        }
    }

    @Test("A transfer that is held back ends when it is cancelled")
    func cancelled() async throws {
        let server = try TestServer(.nextcloud)
        var plan = BandwidthPlan()
        plan.up = 20_000
        let client = try server.client(pace: TransferPace(plan))
        let file = RelativePath([try #require(EntryName("file"))])
        let taken = Mutex(0)
        // It would take half a day.
        let parts = AsyncStream<ByteBuffer>(unfolding: {
            taken.withLock { $0 += 1 }
            return ByteBuffer(repeating: 7, count: 1 << 20)
        })
        let task = Task { try await client.write(file, length: 1 << 30, parts: parts, if: .none) }
        try await eventually("a part is taken") { taken.withLock { $0 } > 0 }
        task.cancel()
        await #expect(throws: DAVFailure(.cancelled)) { try await task.value }
        // One part is in memory at a time, however slowly it goes.
        #expect(taken.withLock { $0 } == 1)
        await client.shutDown()
    }

    @Test("Under a limit the progress of an upload is told piece by piece")
    func progress() async throws {
        try await play(up: 160_000) { scene in
            let remote = WebDAVRemote(scene.client, traits: ServerTraits(), owner: .constant("test"))
            var last: Int64 = 0
            let bytes = [UInt8](repeating: 7, count: 1 << 20)
            _ = try await remote.stage(StageID(1), from: MemorySource(bytes), near: scene.file) { done in
                #expect(done - last <= 10_000)
                last = done
                return true
            }
            #expect(last == 1 << 20)
            await remote.discard([StageID(1)])
        }
    }

    @Test("What is given up under a limit is nobody's fault, and done later")
    func givenUp() async throws {
        let server = try TestServer(.nextcloud)
        var plan = BandwidthPlan()
        plan.up = 20_000
        let pace = TransferPace(plan)
        let client = try server.client(pace: pace)
        let traits = try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
        let folder = try ServerFolder(client, traits: traits)
        try await folder.syncAll()
        // More than are transferred at the same time, so that some wait for their turn.
        for number in 0..<24 { try folder.local.write(String(repeating: "x", count: 1 << 20), to: "\(number)") }
        folder.begin()
        try await folder.waitForStatus { $0.phase == .syncing }
        folder.holdBack()
        try await folder.waitForStatus { $0.phase == .paused }
        pace.set(BandwidthPlan())
        folder.goOn()
        try await folder.waitForStatus { $0.phase == .idle && $0.counts.pending == 0 }
        #expect(!folder.wasOffline && folder.errors.isEmpty)
        try await folder.stop()
        await client.shutDown()
    }
}
