import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Roots of folders")
struct RootTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    let folder = FolderID(rawValue: 7)

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
    }

    private func watch(_ path: FilePath, recursive: Bool = true) throws {
        session.watcher.setFolder(folder, at: path, recursive: recursive)
        _ = try session.flush(folder)
    }

    private func overflows(from start: Int) throws {
        try session.wait(from: start, for: "overflow") {
            if case .changed(let changes) = $0 { changes.folder == folder && changes.overflow } else { false }
        }
    }

    @Test("F1: a root that is deleted is said to be lost, and watched again when it comes back")
    func deletedAndRecreated() throws {
        Disk.makeDirectories(temporary("root/sub"))
        try watch(temporary("root"))
        removeTree(temporary("root"))
        let lost = try session.wait { $0 == .rootLost(folder) }
        try overflows(from: lost)
        Disk.makeDirectories(temporary("root/other"))
        let back = try session.wait { $0 == .rootAppeared(folder) }
        try overflows(from: back)
        _ = try session.flush(folder)
        Disk.write(temporary("root/other/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes.overflow || changes.items.contains("other/file") || changes.directories.contains("other"))
    }

    @Test("F1: a folder that does not exist yet is watched when it appears, however many ancestors are missing")
    func appearsLater() throws {
        try watch(temporary("one/two/root"))
        #expect(session.events.contains(.rootLost(folder)))
        Disk.makeDirectories(temporary("one/two/root/sub"))
        try session.wait { $0 == .rootAppeared(folder) }
        _ = try session.flush(folder)
        Disk.write(temporary("one/two/root/sub/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes.overflow || changes.items.contains("sub/file"))
    }

    @Test("F1: an ancestor that is moved away takes the root with it")
    func ancestorMoved() throws {
        Disk.makeDirectories(temporary("a/b/root"))
        try watch(temporary("a/b/root"))
        Disk.rename(temporary("a"), to: temporary("z"))
        try session.wait { $0 == .rootLost(folder) }
        Disk.rename(temporary("z"), to: temporary("a"))
        try session.wait { $0 == .rootAppeared(folder) }
    }

    @Test("a root replaced by a symbolic link is said and not followed")
    func replacedByLink() throws {
        Disk.makeDirectories(temporary("root"))
        Disk.makeDirectories(temporary("elsewhere"))
        try watch(temporary("root"))
        Disk.remove(temporary("root"))
        Disk.link(temporary("elsewhere"), at: temporary("root"))
        try session.wait { $0 == .rootReplaced(folder, by: .symbolicLink) }
        _ = try session.flush(folder)
        Disk.write(temporary("elsewhere/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items.isEmpty)
        Disk.remove(temporary("root"))
        Disk.makeDirectory(temporary("root"))
        try session.wait { $0 == .rootAppeared(folder) }
    }

    @Test("a root exchanged for another directory is said, and the other one is watched")
    func replacedByDirectory() throws {
        Disk.makeDirectories(temporary("root/old"))
        Disk.makeDirectories(temporary("new/inner"))
        try watch(temporary("root"))
        Disk.exchange(temporary("root"), temporary("new"))
        let said = try session.wait { $0 == .rootReplaced(folder, by: .directory) }
        try overflows(from: said)
        _ = try session.flush(folder)
        Disk.write(temporary("root/inner/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["inner/file"])
    }

    @Test("a folder that is not recursive reports its root and nothing in it")
    func notRecursive() throws {
        Disk.makeDirectories(temporary("root"))
        try watch(temporary("root"), recursive: false)
        #expect(session.events.contains(.established(folder)))
        Disk.write(temporary("root/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes == TreeChanges(folder: folder))
        removeTree(temporary("root"))
        try session.wait { $0 == .rootLost(folder) }
    }

    @Test("nested folders are each told in their own paths")
    func nested() throws {
        let inner = FolderID(rawValue: 8)
        Disk.makeDirectories(temporary("root/inner/sub"))
        try watch(temporary("root"))
        session.watcher.setFolder(inner, at: temporary("root/inner"), recursive: true)
        _ = try session.flush(inner)
        Disk.write(temporary("root/inner/sub/file"))
        let events = try session.flush(folder) + session.flush(inner)
        #expect(WatchSession.changes(of: folder, in: events).items == ["inner/sub/file"])
        #expect(WatchSession.changes(of: inner, in: events).items == ["sub/file"])
        session.watcher.removeFolder(folder)
        Disk.write(temporary("root/inner/sub/other"))
        #expect(WatchSession.changes(of: inner, in: try session.flush(inner)).items == ["sub/other"])
    }

    @Test("a removed folder is silent and gives its watches back")
    func removed() throws {
        Disk.makeDirectories(temporary("root/a/b/c"))
        try watch(temporary("root"))
        session.watcher.removeFolder(folder)
        Disk.write(temporary("root/a/file"))
        let start = session.events.count
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items.isEmpty)
        try session.wait(from: start) { if case .status(let status) = $0 { status.used == 0 } else { false } }
    }

    @Test("a root behind a symbolic link among its ancestors is watched")
    func linkedAncestor() throws {
        Disk.makeDirectories(temporary("real/root"))
        Disk.link(temporary("real"), at: temporary("link"))
        try watch(temporary("link/root"))
        Disk.write(temporary("real/root/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["file"])
    }
}
