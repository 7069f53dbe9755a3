import CLinux
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Resolving paths")
struct ResolveTests {
    let temporary: TemporaryDirectory
    let session: WatchSession

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        Disk.makeDirectories(temporary("real/inner/root"))
        Disk.write(temporary("real/file"))
    }

    @Test("ancestors are resolved, and every link on the way is named")
    func links() throws {
        Disk.link(temporary("real"), at: temporary("absolute"))
        Disk.link("../real/inner", at: temporary("real/relative"))
        let answer = try session.resolve(temporary("absolute/relative/root"))
        #expect(answer.resolved == temporary("real/inner/root") && answer.kind == .directory)
        #expect(
            answer.aliases == [
                PathAlias(link: temporary("absolute"), target: temporary("real")),
                PathAlias(link: temporary("real/relative"), target: temporary("real/inner")),
            ])
    }

    @Test("the last component is looked at and not followed")
    func kinds() throws {
        Disk.link(temporary("real"), at: temporary("link"))
        #expect(try session.resolve(temporary("link")).kind == .symbolicLink)
        #expect(try session.resolve(temporary("real/file")).kind == .file)
        #expect(try session.resolve(temporary("real")).kind == .directory)
        #expect(try session.resolve("/").kind == .fileSystemRoot)
        #expect(try session.resolve(temporary("real/file/below")).kind == .missing)
        let missing = try session.resolve(temporary("link/no/where"))
        #expect(missing.kind == .missing && missing.resolved == temporary("real/no/where"))
    }

    @Test("a loop of links ends with an error")
    func loop() throws {
        Disk.link(temporary("b"), at: temporary("a"))
        Disk.link(temporary("a"), at: temporary("b"))
        #expect(try session.resolve(temporary("a/root")).kind == .inaccessible(.tooManySymbolicLinkLevels))
    }

    @Test("links full of .. end with an error, too, and a path with some of them does not")
    func parents() throws {
        let deep = (0..<12).map { "deep \($0)" }.joined(separator: "/")
        let parents = Array(repeating: "../deep 11", count: 300).joined(separator: "/")
        Disk.makeDirectories(temporary("real/" + deep))
        Disk.link(temporary("real/" + deep), at: temporary("link 0"))
        for number in 1...9 { Disk.link(FilePath("link \(number - 1)/" + parents), at: temporary("link \(number)")) }
        #expect(try session.resolve(temporary("link 1/file")).kind == .missing)
        #expect(try session.resolve(temporary("link 9/file")).kind == .inaccessible(.tooManySymbolicLinkLevels))
    }

    @Test("a directory is located with every link followed; what is none has no place")
    func located() throws {
        Disk.link(temporary("real"), at: temporary("whole"))
        Disk.link("whole/inner", at: temporary("chain"))
        Disk.link("file", at: temporary("real/to file"))
        Disk.link("gone", at: temporary("dangling"))
        Disk.link("loop", at: temporary("loop"))
        #expect(try session.locate(temporary("whole")).first == temporary("real"))
        #expect(try session.locate(temporary("chain/root")).first == temporary("real/inner/root"))
        #expect(try session.locate(temporary("whole/inner/..")).first == temporary("real"))
        #expect(try session.locate("/").first == "/")
        for path in ["real/file", "real/to file", "dangling", "loop", "loop/x", "missing", "real/file/x"] {
            #expect(try session.locate(temporary(path)).isEmpty, "\(path)")
        }
    }

    @Test("a place is found on every mount of its file system that nothing hides")
    func places() {
        let text = """
            20 1 8:1 / / rw - ext4 /dev/sda1 rw
            21 20 8:2 /@home /home rw - btrfs /dev/sda2 rw
            22 20 8:2 /@home/me/Sync /mnt/bind rw - btrfs /dev/sda2 rw
            23 20 8:2 / /mnt/whole rw - btrfs /dev/sda2 rw
            24 20 8:2 /@home/me /mnt/hidden rw - btrfs /dev/sda2 rw
            25 24 0:30 / /mnt/hidden/Sync rw - tmpfs tmpfs rw
            26 20 8:1 /home/me /mnt/other\040disk rw - ext4 /dev/sda1 rw
            """
        let table = MountTable(parsing: Array(text.utf8))
        #expect(table.places(of: "/mnt/bind/a") == ["/mnt/bind/a", "/home/me/Sync/a", "/mnt/whole/@home/me/Sync/a"])
        #expect(table.places(of: "/home/me") == ["/home/me", "/mnt/whole/@home/me", "/mnt/hidden"])
        #expect(table.places(of: "/mnt/whole") == ["/mnt/whole"])
        #expect(table.places(of: "/mnt/hidden/Sync/a") == ["/mnt/hidden/Sync/a"])
        // /home is another file system now, so the directory below it on the disk of / is hidden.
        #expect(table.places(of: "/mnt/other disk") == ["/mnt/other disk"])
        #expect(MountTable().places(of: "/x") == ["/x"])
    }

    @Test("the mount table is understood: escapes, kinds, the mount that covers a path")
    func mountTable() {
        let text = """
            21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            30 21 0:40 / /mnt/with\\040space rw shared:9 master:2 - nfs4 server:/x rw
            31 30 0:41 / /mnt/with\\040space/local rw - tmpfs tmpfs rw
            32 21 0:42 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw
            broken line
            """
        let table = MountTable(parsing: Array(text.utf8))
        #expect(table.kind(at: "/home/user") == .local)
        #expect(table.kind(at: "/mnt/with space/deep") == .network)
        #expect(table.kind(at: "/mnt/with spaces") == .local)
        #expect(table.kind(at: "/mnt/with space/local/x") == .local)
        #expect(table.kind(at: "/run/user/1000/gvfs") == .fuse)
        #expect(table.unwatchablePoints(below: "/mnt") == ["/mnt/with space"])
    }

    @Test("a file system on top of one that may not answer may not answer itself")
    func stackedMounts() {
        let text = """
            21 1 8:1 / / rw - ext4 /dev/sda1 rw
            30 21 0:40 / /srv/net rw - nfs4 server:/x rw
            31 21 0:41 / /merged rw - overlay overlay rw,lowerdir=/usr/lower:/srv/net/lower,upperdir=/up,workdir=/work
            32 21 0:42 / /plain rw - overlay overlay rw,lowerdir=/usr/lower,upperdir=/up,workdir=/work
            33 21 0:43 / /secret rw - ecryptfs /srv/net/secret rw
            """
        let table = MountTable(parsing: Array(text.utf8))
        #expect(
            ["/merged/x", "/plain/x", "/secret/x"].map { table.kind(at: FilePath($0)) } == [.network, .local, .network])
        #expect(table.unwatchablePoints(below: "/") == ["/srv/net", "/merged", "/secret"])
    }

    @Test("a folder on demand is as local as what it is mounted on, any other FUSE mount is not")
    func onDemandMounts() {
        let text = """
            21 1 8:1 / / rw - ext4 /dev/sda1 rw
            30 21 0:40 / /srv/net rw - nfs4 server:/x rw
            31 21 0:41 / /home/ada/Cloud rw,nosuid,nodev - fuse.roundel roundel rw,user_id=1000
            32 30 0:42 / /srv/net/Cloud rw,nosuid,nodev - fuse.roundel roundel rw,user_id=1000
            33 21 0:43 / /home/ada/Drive rw,nosuid,nodev - fuse.rclone drive: rw,user_id=1000
            """
        let table = MountTable(parsing: Array(text.utf8))
        let places: [FilePath] = ["/home/ada/Cloud/x", "/srv/net/Cloud/x", "/home/ada/Drive/x"]
        #expect(places.map { table.kind(at: $0) } == [.local, .network, .fuse])
        #expect(table.unwatchablePoints(below: "/home") == ["/home/ada/Drive"])
    }

    @Test(
        "a FUSE mount that never answers delays nothing elsewhere and is named unreliable",
        .enabled(if: DeadMount.isPermitted || getenv("CI") != nil, "mounting needs root and /dev/fuse"))
    func deadMount() throws {
        let mount = try #require(try DeadMount.make(at: temporary("dead")))
        defer { mount.unmount() }
        let dead = FolderID(rawValue: 1)
        let alive = FolderID(rawValue: 2)
        session.watcher.setFolder(dead, at: temporary("dead/root"), recursive: true)
        session.watcher.observe(temporary("dead/root"))
        session.watcher.setFolder(alive, at: temporary("real"), recursive: true)
        let resolved = session.events.count
        session.watcher.resolve(temporary("dead/root"), token: 1000)
        _ = try session.flush(alive)
        Disk.write(temporary("real/inner/new"))
        let events = try session.flush(alive)
        #expect(WatchSession.changes(of: alive, in: events).items == ["inner/new"])
        _ = try session.flush(dead)
        try session.wait { if case .status(let status) = $0 { status.unreliable == [dead] } else { false } }
        var kind: RootKind?
        try session.wait(from: resolved, for: "resolution") {
            if case .resolved(1000, let answer) = $0 { kind = answer.kind }
            return kind != nil
        }
        #expect(kind == .notAnswering)
    }
}
