import Glibc
import RemoteSupport
import Remotes
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import Rclone

/// What the engine asks of a remote, while another client comes in between.
@Suite(.serialized, .enabled(if: CloudKind.areInstalled, "needs rclone"))
struct CloudRemoteTests {
    private func publish(
        _ text: String, at name: String, replacing expected: Version?, on remote: RcloneRemote, of cloud: TestCloud
    ) async throws -> Version {
        _ = try await remote.stage(StageID(1), from: MemorySource(Array(text.utf8)), near: cloud.path(name)) { _ in true
        }
        try await remote.syncContents([StageID(1)])
        return try await remote.publish(StageID(1), at: cloud.path(name), replacing: expected, permissions: nil).version
    }

    private func reason(_ body: () async throws -> Void) async -> EffectFailure.Reason? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? EffectFailure)?.reason
        }
    }

    private func text(of name: String, _ version: Version, on remote: RcloneRemote, _ cloud: TestCloud) async throws
        -> String
    {
        let source = try await remote.open(cloud.path(name), expecting: version)
        var bytes: [UInt8] = []
        _ = try await ContentTransfer.run(source, leaveOut: { _ in }, write: { bytes += $0 })
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("what another client wrote meanwhile is neither replaced, moved nor removed", arguments: CloudKind.installed)
    func changedMeanwhile(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let remote = try cloud.remote()
        try await cloud.put("a", "first")
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        try await cloud.put("a", "of another")
        #expect(
            await reason { _ = try await publish("mine", at: "a", replacing: seen, on: remote, of: cloud) } == .changed)
        #expect(
            await reason { _ = try await publish("mine", at: "a", replacing: nil, on: remote, of: cloud) } == .exists)
        #expect(
            await reason {
                _ = try await remote.move(cloud.path("a"), to: cloud.path("b"), kind: .file, expecting: seen)
            } == .changed)
        #expect(await reason { try await remote.remove(cloud.path("a"), kind: .file, expecting: seen) } == .changed)
        #expect(await reason { _ = try await remote.open(cloud.path("a"), expecting: seen) } == .changed)
        #expect(try await cloud.tree() == ["a": "of another"])
    }

    @Test("contents of equal size and time take the place of others", arguments: CloudKind.installed)
    func equalSizeAndTime(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let remote = try cloud.remote()
        // As old as what the source says.
        try await cloud.put("a", "first", modified: 0)
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        let version = try await publish("other", at: "a", replacing: seen, on: remote, of: cloud)
        #expect(try await cloud.tree() == ["a": "other"])
        #expect(try await text(of: "a", version, on: remote, cloud) == "other")
        // Other computers know it for another version, and so they do the one after it.
        #expect(version.tag != seen.tag)
        let last = try await publish("third", at: "a", replacing: version, on: remote, of: cloud)
        #expect(last.tag != version.tag && last.tag != seen.tag)
        #expect(try await cloud.tree() == ["a": "third"])
    }

    @Test(
        "a time that the remote rounds down does not become that of the version that is replaced",
        arguments: [false, true])
    func wholeSeconds(isMoved: Bool) async throws {
        let cloud = try await TestCloud(.directory)
        var traits = try await cloud.client.traits()
        (traits.hash, traits.movesFiles, traits.keepsModified) = (nil, isMoved, true)
        traits.grain = .milliseconds(2_200)
        let place = RcloneClient(cloud.client.location, cloud.service, traits: traits)
        let remote = RcloneRemote(place, owner: try #require(EntryName("test")))
        let second: Int64 = 1_000_000_000
        try await cloud.put("a", "first", modified: 5 * second)
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        let source = MemorySource(Array("other".utf8), modified: 5 * second + 400_000_000)
        _ = try await remote.stage(StageID(1), from: source, near: cloud.path("a")) { _ in true }
        try await remote.syncContents([StageID(1)])
        _ = try await remote.publish(StageID(1), at: cloud.path("a"), replacing: seen, permissions: nil)
        let found = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        // As a remote with whole seconds shows it.
        #expect(found.modified / second > 5, "\(found.modified)")
        #expect(try await cloud.tree() == ["a": "other"])
        #expect(try await cloud.staged().isEmpty)
    }

    @Test("a file that was staged before another version came is told from that one as well")
    func changedSinceStaged() async throws {
        let cloud = try await TestCloud(.directory)
        var traits = try await cloud.client.traits()
        (traits.hash, traits.keepsModified) = (nil, true)
        let place = RcloneClient(cloud.client.location, cloud.service, traits: traits)
        let remote = RcloneRemote(place, owner: try #require(EntryName("test")))
        let source = MemorySource(Array("other".utf8), modified: 5_000_000_000)
        _ = try await remote.stage(StageID(1), from: source, near: cloud.path("a")) { _ in true }
        try await remote.syncContents([StageID(1)])
        try await cloud.put("a", "first", modified: 5_000_000_000)
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        let version = try await remote.publish(
            StageID(1), at: cloud.path("a"), replacing: seen, permissions: nil
        ).version
        #expect(version.modified > seen.modified && version.tag != seen.tag)
        #expect(try await cloud.tree() == ["a": "other"])
        #expect(try await cloud.staged().isEmpty)
    }

    @Test(
        "nothing is moved where something is, and no directory goes that holds something",
        arguments: CloudKind.installed
    )
    func occupied(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let remote = try cloud.remote()
        try await cloud.put("a", "mine")
        try await cloud.put("b", "theirs")
        try await cloud.put("d/x", "in it")
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        #expect(
            await reason {
                _ = try await remote.move(cloud.path("a"), to: cloud.path("b"), kind: .file, expecting: seen)
            } == .exists)
        let directory = try #require(try await remote.entry(cloud.path("d"), in: .none))
        #expect(directory.kind == .directory)
        #expect(
            await reason {
                try await remote.remove(cloud.path("d"), kind: .directory, expecting: directory.version)
            } == .notEmpty)
        #expect(await reason { _ = try await remote.makeDirectory(cloud.path("d"), permissions: nil) } == .exists)
        #expect(try await cloud.tree() == ["a": "mine", "b": "theirs", "d/": "", "d/x": "in it"])
    }

    @Test("a directory without anything in it is there until it is removed", arguments: CloudKind.installed)
    func emptyDirectories(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        let remote = try cloud.remote()
        let made = try await remote.makeDirectory(cloud.path("d"), permissions: nil)
        #expect(try await remote.list(.root, ListingPart(identity: .none)).entries.map(\.name.description) == ["d"])
        #expect(try await remote.list(cloud.path("d"), ListingPart(identity: .none)).entries.isEmpty)
        let moved = try await remote.move(cloud.path("d"), to: cloud.path("e"), kind: .directory, expecting: made)
        #expect(try await cloud.tree() == ["e/": ""])
        try await remote.remove(cloud.path("e"), kind: .directory, expecting: moved)
        #expect(try await cloud.tree().isEmpty)
    }

    @Test("a file that changes while it is read is not taken for either version")
    func changedWhileRead() async throws {
        let cloud = try await TestCloud(.directory)
        let remote = try cloud.remote()
        try await cloud.put("a", "first")
        let seen = try #require(try await remote.entry(cloud.path("a"), in: .none)).version
        let source = try await remote.open(cloud.path("a"), expecting: seen)
        try await cloud.put("a", "other", modified: 0)
        #expect(
            await reason { _ = try await ContentTransfer.run(source, leaveOut: { _ in }, write: { _ in }) } == .changed)
    }

    @Test("the root is told from another one by its mark; two installations agree on one")
    func marks() async throws {
        let cloud = try await TestCloud(.objects)
        let remote = try cloud.remote()
        guard case .present(let unmarked, _, _) = await remote.root() else {
            Issue.record("no root")
            return
        }
        let marked = try await remote.mark(knownAs: unmarked)
        #expect(await remote.root() == .present(identity: marked, generation: .none))
        #expect(RootIdentity(marked)?.mark != nil)
        try await cloud.put(".roundel/root-" + String(repeating: "f", count: 32), "later")
        #expect(await remote.root() == .present(identity: marked, generation: .none))
        let missing = RcloneRemote(
            RcloneClient(try RcloneLocation("rclone:nobody:x"), cloud.service), owner: .constant("test"))
        #expect(
            await missing.root() == .unreachable(Explanation(RcloneCode.notConfigured, .remote, "rclone:nobody:x")))
    }

    @Test("a root that two installations mark at the same time keeps one mark, which both take")
    func marksAtOnce() async throws {
        var limits = TestCloud.patient
        // Longer than a busy machine takes to write one small file.
        limits.marking = .seconds(30)
        let cloud = try await TestCloud(.directory, limits: limits)
        let remote = try cloud.remote()
        guard case .present(let unmarked, _, _) = await remote.root() else {
            Issue.record("no root")
            return
        }
        let marking = Task { try await remote.mark(knownAs: unmarked) }
        func marks() async throws -> [String] {
            let names = try? await cloud.client.list(cloud.path(".roundel")).names
            return (names ?? []).filter { $0.hasPrefix("root-") }
        }
        try await eventually("a mark is made") { try await !marks().isEmpty }
        let other = String(repeating: "0", count: 32)
        try await cloud.put(".roundel/root-" + other, "at the same time")
        #expect(RootIdentity(try await marking.value)?.mark == other)
        #expect(try await marks() == ["root-" + other])
    }

    @Test("what was abandoned leaves nothing behind")
    func abandoned() async throws {
        let cloud = try await TestCloud(.directory)
        let remote = try cloud.remote()
        let bytes = [UInt8](repeating: 1, count: 4 << 20)
        #expect(
            await reason {
                _ = try await remote.stage(StageID(1), from: MemorySource(bytes), near: cloud.path("a")) { _ in false }
            } == .changed)
        _ = try await remote.stage(StageID(2), from: MemorySource(bytes), near: cloud.path("a")) { _ in true }
        #expect(try await cloud.staged().count == 1)
        await remote.discard([StageID(2)])
        #expect(try await cloud.staged().isEmpty && cloud.spooled.isEmpty)
    }

    @Test("a place is tried out before it is used", arguments: CloudKind.installed)
    func check(_ kind: CloudKind) async throws {
        let cloud = try await TestCloud(kind)
        try await RcloneCheck.run(cloud.client)
        #expect(try await cloud.client.list(.root).names.isEmpty || kind == .objects || kind == .written)
        if kind == .objects {
            // Of this backend a place below a bucket lists no directories.
            let place = RcloneClient(try RcloneLocation("rclone:cloud:bucket/place"), cloud.service)
            await #expect(throws: RcloneFailure(.malformed)) { try await RcloneCheck.run(place) }
        } else if kind == .s3 {
            try await RcloneCheck.run(RcloneClient(try RcloneLocation("rclone:cloud:bucket/place"), cloud.service))
        }
        let parent = kind.isBucket ? "rclone:cloud:" : "rclone:cloud:nowhere"
        let reason: RcloneFailure.Reason = parent == "rclone:cloud:" ? .refused : .notFound
        do {
            try await RcloneCheck.run(RcloneClient(try RcloneLocation(parent), cloud.service))
            Issue.record("\(parent) can be used")
        } catch {
            #expect((error as? RcloneFailure)?.reason == reason)
        }
    }
}
