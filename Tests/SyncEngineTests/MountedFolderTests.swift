import CLinux
import Glibc
import MountProtocol
import MountSupport
import Support
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite(
    "A folder on demand is synced", .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct MountedFolderTests {
    private let world: MountedWorld

    init() throws { world = try MountedWorld() }

    private static let large = String(repeating: "0123456789abcdef", count: 20_000)

    /// The run in which something was fetched ends sometime after a program has read it.
    private func expectQuiet() throws {
        let last = try world.syncNow()
        #expect(last.uploaded == 0 && last.errors == 0 && last.conflicts == 0)
        #expect(try world.syncNow().isSilent)
    }

    @Test("contents that began to be moved, but have their size still, are refused and thrown away; others are brought")
    func spent() async throws {
        try world.remote.write(Self.large, to: "file")
        try world.start()
        let (path, id) = (RelativePath(text: "file"), StageID(1 << 40))
        let local = try #require(world.sync.local as? LocalFolder)
        let remote = try #require(world.sync.remote as? any DiskSide)
        let version = try #require(try local.entry(path, in: .none)).version
        let original = try #require(await remote.entry(path, in: .none)).version
        let source = try await remote.open(path, expecting: original)
        let staging = local.disk.staging
        _ = try await staging.stage(id, from: source, near: path) { _ in true }
        let name = try #require(staging.file(id)?.name)
        let behind = world.mount.behind("\(try local.workspace().stagingPath.appending(name))")
        #expect(setxattr(behind, Placeholder.spentAttribute, [1], 1, 0) == 0)
        let failure = #expect(throws: EffectFailure.self) { try local.fill(path, with: id, expecting: version) }
        #expect(failure?.reason == .changed)
        #expect(staging.file(id) == nil && access(behind, F_OK) != 0)
        #expect(try world.read("file") == Self.large)
    }

    @Test("what is new at the remote has its size and date here, and takes no room")
    func placeholders() throws {
        try world.remote.write(Self.large, to: "a/large")
        try world.remote.write("small", to: "ä b")
        try world.remote.write("", to: "empty")
        let run = try world.start()
        #expect(run.errors == 0)
        for name in ["a/large", "ä b"] {
            #expect(world.isAway(name), "\(name)")
            let remote = try DirectoryHandle(absolute: world.remote.path).status(at: RelativePath(text: name))
            #expect(world.status(name)?.size == remote.size && world.status(name)?.modified == remote.modified)
        }
        #expect(world.status("empty")?.size == 0 && !world.mount.isMarked("empty"))
        #expect(try world.syncNow().isSilent)
        #expect(world.wanted.isEmpty)
    }

    @Test("a program that opens one gets its contents, and nothing else is fetched")
    func opened() throws {
        try world.remote.write(Self.large, to: "a/large")
        try world.remote.write("other", to: "a/other")
        try world.start()
        #expect(try world.read("a/large") == Self.large)
        #expect(!world.isAway("a/large") && world.isAway("a/other"))
        #expect(world.wanted == ["a/large"])
        #expect(try world.read("a/large") == Self.large)
        #expect(world.wanted.count == 1)
        try expectQuiet()
    }

    @Test("what is freed gives its room back and is fetched again")
    func freed() throws {
        try world.mount.base.write(Self.large, to: "folder/file")
        try world.start()
        try world.sync("uploaded") { try world.remote.exists("file") && world.syncNow().isSilent }
        try world.wait("freed") { try world.demand(.away, "file") == .done }
        #expect(world.isAway("file") && world.status("file")?.size == UInt64(Self.large.utf8.count))
        #expect(try world.syncNow().isSilent)
        #expect(try world.read("file") == Self.large)
        #expect(try world.remote.read("file") == Self.large)
    }

    @Test("what is open or pinned is not freed, and says so; what was changed is uploaded first")
    func notFreed() throws {
        for name in ["open", "pinned", "changed"] { try world.remote.write(Self.large, to: name) }
        try world.start()
        for name in ["open", "pinned", "changed"] { #expect(try world.demand(.here, name) == .done) }
        try world.wish(.alwaysHere, "pinned")
        let holder = try RunningProgram(
            ["sh", "-c", "exec < \"$1\"; echo ready; exec sleep 1000", "sh", world.mount("open")],
            environment: RunningProgram.inheritedEnvironment)
        defer { holder.kill() }
        _ = try holder.line()
        for (name, reason) in [("open", DemandFailure.Reason.inUse), ("pinned", .pinned)] {
            guard case .failed(let failure)? = try world.demand(.away, name) else {
                Issue.record("\(name) was freed")
                continue
            }
            #expect(failure.reason == reason, "\(name)")
            #expect(!world.isAway(name))
        }
        try world.write("mine", to: "changed")
        _ = try world.demand(.away, "changed")
        try world.sync("uploaded") { try world.remote.read("changed") == "mine" }
        #expect(try world.read("changed") == "mine")
    }

    @Test("a newer version of the remote is described without a fetch, also while somebody waits for the older one")
    func described() throws {
        try world.remote.write("former", to: "file")
        try world.start()
        try world.remote.write(Self.large, to: "file")
        let run = try world.syncNow()
        #expect(run.downloaded == 0 && world.isAway("file"))
        #expect(world.status("file")?.size == UInt64(Self.large.utf8.count))
        // Nothing has told the session of this one.
        try world.remote.write("newest", to: "file")
        let reader = try RunningProgram(
            ["cat", world.mount("file")], environment: RunningProgram.inheritedEnvironment)
        let outcome = try reader.finish()
        #expect(outcome.status != 0 || outcome.output == "newest")
        try world.sync("described") { world.status("file")?.size == 6 }
        #expect(try world.read("file") == "newest")
    }

    @Test("what a program writes is uploaded, also over a placeholder, which is not fetched for that")
    func uploaded() throws {
        try world.remote.write(Self.large, to: "over")
        try world.remote.write("one\n", to: "appended")
        try world.start()
        try world.write("new", to: "new")
        try world.write("mine", to: "over")
        #expect(try world.run(["sh", "-c", "echo two >> \"$1\"", "sh", world.mount("appended")]).status == 0)
        try world.sync("uploaded") {
            try world.remote.exists("new") && world.remote.read("over") == "mine"
                && world.remote.read("appended") == "one\ntwo\n"
        }
        #expect(world.wanted == ["appended"])
    }

    @Test("placeholders are renamed and deleted on either side without a transfer")
    func renamed() throws {
        for name in ["dir/a", "dir/b", "c", "d", "e"] { try world.remote.write(Self.large + name, to: name) }
        try world.start()
        #expect(try world.run(["mv", world.mount("dir"), world.mount("folder")]).status == 0)
        #expect(try world.run(["rm", world.mount("c")]).status == 0)
        try world.remote.rename("d", to: "f")
        try world.remote.remove("e")
        var transfers = 0
        try world.sync("moved") {
            let run = try world.syncNow()
            transfers += run.uploaded + run.downloaded
            return world.remote.exists("folder/a") && !world.remote.exists("c") && world.exists("f")
                && !world.exists("e")
        }
        #expect(transfers == 0 && world.wanted.isEmpty)
        for name in ["folder/a", "folder/b", "f"] { #expect(world.isAway(name), "\(name)") }
        #expect(!world.remote.exists("dir") && !world.exists("d"))
        #expect(try world.read("folder/b") == Self.large + "dir/b")
        // There is nothing in a placeholder that anybody could restore.
        #expect(!world.exists(".Trash-\(getuid())/files/e"))
    }

    @Test("what is deleted at the remote goes to the trash of the folder, which is not synced")
    func trashed() throws {
        try world.remote.write("contents", to: "file")
        for number in 0..<4 { try world.remote.write("x", to: "keep\(number)") }
        try world.start()
        #expect(try world.read("file") == "contents")
        try world.remote.remove("file")
        try world.sync("deleted") { !world.exists("file") }
        #expect(try world.read(".Trash-\(getuid())/files/file") == "contents")
        #expect(try world.syncNow().isSilent)
        #expect(!world.remote.exists(".Trash-\(getuid())"))
    }

    @Test("while the folder is not mounted nothing is deleted, and afterwards it goes on")
    func unmounted() throws {
        for name in ["a", "b", "c"] { try world.remote.write(name, to: name) }
        try world.start()
        #expect(try world.read("a") == "a")
        world.mount.kill()
        world.beginSync()
        try world.wait("it is known") { world.lastStatus?.message.code == .notMountedYet }
        world.mount.unmount()
        // An empty directory stands there now.
        world.beginSync()
        #expect(try world.run(["ls", "-A", world.mount.path]).output.isEmpty)
        for name in ["a", "b", "c"] { #expect(world.remote.exists(name)) }
        try world.mount.mount()
        try world.write("d", to: "d")
        try world.sync("mounted again") { world.remote.exists("d") }
        for name in ["a", "b", "c"] { #expect(try world.remote.read(name) == name) }
        #expect(try world.read("b") == "b" && world.isAway("c"))
    }

    @Test("a new session knows placeholders again; without the database everything is united and nothing deleted")
    func restarted() throws {
        for name in ["a", "b", "dir/c"] { try world.remote.write(Self.large + name, to: name) }
        try world.start()
        #expect(try world.read("a") == Self.large + "a")
        try world.restart()
        #expect(try world.start().isSilent)
        #expect(world.isAway("b") && !world.isAway("a"))
        try world.restart {
            for name in try world.state.names() where name.hasPrefix("trees.db") { try world.state.remove(name) }
        }
        let run = try world.start()
        #expect(run.uploaded == 0 && run.downloaded == 0 && run.deletedLocal == 0 && run.deletedRemote == 0)
        #expect(run.conflicts == 0 && run.errors == 0)
        #expect(world.isAway("b") && world.isAway("dir/c") && !world.isAway("a"))
        #expect(try world.read("dir/c") == Self.large + "dir/c")
        try expectQuiet()
    }
}
