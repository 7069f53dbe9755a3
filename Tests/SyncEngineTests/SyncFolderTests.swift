import Foundation
import Support
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct SyncFolderTests {
    @Test func bothSidesAreBroughtTogetherAndASecondRunIsSilent() throws {
        let world = try FolderWorld()
        try world.folder.write("mine", to: "a/local")
        try world.remote.write("theirs", to: "b/remote")
        let first = try world.start()
        #expect(first.uploaded == 1)
        #expect(first.downloaded == 1)
        #expect(try world.remote.read("a/local") == "mine")
        #expect(try world.folder.read("b/remote") == "theirs")
        #expect(try world.state("a/local") == .synced)
        #expect(try world.syncNow().isSilent)
    }

    @Test func equalFilesOnBothSidesAreUnitedWithoutATransfer() throws {
        let world = try FolderWorld()
        try world.folder.write("same", to: "a")
        try world.remote.write("same", to: "a")
        let run = try world.start()
        #expect(run.isSilent)
        #expect(try world.state("a") == .synced)
    }

    @Test func editsGoBothWays() throws {
        let world = try FolderWorld()
        try world.folder.write("1", to: "a")
        try world.remote.write("1", to: "b")
        try world.start()
        try world.folder.write("22", to: "a")
        try world.remote.write("22", to: "b")
        let run = try world.syncNow()
        #expect(run.uploaded == 1)
        #expect(run.downloaded == 1)
        #expect(try world.remote.read("a") == "22")
        #expect(try world.folder.read("b") == "22")
        #expect(run.conflicts == 0)
    }

    @Test func deletionsGoBothWaysAndTheLocalOneIsInTheTrash() throws {
        let world = try FolderWorld()
        for name in ["a", "b", "keep1", "keep2", "keep3"] { try world.folder.write(name, to: name) }
        try world.start()
        try world.folder.remove("a")
        try world.remote.remove("b")
        let run = try world.syncNow()
        #expect(run.deletedRemote == 1)
        #expect(run.deletedLocal == 1)
        #expect(!world.remote.exists("a"))
        #expect(!world.folder.exists("b"))
        #expect(try world.data.read("Trash/files/b") == "b")
        #expect(try world.data.read("Trash/info/b.trashinfo").hasPrefix("[Trash Info]\nPath=\(world.folder.path)/b\n"))
    }

    @Test("D7: a conflict of a file and a directory is decided", arguments: [ConflictChoice.mine, .theirs])
    func conflictOfTypeIsDecided(choice: ConflictChoice) throws {
        let world = try FolderWorld()
        try world.folder.write("mine", to: "a/inside")
        try world.remote.write("theirs", to: "a")
        try world.start()
        try world.syncNow()
        #expect(try world.state("a") == .conflict)
        try world.run { sync in
            guard let node = try? sync.store.localNode(at: RelativePath(text: "a")) else { return }
            sync.command(.resolve(node, choice))
        }
        try world.syncNow()
        for side in [world.folder, world.remote] {
            #expect(try side.names().filter { $0 != ".roundel" } == ["a"])
            #expect(try side.read(choice == .mine ? "a/inside" : "a") == (choice == .mine ? "mine" : "theirs"))
        }
        #expect(try world.state("a") == .synced)
        let trashed = try #require(try world.data.names(in: "Trash/files").first)
        #expect(
            try world.data.read("Trash/files/\(trashed)\(choice == .mine ? "" : "/inside")")
                == (choice == .mine ? "theirs" : "mine"))
    }

    @Test func aRenamedFolderIsOneMove() throws {
        let world = try FolderWorld()
        for index in 0..<20 { try world.folder.write("\(index)", to: "old/\(index)") }
        try world.start()
        try FileManager.default.moveItem(
            atPath: world.folder.path.appending("old").string, toPath: world.folder.path.appending("new").string)
        let run = try world.syncNow()
        #expect(run.moved == 1)
        #expect(run.uploaded == 0)
        #expect(try world.remote.names(in: "new").count == 20)
        #expect(!world.remote.exists("old"))
    }

    @Test func anEditOnBothSidesKeepsBothVersionsBesideEachOther() throws {
        let world = try FolderWorld()
        try world.folder.write("base", to: "a.txt")
        try world.start()
        try world.folder.write("mine", to: "a.txt")
        try world.remote.write("theirs!", to: "a.txt")
        let run = try world.syncNow()
        #expect(run.conflicts == 1)
        let names = try world.folder.items()
        #expect(names.count == 2)
        #expect(try world.folder.read("a.txt") == "theirs!")
        let copy = try #require(names.first { $0.hasPrefix("a (conflict") && $0.hasSuffix("TEST).txt") })
        #expect(try world.folder.read(copy) == "mine")
        #expect(try world.remote.read(copy) == "mine")
        #expect(try world.state("a.txt") == .conflict)
        #expect(try world.state(copy) == .conflict)
    }

    @Test func aRestartContinuesSilently() throws {
        let world = try FolderWorld()
        for index in 0..<50 { try world.folder.write("\(index)", to: "d\(index % 5)/\(index)") }
        try world.start()
        try world.restart()
        #expect(try world.start().isSilent)
    }

    @Test func aLostDatabaseMeansUnionAndDeletesNothing() throws {
        let world = try FolderWorld()
        for name in ["a", "b", "c"] { try world.folder.write(name, to: name) }
        try world.start()
        try world.folder.remove("a")
        try world.remote.remove("b")
        try world.restart()
        for suffix in ["", "-wal", "-shm"] { try? world.state.remove("trees.db" + suffix) }
        try world.restart()
        let run = try world.start()
        #expect(run.deletedLocal + run.deletedRemote == 0)
        #expect(try world.folder.items() == ["a", "b", "c"])
        #expect(try world.remote.names().filter { !$0.hasPrefix(".") } == ["a", "b", "c"])
    }

    @Test func aDamagedDatabaseIsSetAsideAndSaidSo() throws {
        let world = try FolderWorld()
        try world.folder.write("a", to: "a")
        try world.start()
        try world.restart()
        let path = world.state.path.appending("trees.db")
        for suffix in ["-wal", "-shm"] { try? world.state.remove("trees.db" + suffix) }
        try SmallFile.replace(path, with: Array(repeating: 7, count: 20_000))
        try world.restart()
        // The one in its place knows no roots, and what was kept of the folder must be found all the same.
        guard case .unreadable = world.sync.notedRoots else { throw Failure("it counts as never synced") }
        let run = try world.start()
        #expect(run.isSilent)
        #expect(world.state.exists("trees.db.damaged"))
        #expect(world.record.warnings.contains { $0.code == .storeDamaged })
    }

    @Test func anEmptiedRemoteDeletesNothing() throws {
        let world = try FolderWorld()
        for index in 0..<30 { try world.folder.write("\(index)", to: "\(index)") }
        try world.start()
        for index in 0..<30 { try world.remote.remove("\(index)") }
        try world.syncNow()
        #expect(try world.folder.items().count == 30)
        guard case .confirmDeletes(let count, let side)? = world.record.statuses.last?.phase else {
            Issue.record("the folder does not ask: \(String(describing: world.record.statuses.last))")
            return
        }
        #expect(count == 30)
        #expect(side == .local)
    }

    @Test func aMissingRootStopsTheFolderAndItsReturnGoesOn() throws {
        let world = try FolderWorld()
        try world.folder.write("a", to: "a")
        try world.start()
        let path = world.remote.path.string
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        try world.syncNow()
        #expect(world.record.statuses.last?.phase == .stopped || world.record.statuses.last?.phase == .offline)
        #expect(try world.folder.items() == ["a"])
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        try world.folder.write("b", to: "b")
        try world.syncNow()
        #expect(world.remote.exists("b"))
    }

    @Test func aReplacedRootStopsTheFolder() throws {
        let world = try FolderWorld()
        try world.folder.write("a", to: "a")
        try world.start()
        let path = world.folder.path.string
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        defer { try? FileManager.default.removeItem(atPath: path + ".away") }
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try world.syncNow()
        #expect(world.record.statuses.last?.phase == .stopped)
        #expect(world.remote.exists("a"))
        #expect(try world.folder.names().isEmpty)
    }

    @Test func symbolicLinksAndExcludedNamesStayWhereTheyAre() throws {
        let world = try FolderWorld()
        try world.folder.write("x", to: "real")
        try world.folder.write("x", to: "draft~")
        try FileManager.default.createSymbolicLink(
            atPath: world.folder.path.appending("link").string, withDestinationPath: "/etc")
        try world.start()
        #expect(try world.remote.names().filter { $0 != ".roundel" } == ["real"])
        #expect(try world.state("link") == .excluded)
        #expect(try world.state("draft~") == .excluded)
    }

    @Test func namesOfAnyBytesAreSynced() throws {
        let world = try FolderWorld()
        let root = try DirectoryHandle(absolute: world.folder.path)
        let names: [[UInt8]] = [[0xFF, 0x0A, 0x25], Array(repeating: 0x62, count: 255), Array("ä".utf8)]
        for bytes in names {
            _ = try root.open(try #require(EntryName(bytes)), 0o101, permissions: 0o600)
        }
        #expect(try world.start().uploaded == 3)
        let copied = try DirectoryHandle(absolute: world.remote.path).names().map(\.bytes)
        #expect(Set(copied).isSuperset(of: names))
    }
}
