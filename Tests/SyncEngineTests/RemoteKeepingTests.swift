import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// What is replaced or deleted at a directory remote is kept there.
@Suite("What goes at a directory remote can be brought back")
struct RemoteKeepingTests {
    private func mode(_ directory: TemporaryDirectory, _ path: String) throws -> UInt32 {
        try DirectoryHandle(absolute: directory.path).status(at: RelativePath(text: path)).mode & 0o777
    }

    private func kept(_ world: EndpointWorld, _ path: String) throws -> KeptVersion {
        try #require(world.remote.keptVersions().first { $0.path == RelativePath(text: path) })
    }

    private func remove(_ world: EndpointWorld, _ path: String) throws {
        let entry = try #require(try world.remote.entry(RelativePath(text: path), in: .none))
        try world.remote.remove(RelativePath(text: path), kind: entry.kind, expecting: entry.version)
    }

    @Test("a replaced version, beside the one that replaced it")
    func replaced() async throws {
        let world = try EndpointWorld()
        try world.folder.write("new", to: "d/a.txt")
        try world.remoteFolder.write("old", to: "d/a.txt")
        try await world.copy("d/a.txt", from: .local, replacing: world.version(.remote, "d/a.txt"))
        try world.remote.syncRenames([BarrierItem(RelativePath(text: "d"))])
        let version = try kept(world, "d/a.txt")
        #expect(version.reason == .replaced && version.place == .remote && version.size == 3)
        #expect(try mode(world.remoteFolder, ".roundel/folder") == 0o700)
        #expect(try world.remote.restore(version) == RelativePath(text: "d/a (restored).txt"))
        #expect(try world.remoteFolder.read("d/a (restored).txt") == "old")
        #expect(try world.remote.keptVersions().isEmpty)
    }

    @Test("a deleted tree, path by path, no more readable than it was")
    func deletedTree() throws {
        let world = try EndpointWorld()
        try world.remoteFolder.write("secret", to: "d/private/a")
        try world.remoteFolder.makeDirectory("d/empty")
        let root = world.remoteFolder.path
        #expect(chmod(root.appending("d/private").string, 0o700) == 0)
        #expect(chmod(root.appending("d/private/a").string, 0o600) == 0)
        for path in ["d/private/a", "d/private", "d/empty", "d"] { try remove(world, path) }
        try world.remote.syncRenames([BarrierItem(.root)])
        #expect(!world.remoteFolder.exists("d"))
        #expect(try world.remote.keptVersions().map(\.isDirectory).count(where: { $0 }) == 3)
        #expect(try world.remote.restore(kept(world, "d/private/a")) == RelativePath(text: "d/private/a"))
        #expect(try world.remoteFolder.read("d/private/a") == "secret")
        #expect(try mode(world.remoteFolder, "d/private") == 0o700)
        #expect(try mode(world.remoteFolder, "d/private/a") == 0o600)
        #expect(try world.remote.restore(kept(world, "d/empty")) == RelativePath(text: "d/empty"))
        #expect(world.remoteFolder.exists("d/empty"))
    }

    @Test("a directory that something was put into meanwhile is neither removed nor noted")
    func notEmpty() throws {
        let world = try EndpointWorld()
        try world.remoteFolder.write("new", to: "d/a")
        let failure = #expect(throws: EffectFailure.self) { try remove(world, "d") }
        #expect(failure?.reason == .notEmpty)
        #expect(try world.remote.keptVersions().isEmpty)
    }

    @Test("another installation's part is not listed, not pruned and not synced")
    func shared() async throws {
        let world = try EndpointWorld()
        let other = DirectoryRemote(at: world.remoteFolder.path, owner: .constant("other"))
        for name in ["a", "b"] { try world.remoteFolder.write(name, to: name) }
        try remove(world, "a")
        let version = try #require(try other.entry(RelativePath(text: "b"), in: .none))
        try other.remove(RelativePath(text: "b"), kind: .file, expecting: version.version)
        #expect(try world.remote.keptVersions().map(\.path) == [RelativePath(text: "a")])
        #expect(try other.keptVersions().map(\.path) == [RelativePath(text: "b")])
        #expect(try other.workspace().replaced().makeRoom(for: 1 << 40, except: []) > 0)
        #expect(try world.remote.keptVersions().map(\.path) == [RelativePath(text: "a")])
        #expect(try await world.remote.list(.root, identity: .none).entries.isEmpty)
    }

    @Test("where nothing can be kept nothing is deleted, and the person is told")
    func withoutArea() throws {
        let world = try EndpointWorld()
        try world.remoteFolder.write("a person's", to: ".roundel")
        try world.remoteFolder.write("x", to: "a")
        let failure = #expect(throws: EffectFailure.self) { try remove(world, "a") }
        #expect(failure?.reason == .denied)
        #expect(failure?.message.code == .cannotKeep)
        #expect(try world.remoteFolder.read("a") == "x")
    }

    @Test(
        "kept versions give way where a disk is full",
        .enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func full() throws {
        let small = try MountedDirectory(options: "size=4m")
        let world = try FolderWorld(remoteIn: small.path)
        try world.folder.write(String(repeating: "x", count: 3 << 20), to: "old")
        try world.folder.write("stays", to: "stays")
        try world.start()
        try world.folder.remove("old")
        #expect(try world.syncNow().deletedRemote == 1)
        try world.folder.write(String(repeating: "y", count: 3 << 20), to: "new")
        try world.syncNow()
        #expect(try world.remote.read("new").count == 3 << 20)
        #expect(try world.state("new") == .synced)
    }

    @Test("what was deleted here and then there comes back from there")
    func roundTrip() throws {
        let world = try FolderWorld()
        for name in ["d/a", "b", "c"] { try world.folder.write(name, to: name) }
        try world.start()
        try world.folder.remove("d")
        #expect(try world.syncNow().deletedRemote == 2)
        let keeper = try #require(world.sync.remote as? any KeepsVersions)
        let version = try #require(try keeper.keptVersions().first { $0.path == RelativePath(text: "d/a") })
        let place = try keeper.restore(version)
        try world.run { $0.changed(.remote, items: [place]) }
        #expect(try world.folder.read("d/a") == "d/a")
        #expect(try world.syncNow().isSilent)
    }
}
