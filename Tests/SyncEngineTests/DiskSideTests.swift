import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct DiskSideTests {
    @Test func aFileIsCopiedWholeWithItsTimeAndHash() async throws {
        let world = try EndpointWorld()
        try world.folder.write("hello", to: "a")
        let id = world.stage()
        let source = try world.local.open(RelativePath(text: "a"), expecting: world.version(.local, "a"))
        let staged = try await world.remote.stage(id, from: source, near: .root) { _ in true }
        #expect(staged.size == 5)
        #expect(staged.hash.bytes.prefix(4) == [0x2C, 0xF2, 0x4D, 0xBA])
        #expect(try world.remoteFolder.names().filter { $0 != ".roundel" }.isEmpty, "staged is not visible")
        let version = try world.remote.publish(id, at: RelativePath(text: "a"), replacing: nil)
        #expect(try world.remoteFolder.read("a") == "hello")
        #expect(try world.version(.remote, "a").tag == version.tag)
        #expect(try version.modified == world.version(.local, "a").modified)
    }

    @Test(arguments: [0, 5, 3 << 20]) func aFileCanBeHashedBeforeItIsRead(length: Int) async throws {
        let world = try EndpointWorld()
        try world.folder.write(String(repeating: "a", count: length), to: "a")
        // With a hole after it.
        #expect(truncate(world.folder["a"].string, off_t(length + (1 << 20))) == 0)
        let source = try world.againWhileBusy {
            try world.local.open(RelativePath(text: "a"), expecting: world.version(.local, "a"))
        }
        let hash = try await source.hash()
        let staged = try await world.remote.stage(world.stage(), from: source, near: .root) { _ in true }
        #expect(staged.size == Int64(length + (1 << 20)))
        #expect(hash == staged.hash)
    }

    @Test func publishingWhereSomethingStandsIsRefused() async throws {
        let world = try EndpointWorld()
        try world.folder.write("mine", to: "a")
        try world.remoteFolder.write("theirs", to: "a")
        let failure = await #expect(throws: EffectFailure.self) { try await world.copy("a", from: .local) }
        #expect(failure?.reason == .exists)
        #expect(try world.remoteFolder.read("a") == "theirs")
    }

    @Test func replacingKeepsTheOldLocalVersionRestorable() async throws {
        let world = try EndpointWorld()
        try world.folder.write("old", to: "d/a")
        try world.remoteFolder.write("new", to: "d/a")
        try await world.copy("d/a", from: .remote, replacing: world.version(.local, "d/a"))
        #expect(try world.folder.read("d/a") == "new")
        let store = try world.local.workspace().replaced()
        let kept = try #require(try store.versions().first)
        #expect(kept.path == RelativePath(text: "d/a"))
        #expect(kept.size == 3)
        let text = try store.directory.open(kept.identifier, O_RDONLY).readAll(limit: 9)
        #expect(text == Array("old".utf8))
    }

    @Test func replacingAtTheRemoteLeavesNothingStaged() async throws {
        let world = try EndpointWorld()
        try world.folder.write("new", to: "a")
        try world.remoteFolder.write("old", to: "a")
        try await world.copy("a", from: .local, replacing: world.version(.remote, "a"))
        #expect(try world.remoteFolder.read("a") == "new")
        #expect(try world.remote.workspace().area().staging().names().isEmpty)
    }

    @Test func aVersionThatNobodyExpectedIsNotReplaced() async throws {
        let world = try EndpointWorld()
        try world.folder.write("synced", to: "a")
        try world.remoteFolder.write("new", to: "a")
        let seen = try world.version(.local, "a")
        try world.folder.write("edited since", to: "a")
        let failure = await #expect(throws: EffectFailure.self) {
            try await world.copy("a", from: .remote, replacing: seen)
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a") == "edited since")
    }

    @Test func aVersionThatComesRightBeforeTheExchangeIsNotReplaced() async throws {
        let world = try EndpointWorld()
        try world.folder.write("synced", to: "a")
        try world.remoteFolder.write("new", to: "a")
        let seen = try world.version(.local, "a")
        let file = try await #require(world.local.stagedFile(world.stagedCopy("a", from: .remote)))
        // Whatever was looked at earlier on the way there, the exchange looks at it itself.
        try world.folder.write("edited since", to: "a")
        let root = try DirectoryHandle(absolute: world.folder.path)
        let failure = #expect(throws: EffectFailure.self) {
            try world.local.disk.replacement.exchange(
                file, with: .constant("a"), in: root, at: RelativePath(text: "a"), expecting: seen)
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a") == "edited since")
    }

    @Test func aFileThatIsBeingWrittenIsNotReplaced() async throws {
        let world = try EndpointWorld()
        try world.folder.write("half", to: "a")
        try world.remoteFolder.write("new", to: "a")
        let version = try world.version(.local, "a")
        let staged = try await world.stagedCopy("a", from: .remote)
        let root = try DirectoryHandle(absolute: world.folder.path)
        let writer = try root.open(.constant("a"), O_WRONLY)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.publish(staged, at: RelativePath(text: "a"), replacing: version)
        }
        withExtendedLifetime(writer) { #expect(failure?.reason == .busy) }
        #expect(try world.folder.read("a") == "half")
    }

    @Test(arguments: Side.allCases) func aFileThatIsBeingWrittenIsNotRemoved(side: Side) throws {
        let world = try EndpointWorld()
        let folder = side == .local ? world.folder : world.remoteFolder
        try folder.write("half", to: "a")
        let version = try world.version(side, "a")
        let root = try DirectoryHandle(absolute: folder.path)
        let writer = try root.open(.constant("a"), O_WRONLY)
        func remove() throws(EffectFailure) {
            switch side {
            case .local: try world.local.remove(RelativePath(text: "a"), kind: .file, expecting: version)
            case .remote: try world.remote.remove(RelativePath(text: "a"), kind: .file, expecting: version)
            }
        }
        let failure = #expect(throws: EffectFailure.self) { try remove() }
        withExtendedLifetime(writer) { #expect(failure?.reason == .busy) }
        #expect(try folder.read("a") == "half")
    }

    @Test(arguments: Side.allCases) func aFileThatGrowsWhileItIsWrittenWaits(side: Side) throws {
        let world = try EndpointWorld()
        let folder = side == .local ? world.folder : world.remoteFolder
        try folder.write("half", to: "a")
        let version = try world.version(side, "a")
        let writer = try DirectoryHandle(absolute: folder.path).open(.constant("a"), O_WRONLY | O_APPEND)
        #expect(Glibc.write(writer.raw, " and more", 9) == 9)
        let failure = #expect(throws: EffectFailure.self) {
            switch side {
            case .local: _ = try world.local.open(RelativePath(text: "a"), expecting: version)
            case .remote: _ = try world.remote.open(RelativePath(text: "a"), expecting: version)
            }
        }
        withExtendedLifetime(writer) { #expect(failure?.reason == .busy) }
    }

    @Test func permissionsOfAReplacedFileStayAndNoneAreBroughtAlong() async throws {
        let world = try EndpointWorld()
        try world.folder.write("#!/bin/sh", to: "a")
        try world.remoteFolder.write("evil", to: "b")
        #expect(chmod(world.folder.path.appending("a").string, 0o4750) == 0)
        #expect(chmod(world.remoteFolder.path.appending("b").string, 0o4777) == 0)
        try world.remoteFolder.write("new", to: "a")
        try await world.copy("a", from: .remote, replacing: world.version(.local, "a"))
        try await world.copy("b", from: .remote)
        let root = try DirectoryHandle(absolute: world.folder.path)
        #expect(try root.status(of: .constant("a")).mode & 0o7777 == 0o750)
        #expect(try root.status(of: .constant("b")).mode & 0o7111 == 0)
    }

    @Test func aFileThatIsBeingWrittenWaits() throws {
        let world = try EndpointWorld()
        try world.folder.write("half", to: "a")
        let version = try world.version(.local, "a")
        let root = try DirectoryHandle(absolute: world.folder.path)
        let writer = try root.open(.constant("a"), O_WRONLY)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.open(RelativePath(text: "a"), expecting: version)
        }
        withExtendedLifetime(writer) { #expect(failure?.reason == .busy) }
    }

    @Test(arguments: Side.allCases) func aFileThatOnlyQuietTellsAboutWaitsForIt(side: Side) throws {
        let world = try EndpointWorld { _, _ in .unknown }
        let folder = side == .local ? world.folder : world.remoteFolder
        func isBusy() throws -> Bool {
            do {
                _ = try world.endpoint(side).open(RelativePath(text: "a"), expecting: world.version(side, "a"))
                return false
            } catch let failure as EffectFailure where failure.reason == .busy {
                return true
            }
        }
        var changed = ContinuousClock.now
        for setsTime in [false, true] {
            try folder.write("half", to: "a")
            var wasBusy = false
            // On a machine that pauses here for seconds the file becomes quiet before it is looked at.
            repeat {
                changed = .now
                // An old time that a program sets is no quiet.
                let times = setsTime ? [timeval(), timeval()] : nil
                #expect(utimes(folder.path.appending("a").string, times) == 0)
                wasBusy = try isBusy()
            } while ContinuousClock.now - changed > .seconds(4)
            #expect(wasBusy)
        }
        while try isBusy(), ContinuousClock.now - changed < .seconds(240) { usleep(100_000) }
        #expect(try !isBusy() && ContinuousClock.now - changed > .seconds(4))
    }

    @Test func aSourceThatChangesWhileItIsReadIsNotTaken() async throws {
        let world = try EndpointWorld()
        try world.folder.write("before", to: "a")
        let source = try world.local.open(RelativePath(text: "a"), expecting: world.version(.local, "a"))
        try world.folder.write("after!", to: "a")
        let failure = await #expect(throws: EffectFailure.self) {
            _ = try await world.remote.stage(world.stage(), from: source, near: .root) { _ in true }
        }
        #expect(failure?.reason == .changed)
        #expect(try world.remote.workspace().area().staging().names().isEmpty)
    }

    @Test func anAbandonedTransferLeavesNothing() async throws {
        let world = try EndpointWorld()
        try world.folder.write(String(repeating: "x", count: 3 << 20), to: "a")
        let source = try world.local.open(RelativePath(text: "a"), expecting: world.version(.local, "a"))
        await #expect(throws: EffectFailure.self) {
            _ = try await world.remote.stage(world.stage(), from: source, near: .root) { $0 < 1 << 20 }
        }
        #expect(try world.remote.workspace().area().staging().names().isEmpty)
    }

    @Test func movesTransferNothingAndReplaceNothing() throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "a/f")
        try world.folder.makeDirectory("b")
        try world.folder.write("y", to: "b/g")
        let before = try world.version(.local, "a/f")
        let after = try world.local.move(
            RelativePath(text: "a/f"), to: RelativePath(text: "b/f"), kind: .file, expecting: before)
        #expect(after.identity == before.identity)
        #expect(try world.folder.read("b/f") == "x")
        let taken = #expect(throws: EffectFailure.self) {
            _ = try world.local.move(
                RelativePath(text: "b/f"), to: RelativePath(text: "b/g"), kind: .file, expecting: after)
        }
        #expect(taken?.reason == .exists)
        let directory = try world.version(.local, "b")
        _ = try world.local.move(
            RelativePath(text: "b"), to: RelativePath(text: "a/c"), kind: .directory, expecting: directory)
        #expect(try world.folder.read("a/c/g") == "y")
    }

    @Test func whatIsNotTheItemMeantIsNotMoved() throws {
        let world = try EndpointWorld()
        try world.folder.write("synced", to: "f")
        try world.folder.write("another", to: "g")
        try world.folder.makeDirectory("d")
        let file = try world.version(.local, "f")
        let directory = try world.version(.local, "d")
        #expect(rename(world.folder["g"].string, world.folder["f"].string) == 0)
        #expect(rmdir(world.folder["d"].string) == 0)
        try world.folder.write("a file now", to: "d")
        for (name, kind, expected) in [("f", EntryKind.file, file), ("d", .directory, directory)] {
            let failure = #expect(throws: EffectFailure.self) {
                _ = try world.local.move(
                    RelativePath(text: name), to: RelativePath(text: "moved"), kind: kind, expecting: expected)
            }
            #expect(failure?.reason == .changed)
        }
        #expect(try world.folder.names().sorted() == ["d", "f"])
    }

    @Test func conflictResolutionMovesOneFileOverTheOtherAndKeepsIt() throws {
        let world = try EndpointWorld()
        try world.folder.write("theirs", to: "a")
        try world.folder.write("mine", to: "a (conflict)")
        _ = try world.local.replace(world.item("a"), with: world.item("a (conflict)"))
        #expect(try world.folder.names() == ["a"])
        #expect(try world.folder.read("a") == "mine")
        #expect(try world.local.workspace().replaced().versions().map(\.size) == [6])
    }

    @Test func conflictResolutionExchangesAnythingElseAndPutsTheLoserIntoTheTrash() throws {
        let world = try EndpointWorld()
        try world.folder.write("theirs", to: "a")
        try world.folder.write("mine", to: "a (conflict)/inside")
        let kept = try world.local.replace(world.item("a"), with: world.item("a (conflict)"))
        #expect(try world.folder.names() == ["a"])
        #expect(try world.folder.read("a/inside") == "mine")
        #expect(try kept == world.version(.local, "a"))
        #expect(try world.data.read("Trash/files/a (conflict)") == "theirs")
        try world.folder.write("other", to: "b")
        _ = try world.local.replace(world.item("a"), with: world.item("b"))
        #expect(try world.folder.read("a") == "other")
        #expect(try world.data.read("Trash/files/b/inside") == "mine")
    }

    @Test func aDirectoryDecidedAgainstGoesIntoTheTrashWhole() throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "d/e/f")
        let old = try world.item("d")
        try world.local.discard(old)
        #expect(!world.folder.exists("d"))
        #expect(try world.data.read("Trash/files/d/e/f") == "x")
        try world.folder.write("another", to: "d/f")
        let failure = #expect(throws: EffectFailure.self) { try world.local.discard(old) }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("d/f") == "another")
    }

    @Test func listingsLeaveTheEnginesOwnFilesOut() async throws {
        let world = try EndpointWorld()
        try world.remoteFolder.write("x", to: "a")
        _ = try world.remote.workspace().area()
        #expect(try world.remoteFolder.names().contains(".roundel"))
        let listed = try await world.remote.list(.root, identity: .none)
        #expect(listed.entries.map(\.name.description) == ["a"])
        #expect(listed.isComplete)
        #expect(try world.remote.entry(RelativePath(text: ".roundel"), in: .none) == nil)
    }

    @Test func aRootThatWasReplacedIsAnotherOneAndReceivesNothing() async throws {
        let world = try EndpointWorld()
        guard case .present(let first, _, _) = world.local.root() else { return #expect(Bool(false), "no root") }
        try world.remoteFolder.write("x", to: "a")
        let id = try await world.stagedCopy("a", from: .remote)
        world.local.rest()
        try FileManager.default.moveItem(atPath: world.folder.path.string, toPath: world.folder.path.string + ".old")
        defer { try? FileManager.default.removeItem(atPath: world.folder.path.string + ".old") }
        guard case .missing = world.local.root() else { return #expect(Bool(false), "still there") }
        try FileManager.default.createDirectory(atPath: world.folder.path.string, withIntermediateDirectories: false)
        #expect(throws: EffectFailure.self) {
            _ = try world.local.publish(id, at: RelativePath(text: "a"), replacing: nil)
        }
        guard case .present(let second, _, _) = world.local.root() else { return #expect(Bool(false), "no root") }
        #expect(first != second)
        #expect(try world.folder.names().isEmpty)
    }

    @Test func withoutItsRootNothingIsKnownOfAnItem() throws {
        let world = try EndpointWorld()
        try world.folder.write("hello", to: "a")
        guard case .present = world.local.root() else { return #expect(Bool(false), "no root") }
        world.local.rest()
        let away = world.folder.path.string + ".away"
        try FileManager.default.moveItem(atPath: world.folder.path.string, toPath: away)
        defer { try? FileManager.default.removeItem(atPath: away) }
        // Else the item would count as deleted, should the root be back when it is probed.
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.entry(RelativePath(text: "a"), in: .none)
        }
        #expect(failure?.reason == .notFound)
    }

    @Test func whatACrashLeftStagedIsCleared() throws {
        let world = try EndpointWorld()
        let staging = try world.remote.workspace().area().staging()
        _ = try staging.open(.constant("left"), O_WRONLY | O_CREAT, permissions: 0o600)
        let again = DirectoryRemote(at: world.remoteFolder.path, owner: .constant("folder"))
        #expect(try again.workspace().area().staging().names().isEmpty)
    }

    @Test func noChangeAfterALookHidesBehindTheClocksGrain() throws {
        // Whatever the clock's grain is: a version that is not racy differs from that of any later contents.
        let world = try EndpointWorld()
        let root = try DirectoryHandle(absolute: world.folder.path)
        let file = try root.open(.constant("a"), O_RDWR | O_CREAT, permissions: 0o600)
        var certain: Set<Token> = []
        for index in 0..<2_000 {
            var byte = UInt8(truncatingIfNeeded: index)
            #expect(pwrite(file.raw, &byte, 1, 0) == 1)
            let version = try world.version(.local, "a")
            #expect(!certain.contains(version.tag))
            if !version.isRacy { certain.insert(version.tag) }
        }
    }
}
