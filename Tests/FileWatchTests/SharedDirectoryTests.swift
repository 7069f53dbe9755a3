import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

/// The kernel gives one watch for a directory, at however many places it is mounted.
@Suite("Directories at more than one place", .enabled(if: BindMount.isPermitted, "mounting needs the superuser"))
struct SharedDirectoryTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    let first = FolderID(rawValue: 1)
    let second = FolderID(rawValue: 2)

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        Disk.makeDirectories(temporary("real/sub/deep"))
        Disk.makeDirectory(temporary("view"))
    }

    private func watch(_ folder: FolderID, _ path: String, recursive: Bool = true) throws {
        session.watcher.setFolder(folder, at: temporary(path), recursive: recursive)
        _ = try session.flush(folder)
    }

    private func items(_ folder: FolderID) throws -> [FilePath] {
        WatchSession.changes(of: folder, in: try session.flush(folder)).items
    }

    /// What each of the two folders is told of the changes that are made in between.
    private func changesOfBoth(_ change: () -> Void) throws -> (TreeChanges, TreeChanges) {
        change()
        let events = try session.flush(first) + session.flush(second)
        return (WatchSession.changes(of: first, in: events), WatchSession.changes(of: second, in: events))
    }

    @Test(
        "F1: a folder and a bind mount of it, both registered, are both told of every change, and neither is unreliable"
    )
    func bothFolders() throws {
        let mount = try BindMount(of: temporary("real"), at: temporary("view"))
        try watch(first, "real")
        try watch(second, "view")
        for (number, place) in ["real", "view", "real/sub/deep", "view/sub"].enumerated() {
            let name = "file\(number)"
            let (one, two) = try changesOfBoth { Disk.write(temporary("\(place)/\(name)")) }
            #expect(one.items.map(\.lastComponent?.string) == [name], "\(place)")
            #expect(two.items.map(\.lastComponent?.string) == [name], "\(place)")
        }
        for case .status(let status) in session.events { #expect(status.unreliable.isEmpty) }
        withExtendedLifetime(mount) {}
    }

    @Test("new and moved directories are followed at both places")
    func treesAtBoth() throws {
        let mount = try BindMount(of: temporary("real"), at: temporary("view"))
        try watch(first, "real")
        try watch(second, "view")
        _ = try changesOfBoth { Disk.makeDirectories(temporary("real/new/below")) }
        _ = try changesOfBoth { Disk.rename(temporary("view/new"), to: temporary("view/sub/moved")) }
        let (one, two) = try changesOfBoth { Disk.write(temporary("real/sub/moved/below/file")) }
        #expect(one.items == ["sub/moved/below/file"] && two.items == ["sub/moved/below/file"])
        _ = try changesOfBoth { removeTree(temporary("view/sub")) }
        _ = try changesOfBoth { Disk.makeDirectories(temporary("view/sub")) }
        let (three, four) = try changesOfBoth { Disk.write(temporary("view/sub/again")) }
        #expect(three.items == ["sub/again"] && four.items == ["sub/again"])
        withExtendedLifetime(mount) {}
    }

    @Test("one place goes, by removal or by unmounting, and the other is told as before", arguments: [true, false])
    func onePlaceGoes(byUnmounting: Bool) throws {
        let mount = try BindMount(of: temporary("real"), at: temporary("view"))
        try watch(first, "real")
        try watch(second, "view")
        if byUnmounting {
            mount.unmount()
            try session.wait { if case .changed(let changes) = $0 { changes.folder == second } else { false } }
        } else {
            session.watcher.removeFolder(second)
        }
        _ = try session.flush(first)
        Disk.write(temporary("real/sub/deep/file"))
        #expect(try items(first) == ["sub/deep/file"])
        session.watcher.removeFolder(first)
        session.watcher.removeFolder(second)
        let start = session.events.count
        _ = try session.flush(first)
        try session.wait(from: max(0, start - 3)) {
            if case .status(let status) = $0 { status.used == 0 } else { false }
        }
    }

    @Test("a folder below a bind mount of another one's parent takes nothing from that one")
    func ancestorsOfAnother() throws {
        let mount = try BindMount(of: temporary("real"), at: temporary("view"))
        try watch(first, "real")
        // Of the directories on the way to it only their own going matters.
        try watch(second, "view/sub/deep", recursive: false)
        Disk.write(temporary("real/file"))
        Disk.write(temporary("real/sub/file"))
        #expect(Set(try items(first)) == ["file", "sub/file"])
        session.watcher.removeFolder(second)
        Disk.write(temporary("real/other"))
        #expect(try items(first) == ["other"])
        withExtendedLifetime(mount) {}
    }

    @Test("a directory that is observed at one place and in a folder at another is told at both")
    func observedAndCovered() throws {
        let mount = try BindMount(of: temporary("real"), at: temporary("view"))
        Disk.write(temporary("real/sub/goes"))
        try watch(first, "real")
        session.watcher.observe(temporary("view/sub"))
        try session.wait { $0 == .observing(temporary("view/sub")) }
        Disk.remove(temporary("real/sub/goes"))
        try session.wait { $0 == .itemsVanished(directory: temporary("view/sub"), names: ["goes"]) }
        session.watcher.unobserve(temporary("view/sub"))
        _ = try session.flush(first)
        Disk.write(temporary("real/sub/new"))
        #expect(try items(first) == ["sub/new"])
        withExtendedLifetime(mount) {}
    }

    @Test("a folder that holds a bind mount of a part of itself is told of both paths")
    func insideItself() throws {
        Disk.makeDirectory(temporary("real/mirror"))
        let mount = try BindMount(of: temporary("real/sub"), at: temporary("real/mirror"))
        try watch(first, "real")
        Disk.write(temporary("real/sub/deep/file"))
        #expect(Set(try items(first)) == ["sub/deep/file", "mirror/deep/file"])
        withExtendedLifetime(mount) {}
    }
}
