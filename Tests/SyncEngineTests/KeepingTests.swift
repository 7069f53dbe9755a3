import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct KeepingTests {
    @Test func theTrashIsLaidOutAsTheSpecificationSays() throws {
        let world = try EndpointWorld()
        try world.folder.write("one", to: "x/report.txt")
        try world.folder.write("two", to: "y/report.txt")
        for path in ["x/report.txt", "y/report.txt"] {
            try world.local.remove(RelativePath(text: path), kind: .file, expecting: world.version(.local, path))
        }
        #expect(try world.data.names(in: "Trash/files") == ["report.txt", "report.txt.2"])
        #expect(try world.data.names(in: "Trash/info") == ["report.txt.2.trashinfo", "report.txt.trashinfo"])
        let lines = try world.data.read("Trash/info/report.txt.trashinfo").split(separator: "\n")
        #expect(lines[0] == "[Trash Info]")
        #expect(lines.contains("Path=\(world.folder.path)/x/report.txt"))
        let date = try #require(lines.first { $0.hasPrefix("DeletionDate=") })
        #expect(date.wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
    }

    @Test func aNameOf255BytesHasRoomForItsNote() throws {
        let world = try EndpointWorld()
        let name = String(repeating: "n", count: 255)
        try world.folder.write("x", to: name)
        try world.local.remove(RelativePath(text: name), kind: .file, expecting: world.version(.local, name))
        #expect(try world.data.names(in: "Trash/files").count == 1)
        #expect(try world.data.names(in: "Trash/info").allSatisfy { $0.hasSuffix(".trashinfo") })
    }

    @Test func aVersionThatCameBeforeTheRemovalStays() throws {
        let world = try EndpointWorld()
        try world.folder.write("synced", to: "a")
        let seen = try world.version(.local, "a")
        try world.folder.write("edited", to: "a")
        let failure = #expect(throws: EffectFailure.self) {
            try world.local.remove(RelativePath(text: "a"), kind: .file, expecting: seen)
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a") == "edited")
    }

    @Test func aDirectoryWithSomethingInItIsNotRemoved() throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "d/new")
        let failure = #expect(throws: EffectFailure.self) {
            try world.local.remove(
                RelativePath(text: "d"), kind: .directory, expecting: world.version(.local, "d"))
        }
        #expect(failure?.reason == .notEmpty)
        #expect(try world.folder.read("d/new") == "x")
    }

    @Test func replacedVersionsGoByAgeThenByTheOldestBeyondTheSize() throws {
        let directory = try TemporaryDirectory()
        let store = ReplacedStore(
            try DirectoryHandle(absolute: directory.path), limits: ReplacedStore.Limits(age: 100, size: 10))
        for (date, text) in [(0, "too old"), (950, "aaaaaa"), (960, "bbbbbb"), (970, "cc")] {
            let slot = try store.announce(KeptNote(RelativePath(text: "f\(date)"), .replaced, date: Int64(date)))
            try directory.write(text, to: slot.description)
        }
        #expect(try store.prune(now: 1_000) == 8)
        #expect(try store.versions().map(\.path.description) == ["f960", "f970"])
        #expect(try directory.names().count == 4)
        // What is too old goes also where there is room for it.
        #expect(try store.prune(now: 1_065) == 2)
        #expect(try store.versions().map(\.path.description) == ["f970"])
    }

    @Test func anExchangeThatNeverHappenedLeavesNoVersion() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        let store = ReplacedStore(handle)
        try directory.write("new contents, not yet exchanged", to: "staged")
        let inode = try handle.status(of: .constant("staged")).inode
        let slot = try store.announce(KeptNote(RelativePath(text: "f"), .replaced, date: 10, placeholder: inode))
        try handle.rename(.constant("staged"), to: slot, in: handle)
        #expect(try store.versions().isEmpty)
        try store.removeLeftovers()
        #expect(try directory.names().isEmpty)
    }

    @Test func aVersionWhoseTextIsLostIsStillKept() throws {
        let directory = try TemporaryDirectory()
        let store = ReplacedStore(try DirectoryHandle(absolute: directory.path))
        try directory.write("precious", to: "0123456789abcdef")
        try store.removeLeftovers()
        #expect(try store.prune(now: DiskEndpoint.seconds()) == 8)
        #expect(try directory.read("0123456789abcdef") == "precious")
        #expect(try store.versions().count == 1)
    }

    @Test func aSecondWorkerOnAStateDirectoryIsRefused() throws {
        let directory = try TemporaryDirectory()
        let first = try StateLock(directory: directory.path)
        let failure = #expect(throws: StateLock.Failure.self) { _ = try StateLock(directory: directory.path) }
        guard case .held? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        withExtendedLifetime(first) {}
    }

    @Test func theLockGoesWithItsHolder() throws {
        let directory = try TemporaryDirectory()
        do { _ = try StateLock(directory: directory.path) }
        _ = try StateLock(directory: directory.path)
    }
}
