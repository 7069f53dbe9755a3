import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Folders on overlayfs, as in containers and live systems: what is changed for the first time is copied up, and a
/// directory of a lower layer cannot be renamed.
@Suite(.enabled(if: MountedDirectory.isPossible, "needs the superuser"))
struct OverlayTests {
    /// A directory whose contents become the lower layer of an overlay at the same place.
    private final class Layers {
        let disk: MountedDirectory
        var place: String { disk.path + "/files" }
        private var isMounted = false

        init() throws {
            disk = try MountedDirectory(options: "size=32m")
            for name in ["files", "upper", "work"] { try disk.directory.makeDirectory(name) }
        }

        func cover() throws {
            let options = "lowerdir=\(place),upperdir=\(disk.path)/upper,workdir=\(disk.path)/work"
            guard mount("overlay", place, "overlay", 0, options) == 0 else { throw Errno(rawValue: errno) }
            isMounted = true
        }

        deinit { if isMounted { umount2(place, Int32(MNT_DETACH)) } }
    }

    @Test("A root of a lower layer is synced, and is called synced only then", arguments: Side.allCases)
    func lowerRoot(side: Side) throws {
        let layers = try Layers()
        let world = try FolderWorld(
            in: side == .local ? layers.place : "/tmp", remoteIn: side == .remote ? layers.place : "/tmp",
            stateIn: "/tmp")
        try world.remote.write("theirs", to: "d/theirs")
        try world.folder.write("mine", to: "mine")
        try layers.cover()
        try world.start()
        for _ in 0..<3 { try world.syncNow() }
        #expect(try world.folder.read("d/theirs") == "theirs" && world.remote.read("mine") == "mine")
        #expect(world.record.statuses.last?.state == .synced)
        let first = world.record.statuses.first { $0.phase == .idle && $0.state == .synced && !$0.isPartlyUnknown }
        #expect(first != nil)
        try world.restart()
        #expect(try world.start().isSilent)
        #expect(world.record.statuses.last?.phase == .idle)
    }

    @Test(
        "What was synced with times of creation, as by earlier versions, is neither deleted nor moved nor transferred",
        arguments: Side.allCases)
    func upgraded(side: Side) throws {
        let layers = try Layers()
        let world = try FolderWorld(
            in: side == .local ? layers.place : "/tmp", remoteIn: side == .remote ? layers.place : "/tmp",
            stateIn: "/tmp")
        let names = ["a", "d/a", "d/e/b", "d/e/c", "f/g/h"]
        for name in names { try world.folder.write("of \(name)", to: name) }
        try layers.cover()
        try world.start()
        for _ in 0..<2 { try world.syncNow() }
        let path = world.state.path.appending("trees.db")
        try world.restart {
            let store = try SQLiteStore(path: path)
            defer { store.close() }
            for tree in [side.tree, Tree.synced] { try giveBirth(to: .root, in: tree, on: side, store) }
            let key = side == .local ? StoreKey.localRoot : .remoteRoot
            var root = try #require(RootIdentity(Token(try store.value(key) ?? [])))
            (root.born, root.keepsInode) = (1_700_000_000_000_000_000, true)
            try store.setValue(root.token.bytes, for: key)
            try store.commit()
        } then: { _ in
        }
        #expect(try world.start().isSilent)
        #expect(try world.syncNow().isSilent)
        for name in names {
            #expect(try world.folder.read(name) == "of \(name)" && world.remote.read(name) == "of \(name)")
        }
        #expect(world.record.statuses.last?.state == .synced && world.record.statuses.last?.phase == .idle)
        try world.folder.write("edited", to: "d/e/b")
        try world.remote.rename("f/g", to: "moved")
        try world.sync { try world.remote.read("d/e/b") == "edited" && world.folder.exists("moved/h") }
        #expect(!world.folder.exists("f/g") && world.record.statuses.last?.state == .synced)
    }

    /// Gives everything in a directory the identity that earlier versions gave it.
    private func giveBirth(to id: NodeID, in tree: Tree, on side: Side, _ store: SQLiteStore) throws {
        for var row in try store.children(of: id, in: tree, after: nil, limit: 100) {
            if let identity = row[side]?.identity, identity.bytes.count == 16 {
                row[side]?.identity = Token(Array(identity.bytes.prefix(8)) + [1, 2, 3, 4, 5, 6, 7, 8])
                try store.put(row, in: tree)
            }
            try giveBirth(to: row.id, in: tree, on: side, store)
        }
    }

    @Test("A directory of a lower layer that is renamed on the other side is copied", arguments: Side.allCases)
    func renamedDirectory(side: Side) throws {
        let layers = try Layers()
        let world = try FolderWorld(
            in: side == .local ? layers.place : "/tmp", remoteIn: side == .remote ? layers.place : "/tmp",
            stateIn: "/tmp")
        let (here, there) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        for name in ["d/a", "d/e/b", "c"] { try here.write("of \(name)", to: name) }
        try layers.cover()
        try world.start()
        try world.syncNow()
        try there.rename("d", to: "new")
        try there.write("edited", to: "new/a")
        try world.sync { here.exists("new/e/b") && !here.exists("d") }
        #expect(try here.read("new/a") == "edited" && here.read("new/e/b") == "of d/e/b" && here.read("c") == "of c")
        #expect(try there.read("new/a") == "edited" && !there.exists("d"))
        #expect(world.record.statuses.last?.state == .synced)
    }
}
