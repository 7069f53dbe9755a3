import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct FileSystemTests {
    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func aFullRemoteIsSaidAndNothingIsLost() throws {
        let small = try MountedDirectory(options: "size=2m")
        let world = try FolderWorld(remoteIn: small.path)
        try world.folder.write(String(repeating: "x", count: 4 << 20), to: "big")
        try world.folder.write("y", to: "small")
        let run = try world.start()
        #expect(run.errors == 1)
        #expect(try world.state("big") == .error)
        #expect(try world.state("small") == .synced)
        #expect([.noSpace, .tooLittleSpace].contains(try world.message("big").code))
        #expect(try world.remote.names().filter { $0 != ".roundel" } == ["small"])
        try world.folder.write("now it fits", to: "big")
        try world.syncNow()
        #expect(try world.remote.read("big") == "now it fits")
    }

    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func aReadOnlyRemoteIsSaidAndStillRead() throws {
        let mounted = try MountedDirectory(options: "size=2m")
        let world = try FolderWorld(remoteIn: mounted.path)
        try world.remote.write("theirs", to: "from-remote")
        try mounted.makeReadOnly()
        try world.folder.write("mine", to: "to-remote")
        let run = try world.start()
        #expect(try world.folder.read("from-remote") == "theirs")
        #expect(try world.state("to-remote") == .error)
        #expect(run.errors == 1)
        #expect(try world.folder.read("to-remote") == "mine")
    }

    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func stateOnAnotherFileSystemMakesTheFolderStageInItself() async throws {
        let other = try MountedDirectory(options: "size=2m")
        let world = try EndpointWorld(stateIn: other.path)
        try world.folder.write("old", to: "a")
        try world.remoteFolder.write("new", to: "a")
        try await world.copy("a", from: .remote, replacing: world.version(.local, "a"))
        #expect(try world.folder.read("a") == "new")
        #expect(world.folder.exists(".roundel"))
        #expect(try await world.local.list(.root, identity: .none).entries.map(\.name.description) == ["a"])
        #expect(try world.local.workspace().replaced().versions().count == 1)
    }

    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func theTrashOfAnotherFileSystemIsInItsTopDirectory() throws {
        let other = try MountedDirectory(options: "size=2m")
        let world = try EndpointWorld(in: other.path)
        try world.folder.write("gone", to: "d/ä b")
        try world.local.remove(RelativePath(text: "d/ä b"), kind: .file, expecting: world.version(.local, "d/ä b"))
        let trash = ".Trash-\(getuid())"
        let inTop = other.directory
        #expect(try inTop.read("\(trash)/files/ä b") == "gone")
        let name = try #require(world.folder.path.lastComponent?.string)
        let note = try inTop.read("\(trash)/info/ä b.trashinfo")
        #expect(note.contains("\nPath=\(name)/d/%C3%A4%20b\n"), "relative to the top directory")
    }

    @Test func aMissingParentIsNotFoundAndNothingIsWrittenElsewhere() async throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "a")
        let id = try await world.stagedCopy("a", from: .local)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.remote.publish(id, at: RelativePath(text: "no/such/a"), replacing: nil)
        }
        #expect(failure?.reason == .notFound)
    }

    @Test func aDirectoryReplacedByALinkReceivesNothing() async throws {
        let world = try EndpointWorld()
        let outside = try TemporaryDirectory()
        try world.folder.write("x", to: "d/a")
        try FileManager.default.createSymbolicLink(
            atPath: world.remoteFolder.path.appending("d").string, withDestinationPath: outside.path.string)
        let id = try await world.stagedCopy("d/a", from: .local)
        #expect(throws: EffectFailure.self) {
            _ = try world.remote.publish(id, at: RelativePath(text: "d/a"), replacing: nil)
        }
        #expect(try outside.names().isEmpty)
    }
}
