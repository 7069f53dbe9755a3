import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct PermissionTests {
    private static let mask = ProcessUmask.value

    @Test("a new file opens no more than its source, within the mask", arguments: [0o600, 0o644, 0o755, 0o640, 0o400])
    func newFile(mode: UInt32) async throws {
        let world = try EndpointWorld()
        try world.folder.write("secret", to: "a")
        try world.folder.setMode("a", mode)
        let wanted = try #require(try world.version(.local, "a").permissions)
        let id = try await world.stagedCopy("a", from: .local)
        let placed = try world.remote.publish(
            id, at: RelativePath(text: "a"), replacing: nil, permissions: wanted)
        #expect(placed.remark == nil)
        #expect(try world.remoteFolder.mode("a") == mode & (0o700 | ~Self.mask))
        #expect(try placed.version == world.version(.remote, "a"))
    }

    @Test("what a person changes right after an item got its place is a change of theirs", arguments: [true, false])
    func changedAtOnce(isWritten: Bool) throws {
        let world = try EndpointWorld()
        try world.folder.write("ours", to: "a")
        try world.folder.setMode("a", 0o640)
        let root = try DirectoryHandle(absolute: world.folder.path)
        let name = try #require(EntryName("a"))
        #expect(try world.version(.local, "a").permissions == Permissions(0o640))
        let given = try root.status(of: name)
        if isWritten { try world.folder.write("theirs", to: "a") } else { try world.folder.setMode("a", 0o604) }
        let version = world.local.disk.placement.placed(given, name, in: root)
        #expect(version.permissions == Permissions(0o640))
        #expect(try version.tag != world.version(.local, "a").tag, "it is looked at again")
    }

    @Test("what was closed to others in the same tick of a coarse clock is not replaced by something open")
    func closedInOneTick() async throws {
        let world = try EndpointWorld()
        try world.folder.write("secret", to: "a")
        try world.folder.setMode("a", 0o600)
        try world.remoteFolder.write("new", to: "a")
        // As it was seen before, with the times that it still has.
        var seen = try world.version(.local, "a")
        seen.permissions = Permissions(0o644)
        let id = try await world.stagedCopy("a", from: .remote)
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.publish(
                id, at: RelativePath(text: "a"), replacing: seen, permissions: Permissions(0o644))
        }
        #expect(failure?.reason == .changed)
        #expect(try world.folder.read("a") == "secret")
        #expect(try world.folder.mode("a") == 0o600)
    }

    @Test func setIDAndStickyBitsNeverTravel() throws {
        let world = try FolderWorld()
        try world.remote.write("evil", to: "a")
        try world.remote.write("x", to: "d/b")
        try world.remote.setMode("a", 0o6755)
        try world.remote.setMode("d", 0o3755)
        try world.start()
        #expect(try world.folder.mode("a") & 0o7700 == 0o700)
        #expect(try world.folder.mode("d") & 0o7700 == 0o700)
        try world.folder.setMode("d", 0o2755)
        try world.remote.setMode("d", 0o3700)
        try world.syncNow()
        #expect(try world.folder.mode("d") == 0o2700, "what a person set here stays")
    }

    @Test func whatIsStagedIsForItsOwnerAlone() async throws {
        let world = try EndpointWorld()
        try world.folder.write("secret", to: "a")
        let id = try await world.stagedCopy("a", from: .local)
        let staged = try #require(world.remote.stagedFile(id))
        #expect(try staged.open(O_RDONLY).status().mode & 0o777 == 0o600)
        let area = try world.remote.workspace().area()
        for directory in [try area.staging(), area.replaced] {
            #expect(try directory.descriptor.status().mode & 0o777 == 0o700)
        }
    }

    @Test func anAreaThatWasOpenToOthersIsClosed() throws {
        let world = try EndpointWorld()
        try world.remoteFolder.makeDirectory(".roundel/folder/replaced")
        for name in [".roundel/folder", ".roundel/folder/replaced"] { try world.remoteFolder.setMode(name, 0o777) }
        _ = try world.remote.workspace().area()
        for name in [".roundel/folder", ".roundel/folder/replaced", ".roundel/folder/staging"] {
            #expect(try world.remoteFolder.mode(name) == 0o700)
        }
    }

    @Test(
        "a file that is replaced keeps its attributes, access control list, group and owner", arguments: Side.allCases)
    func carriedOver(side: Side) throws {
        let world = try FolderWorld()
        let (own, other) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try own.write("old", to: "a")
        try world.start()
        try own.setAttribute("a", "user.xdg.tags", Array("holiday".utf8))
        try own.setAttribute("a", "user.comment", [0xFF, 0x00, 0x0A])
        // user::rw- user:4711:r-- group::--- mask::r-- other::---
        let list = AccessList.bytes([(1, 6, nil), (2, 4, 4_711), (4, 0, nil), (16, 4, nil), (32, 0, nil)])
        try own.setAttribute("a", FileAttributes.accessList, list)
        if geteuid() == 0 { #expect(chown(own.path.appending("a").string, 4_711, 4_712) == 0) }
        try world.syncNow()
        try other.write("new!", to: "a")
        try world.syncNow()
        #expect(try own.read("a") == "new!")
        #expect(own.attribute("a", "user.xdg.tags") == Array("holiday".utf8))
        #expect(own.attribute("a", "user.comment") == [0xFF, 0x00, 0x0A])
        #expect(own.attribute("a", FileAttributes.accessList) == list)
        let status = try DirectoryHandle(absolute: own.path).status(of: .constant("a"))
        if geteuid() == 0 { #expect(status.owner == 4_711 && status.group == 4_712) }
        #expect(other.attribute("a", "user.xdg.tags") == nil, "they do not travel")
        #expect(try world.syncNow().isSilent)
    }

    @Test("a group that only a list's mask let in is not let in by the copy")
    func groupBehindAMask() throws {
        let world = try FolderWorld()
        try world.folder.write("secret", to: "a")
        let list = AccessList.bytes([(1, 6, nil), (2, 6, 4_711), (4, 0, nil), (16, 6, nil), (32, 0, nil)])
        try world.folder.setAttribute("a", FileAttributes.accessList, list)
        #expect(try world.folder.mode("a") == 0o660)
        try world.start()
        #expect(try world.remote.mode("a") == 0o600)
    }

    @Test("what a directory gives its new files does not open the one that replaces another")
    func inheritedList() throws {
        let world = try FolderWorld()
        try world.folder.write("secret", to: "d/a")
        try world.folder.setMode("d/a", 0o640)
        try world.start()
        let list = AccessList.bytes([(1, 7, nil), (2, 6, 4_711), (4, 5, nil), (16, 7, nil), (32, 5, nil)])
        try world.folder.setAttribute("d", "system.posix_acl_default", list)
        try world.remote.write("new secret", to: "d/a")
        try world.syncNow()
        #expect(try world.folder.read("d/a") == "new secret")
        #expect(world.folder.attribute("d/a", FileAttributes.accessList) == nil)
        #expect(try world.folder.mode("d/a") == 0o640)
    }

    @Test("a change of permissions is no edit: it travels alone, and the next run is silent", arguments: Side.allCases)
    func chmodAlone(side: Side) throws {
        let world = try FolderWorld()
        let (own, other) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        try own.write("#!/bin/sh", to: "d/a")
        try own.setMode("d/a", 0o644)
        try world.start()
        let before = try DirectoryHandle(absolute: other.path).status(at: RelativePath(text: "d/a"))
        try own.setMode("d/a", 0o700)
        try own.setMode("d", 0o700)
        let run = try world.syncNow()
        #expect(run.uploaded + run.downloaded + run.conflicts == 0 && run.permissions == 2)
        #expect(try other.mode("d/a") == 0o700 && other.mode("d") == 0o700)
        let after = try DirectoryHandle(absolute: other.path).status(at: RelativePath(text: "d/a"))
        #expect(after.hasSameContents(as: before), "it is the same file")
        #expect(try world.syncNow().isSilent)
        try world.restart()
        #expect(try world.start().isSilent)
        #expect(try world.state("d/a") == .synced)
    }

    @Test("0600 stays 0600 after a conflict, on both sides and under both names")
    func conflict() throws {
        let world = try FolderWorld()
        try world.folder.write("base", to: "a.txt")
        try world.folder.setMode("a.txt", 0o600)
        try world.start()
        try world.folder.write("mine", to: "a.txt")
        try world.folder.setMode("a.txt", 0o600)
        try world.remote.write("theirs!", to: "a.txt")
        try world.remote.setMode("a.txt", 0o644)
        #expect(try world.syncNow().conflicts == 1)
        try world.syncNow()
        let names = try world.folder.items()
        #expect(names.count == 2)
        for name in names { #expect(try world.folder.mode(name) == 0o600) }
        let copy = try #require(names.first { $0 != "a.txt" })
        #expect(try world.remote.mode(copy) == 0o600)
    }

    @Test("what was kept comes back as it was, in directories that nobody else sees into")
    func restored() async throws {
        let world = try EndpointWorld()
        try world.folder.write("old", to: "d/a")
        try world.folder.setMode("d/a", 0o640)
        try world.remoteFolder.write("new", to: "d/a")
        try await world.copy("d/a", from: .remote, replacing: world.version(.local, "d/a"))
        try world.folder.remove("d")
        let kept = try #require(try world.local.keptVersions().first)
        #expect(try world.local.restore(kept) == RelativePath(text: "d/a"))
        #expect(try world.folder.read("d/a") == "old")
        #expect(try world.folder.mode("d/a") == 0o640 && world.folder.mode("d") == 0o700)
    }

    @Test("the database is for its owner alone, also one that was not")
    func database() throws {
        let world = try FolderWorld()
        try world.folder.write("x", to: "a")
        try world.start()
        for name in try world.state.names() where name.hasPrefix("trees.db") {
            #expect(try world.state.mode(name) == 0o600, "\(name)")
        }
        try world.restart()
        try world.state.setMode("trees.db", 0o644)
        try world.restart()
        #expect(try world.state.mode("trees.db") == 0o600)
    }

    @Test("whether permissions are kept is tried out, which leaves nothing behind")
    func triedOut() throws {
        let directory = try TemporaryDirectory()
        let handle = try DirectoryHandle(absolute: directory.path)
        #expect(PermissionBits.areKept(in: handle, name: .constant("probe")))
        #expect(try directory.names().isEmpty)
    }

    @Test(
        "a file system that shows one mode for everything opens nothing here, and nothing goes round in circles",
        .enabled(if: FlatMount.isPossible, "needs the superuser, FUSE and bindfs"))
    func withoutPermissions() throws {
        let mounted = try FlatMount()
        let world = try FolderWorld(remoteIn: mounted.path)
        try world.folder.write("secret", to: "a")
        try world.folder.setMode("a", 0o600)
        try world.remote.write("x", to: "b")
        #expect(try world.remote.mode("b") == 0o755)
        try world.start()
        try world.sync(until: { world.remote.exists("a") && world.folder.exists("b") })
        try world.remote.write("new secret", to: "a")
        try world.sync(until: { try world.folder.read("a") == "new secret" })
        #expect(try world.folder.mode("a") == 0o600 && world.folder.mode("b") & 0o111 == 0)
        try world.folder.setMode("b", 0o700)
        try world.syncNow()
        #expect(try world.syncNow().isSilent)
        #expect(try world.folder.mode("b") == 0o700)
        let said = world.record.activities.filter { $0.kind == Activity.Kind.notKept.rawValue }
        #expect(said.map(\.path) == [.root])
    }

    @Test func permissionsOfAnotherUsersFileAreLeftAndThatIsSaid() throws {
        let world = try EndpointWorld()
        try world.folder.write("x", to: "a")
        var version = try world.version(.local, "a")
        let path = RelativePath(text: "a")
        let placed = try world.local.setPermissions(path, kind: .file, expecting: version, to: Permissions(0o400))
        #expect(placed.remark == nil && placed.version.permissions == Permissions(0o400))
        let failure = #expect(throws: EffectFailure.self) {
            _ = try world.local.setPermissions(path, kind: .file, expecting: version, to: Permissions(0o600))
        }
        #expect(failure?.reason == .changed, "another version is there")
        version = placed.version
        // Not even the superuser changes what is immutable.
        guard Immutable.set(true, world.folder.path.appending("a")) else { return }
        defer { _ = Immutable.set(false, world.folder.path.appending("a")) }
        version = try world.version(.local, "a")
        let refused = try world.local.setPermissions(path, kind: .file, expecting: version, to: Permissions(0o600))
        #expect(refused.remark == Explanation(.permissionsForeign, .local, "a", "600"))
        #expect(try world.folder.mode("a") == 0o400)
    }

    @Test func permissionsAreStoredAndOlderVersionsHaveNone() throws {
        var version = Version(identity: Token([1]), tag: Token([2, 3]), size: 5, permissions: Permissions(0o754))
        for hasIdentity in [true, false] {
            let bytes = VersionCoding.encode(version, withIdentity: hasIdentity)
            let identity = hasIdentity ? nil : version.identity
            #expect(bytes.withUnsafeBytes { VersionCoding.decode($0, identity: identity) } == version)
        }
        version.permissions = nil
        let old = VersionCoding.encode(version, withIdentity: true)
        #expect(old.withUnsafeBytes { VersionCoding.decode($0, identity: nil) } == version)
    }
}

/// The bytes of an access control list, as the kernel takes it in an extended attribute.
enum AccessList {
    /// - Parameter entries: The tag, the permissions and the user or group of each.
    static func bytes(_ entries: [(tag: UInt16, permissions: UInt16, id: UInt32?)]) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return entries.reduce(into: bytes(UInt32(2))) { list, entry in
            list += bytes(entry.tag) + bytes(entry.permissions) + bytes(entry.id ?? UInt32.max)
        }
    }
}

/// The flag that keeps a file from any change; the superuser alone sets it, where the file system knows it.
enum Immutable {
    static func set(_ isSet: Bool, _ path: FilePath) -> Bool {
        guard geteuid() == 0, let name = path.lastName,
            let file = try? DirectoryHandle(absolute: path.removingLastComponent()).open(name, O_RDONLY)
        else { return false }
        // FS_IOC_SETFLAGS with FS_IMMUTABLE_FL, of linux/fs.h.
        var flags: CLong = isSet ? 0x10 : 0
        return ioctl(file.raw, 0x4008_6602, &flags) == 0
    }
}
