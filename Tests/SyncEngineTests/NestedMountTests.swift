import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// File systems that are mounted inside the folder or its remote.
@Suite(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
struct NestedMountTests {
    /// A folder in which a file system with a few files is mounted at `data`, on one side.
    private struct World {
        let sync: FolderWorld
        let disk: MountedDirectory
        let side: Side
        let place: NestedMount

        init(_ side: Side, options: String = "size=4m") throws {
            sync = try FolderWorld()
            self.side = side
            disk = try MountedDirectory(options: options)
            let root = side == .local ? sync.folder : sync.remote
            try root.write("beside", to: "beside")
            for number in 1...3 { try disk.directory.write("\(number)", to: "f\(number)") }
            try disk.directory.write("deep", to: "sub/deep")
            try root.makeDirectory("data")
            place = NestedMount(of: disk.path, at: root.path.string + "/data")
            try place.mount()
            try sync.start()
        }

        var own: TemporaryDirectory { side == .local ? sync.folder : sync.remote }
        var other: TemporaryDirectory { side == .local ? sync.remote : sync.folder }
    }

    @Test("what is unmounted is an error, and nothing in it is deleted on the other side", arguments: Side.allCases)
    func unmounted(side: Side) throws {
        let world = try World(side)
        #expect(try world.other.read("data/sub/deep") == "deep")
        try world.place.unmount()
        let run = try world.sync.syncNow()
        #expect(run.deletedLocal + run.deletedRemote + run.uploaded + run.downloaded == 0)
        #expect(run.errors == 1)
        #expect(try world.sync.state("data") == .error)
        #expect(try world.sync.state("") == .error)
        #expect(try world.sync.message("data").code == .unmounted)
        #expect(try world.other.read("data/sub/deep") == "deep")
        // The rest goes on, nothing is written where the file system belongs, nothing there is taken for the folder's.
        try world.own.write("new", to: "data/stranger")
        try world.other.write("new", to: "data/sub/added")
        try world.other.write("edited", to: "data/f1")
        try world.own.write("new", to: "elsewhere")
        try world.sync.syncNow()
        #expect(try world.other.read("elsewhere") == "new")
        #expect(!world.other.exists("data/stranger"))
        #expect(try world.own.names(in: "data") == ["stranger"])
        #expect(try world.sync.state("data") == .error)
        try world.sync.restart()
        try world.sync.start()
        #expect(try world.sync.state("data") == .error)
        #expect(try world.other.read("data/f2") == "2")
        // It comes back with changes of its own.
        try world.disk.directory.write("from the disk", to: "f3")
        try world.place.mount()
        try world.sync.syncNow()
        #expect(try world.sync.state("") == .synced)
        #expect(try world.own.read("data/sub/added") == "new")
        #expect(try world.own.read("data/f1") == "edited")
        #expect(try world.other.read("data/f3") == "from the disk")
        #expect(!world.other.exists("data/stranger"))
    }

    @Test("told item by item, what was unmounted is not taken for deleted", arguments: Side.allCases)
    func told(side: Side) throws {
        let world = try World(side)
        try world.place.unmount()
        let items = ["data/f1", "data/sub/deep", "data/sub"].map { RelativePath(text: $0) }
        try world.sync.run { $0.changed(side, items: items) }
        try world.sync.wait("it is noticed") { $0.statuses.last?.counts.errors == 1 }
        #expect(try world.sync.state("data") == .error)
        #expect(try world.other.names(in: "data") == ["f1", "f2", "f3", "sub"])
    }

    @Test("a directory that is removed with its mount is asked about", arguments: Side.allCases)
    func removed(side: Side) throws {
        let world = try World(side)
        try world.place.unmount()
        #expect(rmdir(world.place.path) == 0)
        try world.sync.syncNow()
        guard case .confirmDeletes? = world.sync.record.statuses.last?.phase else {
            Issue.record("nobody was asked: \(String(describing: world.sync.record.statuses.last))")
            return
        }
        #expect(try world.other.read("data/sub/deep") == "deep")
        try world.sync.run { $0.command(.confirmDeletes) }
        try world.sync.wait("it is done") { $0.statuses.last?.phase == .idle }
        #expect(!world.other.exists("data"))
        #expect(try world.sync.state("") == .synced)
    }

    @Test("another file system at the same place is an error; the right one goes on", arguments: Side.allCases)
    func another(side: Side) throws {
        let world = try World(side)
        try world.place.unmount()
        let stranger = try MountedDirectory(options: "size=1m")
        try stranger.directory.write("stranger", to: "f1")
        let place = NestedMount(of: stranger.path, at: world.place.path)
        try place.mount()
        try world.sync.syncNow()
        #expect(try world.sync.state("data") == .error)
        #expect(try world.other.read("data/f1") == "1")
        try place.unmount()
        try world.place.mount()
        try world.sync.syncNow()
        #expect(try world.sync.state("") == .synced)
    }

    @Test("what is mounted over files hides them, and they are not deleted", arguments: Side.allCases)
    func covered(side: Side) throws {
        let sync = try FolderWorld()
        let root = side == .local ? sync.folder : sync.remote
        let other = side == .local ? sync.remote : sync.folder
        try root.write("kept", to: "data/kept")
        try sync.start()
        let place = NestedMount(of: "", at: root.path.string + "/data")
        try place.mountEmpty()
        try sync.syncNow()
        #expect(try sync.state("data") == .error)
        #expect(try other.read("data/kept") == "kept")
        try place.unmount()
        try sync.syncNow()
        #expect(try sync.state("") == .synced)
        #expect(try root.read("data/kept") == "kept")
    }

    @Test("replacing, adding and deleting work inside a mounted file system", arguments: Side.allCases)
    func changes(side: Side) throws {
        let world = try World(side)
        try world.other.write("edited here", to: "data/f1")
        try world.other.write(String(repeating: "x", count: 1 << 21), to: "data/new/large")
        try world.other.remove("data/f2")
        try world.other.remove("data/sub/deep")
        try world.other.rename("data/f3", to: "data/sub/moved")
        let run = try world.sync.syncNow()
        #expect(run.errors == 0)
        #expect(try world.own.read("data/f1") == "edited here")
        #expect(try world.own.read("data/new/large").count == 1 << 21)
        #expect(!world.own.exists("data/f2") && !world.own.exists("data/sub/deep"))
        #expect(try world.own.read("data/sub/moved") == "3")
        #expect(try world.sync.state("") == .synced)
        #expect(try world.sync.syncNow().isSilent)
        guard side == .local else { return }
        let keeper = try #require(world.sync.sync.local as? any KeepsVersions)
        let kept = try keeper.keptVersions()
        #expect(Set(kept.map(\.path.description)) == ["data/f1", "data/f2", "data/sub/deep"])
        for version in kept where version.path.description != "data/f1" { _ = try keeper.restore(version) }
        #expect(try world.own.read("data/f2") == "2" && world.own.read("data/sub/deep") == "deep")
    }

    @Test(
        "what was moved out of what is another file system here is copied, and goes from its old place",
        arguments: Side.allCases)
    func moveAcross(side: Side) throws {
        let world = try World(side)
        try world.other.rename("data/f1", to: "outside")
        try world.other.rename("data/sub", to: "sub")
        let run = try world.sync.syncNow()
        #expect(run.errors == 0)
        #expect(try world.own.read("outside") == "1" && world.own.read("sub/deep") == "deep")
        #expect(!world.own.exists("data/f1") && !world.own.exists("data/sub"))
        #expect(try world.other.read("outside") == "1" && world.other.read("sub/deep") == "deep")
        #expect(try world.sync.state("") == .synced)
        #expect(try world.sync.syncNow().isSilent)
    }
}

/// A directory of another file system, mounted and unmounted at a place.
final class NestedMount {
    let source: String
    let path: String

    init(of source: String, at path: String) {
        self.source = source
        self.path = path
    }

    func mount() throws { try check(Glibc.mount(source, path, nil, UInt(MS_BIND), nil)) }
    func mountEmpty() throws { try check(Glibc.mount("none", path, "tmpfs", 0, "size=64k")) }

    /// The engine lets go of what it opened when it is at rest, which may take a moment.
    func unmount() throws {
        let deadline = ContinuousClock.now + .seconds(240)
        while umount2(path, 0) != 0 {
            let code = errno
            guard code == EBUSY, ContinuousClock.now < deadline else { throw Errno(rawValue: code) }
            usleep(1_000)
        }
    }

    private func check(_ result: CInt) throws {
        if result != 0 { throw Errno(rawValue: errno) }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }
}
