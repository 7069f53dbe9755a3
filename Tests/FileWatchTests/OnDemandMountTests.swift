import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

/// Folders on demand are mounted by a program of their own, which comes, goes and dies while they are watched.
@Suite(
    "Folders on demand", .serialized,
    .enabled(if: OnDemandMount.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct OnDemandMountTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    let mount: OnDemandMount
    let folder = FolderID(rawValue: 1)
    let other = FolderID(rawValue: 2)

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        mount = try OnDemandMount("outer/folder", in: temporary)
        Disk.makeDirectories(temporary("contents/shown/inner"))
        Disk.makeDirectories(temporary("other"))
    }

    /// Registers and observes it.
    private func watch(_ path: String = "outer/folder") throws {
        session.watcher.setFolder(folder, at: temporary(path), recursive: true)
        session.watcher.observe(temporary("outer/folder"))
        session.watcher.observe(temporary("outer/folder/shown"))
        _ = try session.flush(folder)
    }

    /// Everything may have changed, and what the observed directories hold is to be verified.
    private func expectNews(from start: Int) throws {
        try session.wait(from: start, for: "overflow") {
            if case .changed(let changes) = $0 { changes.folder == folder && changes.overflow } else { false }
        }
        try session.wait(from: start, for: "the folder") { $0 == .observing(temporary("outer/folder")) }
        try session.wait(from: start, for: "a directory") { $0 == .observing(temporary("outer/folder/shown")) }
    }

    /// A change deep in it is told by its path, and what goes from an observed directory by its name.
    private func expectWatched(as place: String = "shown/inner") throws {
        _ = try session.flush(folder)
        let status = session.events.last { if case .status = $0 { true } else { false } }
        if case .status(let status) = status { #expect(status.unreliable.isEmpty) }
        Disk.write(temporary("outer/folder/shown/inner/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes == TreeChanges(folder: folder, items: [FilePath("\(place)/file")]))
        let start = session.events.count
        Disk.makeDirectory(temporary("outer/folder/shown/gone"))
        Disk.remove(temporary("outer/folder/shown/gone"))
        try session.wait(from: start, for: "vanished item") {
            $0 == .itemsVanished(directory: temporary("outer/folder/shown"), names: ["gone"])
        }
    }

    @Test("F1: one that is mounted, unmounted and mounted again while it is watched is watched each time")
    func comesAndGoes() throws {
        try watch()
        for _ in 0..<3 {
            var start = session.events.count
            try mount.mount()
            try expectNews(from: start)
            try expectWatched()
            start = session.events.count
            mount.end()
            try session.wait(from: start, for: "its end") { $0 == .directoryVanished(temporary("outer/folder/shown")) }
        }
    }

    @Test("F1: one whose program is killed and comes again is watched again")
    func killed() throws {
        try mount.mount()
        try watch()
        try expectWatched()
        for _ in 0..<3 {
            let start = session.events.count
            mount.kill()
            _ = try session.flush(folder)
            try mount.mount()
            try expectNews(from: start)
            try expectWatched()
        }
    }

    @Test("F1: one in a folder, and one whose end and return are heard of at once")
    func atOnce() throws {
        try mount.mount()
        try watch("outer")
        try expectWatched(as: "folder/shown/inner")
        let start = session.events.count
        try session.atOnce {
            mount.end()
            #expect(throws: Never.self) { try mount.mount() }
        }
        try expectNews(from: start)
        try expectWatched(as: "folder/shown/inner")
    }

    @Test(
        "F1: one that ended and returned before much else that happened was read",
        .enabled(if: BindMount.isPermitted, "mounting needs root"))
    func longQueue() throws {
        session.watcher.setFolder(other, at: temporary("other"), recursive: true)
        try mount.mount()
        try watch()
        let start = session.events.count
        let name = String(repeating: "n", count: 240)
        try session.atOnce {
            // More than is read at once, but not more than the kernel keeps.
            for number in 0..<5_000 { mknod(temporary("other/\(name)\(number)").string, S_IFREG | 0o600, 0) }
            mount.end()
            // So that the mount does not get the number of the one before.
            let another = try? BindMount(of: temporary("other"), at: temporary("run"))
            #expect(throws: Never.self) { try mount.mount() }
            another?.unmount()
        }
        try expectNews(from: start)
        try expectWatched()
    }
}
