import CLinux
import Glibc
import SystemPackage
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

/// A FUSE file system whose server reads no request: whoever touches it waits until it is unmounted.
final class DeadMount {
    private let path: FilePath
    private let device: Int32

    private init(path: FilePath, device: Int32) {
        self.path = path
        self.device = device
    }

    /// Where this is false the test is skipped, but in continuous integration it fails.
    static var isPermitted: Bool { geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 }

    static func make(at path: FilePath) throws -> DeadMount? {
        Disk.makeDirectory(path)
        let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options = "fd=\(device),rootmode=40000,user_id=\(getuid()),group_id=\(getgid())"
        let result = path.withPlatformString {
            mount("roundel-test", $0, "fuse", 6 /* MS_NOSUID | MS_NODEV */, options)
        }
        if result != 0 {
            close(device)
            return nil
        }
        return DeadMount(path: path, device: device)
    }

    func unmount() {
        // Closing the device aborts the connection, so that whoever waits gets an error.
        close(device)
        _ = path.withPlatformString { umount2($0, Int32(MNT_DETACH)) }
    }
}
