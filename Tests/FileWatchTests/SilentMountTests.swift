import Glibc
import Support
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

/// A file system that never answers, inside a folder: whoever asks it anything waits for ever, and the watcher has one
/// thread for all folders.
@Suite(
    "Mounts that never answer", .serialized,
    .enabled(if: DeadMount.isPermitted || getenv("CI") != nil, "mounting needs root and /dev/fuse"))
struct SilentMountTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    let folder = FolderID(rawValue: 1)
    let other = FolderID(rawValue: 2)

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        Disk.makeDirectories(temporary("root/shown/dead/inner"))
        Disk.makeDirectories(temporary("other"))
        session.watcher.setFolder(other, at: temporary("other"), recursive: true)
    }

    /// The watcher's thread goes on: it tells a change elsewhere.
    private func expectLife(_ name: String) throws {
        Disk.write(temporary("other/\(name)"))
        #expect(WatchSession.changes(of: other, in: try session.flush(other)).items.contains(FilePath(name)))
    }

    private func awaitUnreliable(_ folders: [FolderID], from start: Int = 0) throws {
        try session.wait(from: start, for: "status") {
            if case .status(let status) = $0 { status.unreliable == folders } else { false }
        }
    }

    @Test("names in a directory that holds one are looked at: it is there, what is gone is told")
    func verified() throws {
        let mount = try #require(try DeadMount.make(at: temporary("root/shown/dead")))
        defer { mount.unmount() }
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        session.watcher.observe(temporary("root/shown"))
        try session.wait { $0 == .observing(temporary("root/shown")) }
        session.watcher.verify(temporary("root/shown"), ["dead", "gone"])
        try session.wait { $0 == .itemsVanished(directory: temporary("root/shown"), names: ["gone"]) }
        try expectLife("file")
    }

    @Test("one that comes over a watched directory is said, one that goes is looked at: everything else is followed")
    func comesAndGoes() throws {
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        _ = try session.flush(folder)
        let mount = try #require(try DeadMount.make(at: temporary("root/shown/dead")))
        try awaitUnreliable([folder])
        try expectLife("first")
        Disk.write(temporary("root/shown/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes.overflow || changes.items.contains("shown/file"))
        let start = session.events.count
        mount.unmount()
        try awaitUnreliable([], from: start)
        _ = try session.flush(folder)
        Disk.write(temporary("root/shown/dead/inner/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["shown/dead/inner/file"])
    }

    @Test("one that comes at the very moment at which the directory is looked at is not entered either")
    func comesMeanwhile() throws {
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        _ = try session.flush(folder)
        for round in 0..<12 {
            // Much to do in the directory while something is mounted there.
            for number in 0..<40 {
                let inner = temporary("root/shown/dead/inner")
                if number % 2 == 0 { session.watcher.observe(inner) } else { session.watcher.unobserve(inner) }
                session.watcher.verify(temporary("root/shown"), ["dead"])
                if number % 8 == 0 { session.watcher.resolve(inner, token: 100_000) }
            }
            let mount = try #require(try DeadMount.make(at: temporary("root/shown/dead")))
            try expectLife("file\(round)")
            mount.unmount()
        }
        // The last unmounting may be heard of late; then everything may have changed.
        let deadline = Instant.now + .seconds(240)
        var (number, isFollowed) = (0, false)
        while !isFollowed && Instant.now < deadline {
            number += 1
            _ = try session.flush(folder)
            Disk.write(temporary("root/shown/dead/inner/last\(number)"))
            let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
            isFollowed = changes.overflow || changes.items.contains(FilePath("shown/dead/inner/last\(number)"))
        }
        #expect(isFollowed)
    }
}
