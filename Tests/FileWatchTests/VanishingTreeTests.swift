import CLinux
import Glibc
import Support
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Trees that vanish while they are scanned")
struct VanishingTreeTests {
    let temporary: TemporaryDirectory
    let folder = FolderID(rawValue: 1)

    init() throws {
        temporary = try TemporaryDirectory()
        Disk.makeDirectories(temporary("root/big"))
    }

    /// Half of the 20,000 entries are directories, which the watcher enters.
    private func fill() {
        let big = temporary("root/big").withPlatformString { clinux_open_directory(AT_FDCWD, $0) }
        defer { close(big) }
        for number in 0..<10_000 {
            mkdirat(big, "d\(number)", 0o755)
            close(openat(big, "f\(number)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
        }
    }

    @Test("D4: 20,000 entries and their directory go while the folder is being set; the final knowledge is right")
    func removedDuringScan() throws {
        fill()
        let session = try WatchSession()
        let removal = Removal(of: temporary("root/big"))
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        try #require(removal.start())
        _ = try session.flush(folder)
        var mirror = Mirror(of: temporary("root"))
        while try !session.waitForMore(or: removal.done) { mirror.apply(session.take()) }
        mirror.apply(try session.flush(folder))
        #expect(mirror.differences(from: Mirror(of: temporary("root"))).isEmpty)
        #expect(mirror.count == 0)

        Disk.makeDirectories(temporary("root/big/d1"))
        _ = try session.flush(folder)
        Disk.write(temporary("root/big/d1/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["big/d1/file"])
    }
}

/// Removes a tree on a thread of its own.
private final class Removal: Sendable {
    private let path: FilePath
    /// Can be read when the tree is gone.
    let done = eventfd(0, Int32(EFD_CLOEXEC))

    init(of path: FilePath) {
        self.path = path
    }

    deinit { close(done) }

    /// Whether the system gave a thread.
    func start() -> Bool {
        do {
            try DetachedThread.start("remove") { [self] in
                removeTree(path)
                eventfd_write(done, 1)
            }
            return true
        } catch {
            return false
        }
    }
}
