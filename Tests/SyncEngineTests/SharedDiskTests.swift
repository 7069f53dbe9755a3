import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Directories and disks that several people use, and what runs out on them.
@Suite(.enabled(if: MountedDirectory.isPossible, "needs the superuser"))
struct SharedDiskTests {
    private func mode(_ path: FilePath) throws -> (mode: UInt32, owner: UInt32, group: UInt32) {
        var status = stat()
        guard lstat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
        return (status.st_mode & 0o7777, status.st_uid, status.st_gid)
    }

    // MARK: The trash

    private func trash(on disk: MountedDirectory) throws -> DesktopTrash {
        let data = try TemporaryDirectory(in: "/tmp")
        let root = disk.directory["folder"]
        try disk.directory.makeDirectory("folder")
        return try DesktopTrash(for: DirectoryHandle(absolute: root), at: root, dataHome: data["data"])
    }

    @Test("A trash in this user's name that somebody else has made is not used", arguments: ["", "/files", "/info"])
    func foreignTrash(part: String) throws {
        let disk = try MountedDirectory(options: "size=1m,mode=1777")
        try disk.directory.makeDirectory(".Trash-0" + part)
        #expect(chown(disk.path + "/.Trash-0" + part, 12_345, 12_345) == 0)
        #expect(throws: Errno.self) { _ = try trash(on: disk) }
    }

    @Test("A link in its place is not followed")
    func linkedTrash() throws {
        let disk = try MountedDirectory(options: "size=1m,mode=1777")
        try disk.directory.makeDirectory("elsewhere")
        try disk.directory.makeLink(".Trash-0", to: "elsewhere")
        #expect(throws: Errno.self) { _ = try trash(on: disk) }
        #expect(try disk.directory.names(in: "elsewhere").isEmpty)
    }

    @Test("A trash for everybody is used where it is sticky; what is this user's is closed to others")
    func sharedTrash() throws {
        let disk = try MountedDirectory(options: "size=1m,mode=1777")
        try disk.directory.makeDirectory(".Trash")
        #expect(chmod(disk.path + "/.Trash", 0o777) == 0)
        _ = try trash(on: disk)
        #expect(!disk.directory.exists(".Trash/0") && disk.directory.exists(".Trash-0/files"))
        #expect(chmod(disk.path + "/.Trash", 0o1777) == 0 && mkdir(disk.path + "/.Trash/0", 0o777) == 0)
        #expect(chmod(disk.path + "/.Trash/0", 0o777) == 0)
        _ = try trash(on: disk)
        #expect(disk.directory.exists(".Trash/0/files"))
        #expect(try mode(disk.directory[".Trash/0"]).mode == 0o700)
    }

    @Test("Where the shared trash is somebody else's, the own one is used")
    func foreignSharedTrash() throws {
        let disk = try MountedDirectory(options: "size=1m,mode=1777")
        try disk.directory.makeDirectory(".Trash/0")
        #expect(chmod(disk.path + "/.Trash", 0o1777) == 0 && chown(disk.path + "/.Trash/0", 12_345, 12_345) == 0)
        _ = try trash(on: disk)
        #expect(disk.directory.exists(".Trash-0/files") && !disk.directory.exists(".Trash/0/files"))
    }

    // MARK: Lists of access

    /// A list in the form of its extended attribute: tags and permissions of its entries, with ids.
    private func list(_ entries: [(UInt16, UInt16, UInt32)]) -> [UInt8] {
        var bytes: [UInt8] = [2, 0, 0, 0]
        for (tag, permissions, id) in entries {
            withUnsafeBytes(of: tag.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: permissions.littleEndian) { bytes += $0 }
            withUnsafeBytes(of: id.littleEndian) { bytes += $0 }
        }
        return bytes
    }

    private func access(_ name: String, in directory: TemporaryDirectory) throws -> [UInt8]? {
        let root = try DirectoryHandle(absolute: directory.path)
        return try root.open(RelativePath(text: name), O_RDONLY).attribute(FileAttributes.accessList)
    }

    @Test(
        "A file that arrives grants what any new file does in a directory with a list", arguments: 0..<3, Side.allCases)
    func listedDirectory(kind: Int, side: Side) throws {
        let none = UInt32.max
        let lists: [[(UInt16, UInt16, UInt32)]] = [
            [(1, 7, none), (4, 5, none), (0x20, 0, none)],
            [(1, 7, none), (2, 6, 12_345), (4, 0, none), (0x10, 7, none), (0x20, 0, none)],
            [(1, 6, none), (4, 5, none), (8, 7, 12_345), (0x10, 5, none), (0x20, 4, none)],
        ]
        let world = try FolderWorld()
        let (here, there) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        let value = list(lists[kind])
        try DirectoryHandle(absolute: here.path).descriptor.setAttribute("system.posix_acl_default", to: value)
        try there.write("arrives", to: "file")
        try there.write("arrives", to: "program")
        try there.write("arrives", to: "d/below")
        #expect(chmod(there["file"].string, 0o644) == 0 && chmod(there["program"].string, 0o755) == 0)
        #expect(chmod(there["d/below"].string, 0o664) == 0)
        try world.start()
        for (name, mode) in [("file", 0o644), ("program", 0o755), ("d/below", 0o664)] {
            let other = FilePath(here[name].string + ".made")
            let descriptor = open(other.string, O_CREAT | O_EXCL | O_WRONLY, mode_t(mode))
            #expect(descriptor >= 0)
            close(descriptor)
            #expect(try self.mode(here[name]).mode == self.mode(other).mode, "\(name)")
            #expect(try access(name, in: here) == access(name + ".made", in: here), "\(name)")
            unlink(other.string)
        }
    }

    @Test("The engine's directory is everybody's who may write in the root", arguments: [0o2775, 0o770, 0o755, 0o1777])
    func hiddenDirectory(mode: Int) throws {
        let world = try FolderWorld()
        #expect(chown(world.remote.path.string, 0, 12_345) == 0 && chmod(world.remote.path.string, mode_t(mode)) == 0)
        try world.folder.write("a", to: "a")
        try world.start()
        let area = try self.mode(world.remote[".roundel"])
        #expect(area.mode == UInt32(mode) && area.group == 12_345)
        #expect(try self.mode(world.remote[".roundel/root"]).mode == 0o600 | UInt32(mode) & 0o044)
        #expect(try self.mode(world.remote[".roundel/id"]).mode & 0o777 == 0o700)
    }

    // MARK: Room

    @Test("What is kept on a full disk gives way in the run that needs the room", arguments: Side.allCases, [1, 3])
    func fullDisk(side: Side, count: Int) throws {
        let disk = try MountedDirectory(options: "size=14m")
        let world = try FolderWorld(
            in: side == .local ? disk.path : "/tmp", remoteIn: side == .remote ? disk.path : "/tmp", stateIn: "/tmp")
        let there = side == .local ? world.remote : world.folder
        func text(_ letter: String, _ megabytes: Int) -> String { String(repeating: letter, count: megabytes << 20) }
        for number in 0..<3 { try there.write(text("\(number)", 2), to: "f\(number)") }
        try there.write("small", to: "small")
        try world.start()
        // Kept by now: two megabytes each time.
        for round in 0..<3 {
            for number in 0..<count { try there.write(text("abc"[round], 2), to: "f\(number)") }
            let run = try world.syncNow()
            #expect(run.errors == 0)
            #expect(run.uploaded + run.downloaded == count)
        }
        if side == .remote {
            for number in 0..<3 { try there.remove("f\(number)") }
            try there.write(text("n", 5), to: "new")
            let run = try world.run { $0.command(.syncAnswering(.confirmDeletes)) }
            #expect(run.errors == 0 && run.uploaded == 1)
            #expect(try world.remote.read("new").utf8.count == 5 << 20)
        }
    }

    @Test("A file that never fits on a full disk empties no store of kept versions", arguments: Side.allCases)
    func neverFits(side: Side) throws {
        let disk = try MountedDirectory(options: "size=14m")
        let world = try FolderWorld(
            in: side == .local ? disk.path : "/tmp", remoteIn: side == .remote ? disk.path : "/tmp", stateIn: "/tmp")
        let there = side == .local ? world.remote : world.folder
        func text(_ letter: String, _ megabytes: Int) -> String { String(repeating: letter, count: megabytes << 20) }
        try there.write(text("1", 2), to: "f")
        try world.start()
        try there.write(text("2", 2), to: "f")
        try world.syncNow()
        try there.write(text("b", 30), to: "big")
        #expect(try world.syncNow().errors == 1)
        let endpoint = try #require((side == .local ? world.sync.local : world.sync.remote) as? any DiskSide)
        #expect(try endpoint.workspace().replaced().versions().count == 1)
    }

    @Test("Directories too find the room that kept versions hold, and moves")
    func directoriesOnFullDisk() throws {
        let disk = try MountedDirectory(options: "size=14m,nr_inodes=200")
        let world = try FolderWorld(in: "/tmp", remoteIn: disk.path, stateIn: "/tmp")
        try world.folder.write("0", to: "f")
        try world.start()
        for number in 1..<7 {
            try world.folder.write("\(number)", to: "f")
            try world.syncNow()
        }
        let endpoint = try #require(world.sync.remote as? any DiskSide)
        let before = try endpoint.workspace().replaced().versions().count
        var room = statvfs()
        #expect(statvfs(disk.path, &room) == 0)
        for number in 12..<room.f_ffree { try disk.directory.write("", to: "other \(number)") }
        for number in 0..<16 { try world.folder.makeDirectory("d\(number)") }
        #expect(try world.syncNow().errors == 0)
        for number in 0..<16 { #expect(world.remote.exists("d\(number)")) }
        #expect(try endpoint.workspace().replaced().versions().count < before)
    }

    @Test("The room that another thread has just made is used")
    func roomOfAnotherThread() throws {
        let world = try FolderWorld()
        try world.folder.write("1", to: "f")
        try world.start()
        try world.folder.write("2", to: "f")
        try world.syncNow()
        let endpoint = try #require(world.sync.remote as? any DiskSide)
        let place = try RelativePath([#require(EntryName("f"))])
        let full = EffectFailure(.noSpace, Explanation(.noSpace, .remote, "f"))
        var attempts = 0
        // While this finds the disk full, somebody else does too, and removes all that is kept.
        try endpoint.disk.keeper.withRoom(near: place) { () throws(EffectFailure) in
            attempts += 1
            guard attempts == 1 else { return }
            var isFull = true
            try endpoint.disk.keeper.withRoom(near: place) { () throws(EffectFailure) in
                defer { isFull = false }
                if isFull { throw full }
            }
            #expect((try? endpoint.workspace().replaced().versions())?.isEmpty == true)
            throw full
        }
        #expect(attempts == 2)
        // Now nothing is left that could give way.
        #expect(throws: EffectFailure.self) {
            try endpoint.disk.keeper.withRoom(near: place) { () throws(EffectFailure) in throw full }
        }
    }
}

extension String {
    fileprivate subscript(index: Int) -> String { String(self[self.index(startIndex, offsetBy: index)]) }
}
