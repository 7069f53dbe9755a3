import Foundation
import GRDB
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// The mark by which a root is known.
@Suite struct RootMarkTests {
    private func world() throws -> FolderWorld {
        let world = try FolderWorld()
        for name in ["a", "d/b", "d/e/c"] { try world.folder.write(name, to: name) }
        try world.start()
        return world
    }

    private func known(_ world: FolderWorld, _ key: StoreKey = .localRoot) throws -> RootIdentity {
        try world.loop.queue.sync {
            try #require(world.sync.store.value(key).flatMap { RootIdentity(Token($0)) })
        }
    }

    /// Puts a copy with other inodes in the folder's place.
    private func replaceByCopy(_ directory: TemporaryDirectory) throws {
        let path = directory.path.string
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try FileManager.default.copyItem(atPath: path + ".old", toPath: path)
        try FileManager.default.removeItem(atPath: path + ".old")
    }

    @Test func bothRootsGetAMarkWhenTheyAreFirstSynced() throws {
        let world = try world()
        for (directory, key) in [(world.folder, StoreKey.localRoot), (world.remote, .remoteRoot)] {
            let mark = try directory.read(".roundel/root")
            #expect(mark.count == 32)
            #expect(try known(world, key).mark == mark)
        }
        #expect(try world.syncNow().isSilent)
        try world.restart()
        #expect(try world.start().isSilent)
    }

    @Test func aFolderFromBeforeThereWereMarksGetsOne() throws {
        let world = try world()
        let before = try [known(world), known(world, .remoteRoot)]
        try world.restart {
            let store = try SQLiteStore(path: world.state.path.appending("trees.db"))
            for (key, var identity) in zip([StoreKey.localRoot, .remoteRoot], before) {
                identity.mark = nil
                try store.setValue(identity.token.bytes, for: key)
            }
            try store.commit()
            store.close()
            for directory in [world.folder, world.remote] { try directory.remove(".roundel/root") }
        } then: { _ in
        }
        #expect(try world.start().isSilent)
        #expect(try known(world).mark == world.folder.read(".roundel/root"))
        #expect(try known(world, .remoteRoot).mark == world.remote.read(".roundel/root"))
    }

    @Test func aMarkThatSomebodyRemovedIsWrittenAgain() throws {
        let world = try world()
        let mark = try known(world).mark
        try world.folder.remove(".roundel")
        try world.restart()
        #expect(try world.start().isSilent)
        #expect(try world.folder.read(".roundel/root") == mark)
    }

    @Test(arguments: Side.allCases)
    func aCopyAtTheSamePlaceStopsTheFolder(side: Side) throws {
        let world = try world()
        try replaceByCopy(side == .local ? world.folder : world.remote)
        try (side == .local ? world.folder : world.remote).write("older", to: "a")
        let sync = world.sync
        world.loop.post { sync.command(.syncNow) }
        try world.wait("it stops") { $0.statuses.last?.phase == .stopped }
        #expect(world.record.statuses.last?.message.code == .rootCopied)
        #expect(try world.folder.read("a") == (side == .local ? "older" : "a"))
        #expect(try world.remote.read("a") == (side == .remote ? "older" : "a"))
    }

    @Test func aCopyThatIsTakenForTheFolderGoesOnWhereThatWas() throws {
        let world = try world()
        try world.restart {
            try replaceByCopy(world.folder)
            try world.folder.write("edited", to: "a")
            try world.folder.remove("d/e/c")
        } then: { _ in
            guard case .present(let identity, _, _) = world.sync.local.root() else {
                return #expect(Bool(false), "no root")
            }
            try world.sync.adopt(localRoot: identity)
        }
        let run = try world.start()
        #expect(run.uploaded == 1 && run.deletedRemote == 1 && run.downloaded == 0 && run.conflicts == 0)
        #expect(try world.remote.read("a") == "edited" && world.remote.read("d/b") == "d/b")
        #expect(!world.remote.exists("d/e/c"))
        #expect(try world.syncNow().isSilent)
    }

    @Test func aRootThatCannotBeWrittenIsKnownWithoutAMark() throws {
        let directory = try TemporaryDirectory()
        try directory.write("in the way", to: ".roundel")
        let remote = DirectoryRemote(at: directory.path, owner: .constant("x"))
        guard case .present(let identity, _, _) = remote.root() else { return #expect(Bool(false), "no root") }
        #expect(throws: EffectFailure.self) { _ = try remote.mark(knownAs: identity) }
        #expect(RootIdentity(identity)?.mark == nil)
    }
}
