import CLinux
import Glibc
import Synchronization
import SystemPackage
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
        let deadline = Watcher.monotonicTime() + 60_000_000_000
        while !removal.isDone, Watcher.monotonicTime() < deadline {
            mirror.apply(session.take())
            usleep(1000)
        }
        try #require(removal.isDone)
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
    private let done = Mutex(false)

    init(of path: FilePath) {
        self.path = path
    }

    var isDone: Bool { done.withLock { $0 } }

    /// Whether the system gave a thread.
    func start() -> Bool {
        DetachedThread.start { [self] in
            removeTree(path)
            done.withLock { $0 = true }
        }
    }
}
