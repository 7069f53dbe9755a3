import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Observed directories")
struct ObservedDirectoryTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    let folder = FolderID(rawValue: 1)

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        Disk.makeDirectories(temporary("root/shown"))
        session.watcher.setFolder(folder, at: temporary("root"), recursive: false)
    }

    private func vanished(from start: Int = 0) throws -> Set<FilePath.Component> {
        var names: Set<FilePath.Component> = []
        try session.wait(from: start, for: "vanished items") {
            if case .itemsVanished(_, let gone) = $0 { names = Set(gone) }
            return !names.isEmpty
        }
        return names
    }

    @Test("F7: items that were deleted or moved away are told, those that came back are not")
    func vanishedItems() throws {
        for name in ["deleted", "moved", "saved"] { Disk.write(temporary("root/shown/\(name)")) }
        session.watcher.observe(temporary("root/shown"))
        _ = try session.flush(folder)
        try session.atOnce {
            Disk.remove(temporary("root/shown/saved"))
            Disk.write(temporary("root/shown/saved"))
            Disk.remove(temporary("root/shown/deleted"))
            Disk.rename(temporary("root/shown/moved"), to: temporary("root/moved"))
        }
        #expect(try vanished() == ["deleted", "moved"])
    }

    @Test("F7: an item that went before the directory was watched is told to whoever verifies it then")
    func vanishedBeforeWatch() throws {
        for name in ["goes", "stays"] { Disk.write(temporary("root/shown/\(name)")) }
        Disk.remove(temporary("root/shown/goes"))
        session.watcher.observe(temporary("root/shown"))
        try session.wait { $0 == .observing(temporary("root/shown")) }
        session.watcher.verify(temporary("root/shown"), ["goes", "stays"])
        #expect(try vanished() == ["goes"])
    }

    @Test("names in a directory that nobody observes are not verified")
    func verifiedUnobserved() throws {
        session.watcher.verify(temporary("root/shown"), ["nothing"])
        #expect(!(try session.flush(folder)).contains { if case .itemsVanished = $0 { true } else { false } })
    }

    @Test("F7: an item that is exchanged for another has not vanished")
    func exchangedItem() throws {
        for name in ["root/shown/document", "root/shown/gone", "root/staged"] { Disk.write(temporary(name)) }
        session.watcher.observe(temporary("root/shown"))
        _ = try session.flush(folder)
        Disk.exchange(temporary("root/staged"), temporary("root/shown/document"))
        Disk.remove(temporary("root/shown/gone"))
        #expect(try vanished() == ["gone"])
    }

    @Test(
        "F4: a directory that vanishes is told once, by the spelling it was observed with, and once when one is there again"
    )
    func vanishedDirectory() throws {
        Disk.link(temporary("root"), at: temporary("link"))
        session.watcher.setFolder(FolderID(rawValue: 2), at: temporary("link/shown"), recursive: true)
        session.watcher.observe(temporary("link/shown"))
        _ = try session.flush(folder)
        removeTree(temporary("root/shown"))
        try session.wait { $0 == .directoryVanished(temporary("link/shown")) }
        Disk.makeDirectory(temporary("root/shown"))
        _ = try session.flush(folder)
        let told = session.events.filter(isTold)
        #expect(told == [.directoryVanished(temporary("link/shown")), .directoryReturned(temporary("link/shown"))])
        Disk.write(temporary("root/shown/file"))
        Disk.remove(temporary("root/shown/file"))
        #expect(try vanished() == ["file"])
    }

    @Test("F4: a directory that another one takes the place of has vanished, and one is there again")
    func replacedDirectory() throws {
        Disk.makeDirectory(temporary("root/other"))
        session.watcher.observe(temporary("root/shown"))
        _ = try session.flush(folder)
        Disk.exchange(temporary("root/other"), temporary("root/shown"))
        try session.wait { $0 == .directoryReturned(temporary("root/shown")) }
        _ = try session.flush(folder)
        let told = session.events.filter(isTold)
        #expect(told == [.directoryVanished(temporary("root/shown")), .directoryReturned(temporary("root/shown"))])
    }

    @Test("F4: a directory that was moved away and back has vanished, and is there again")
    func returnedDirectory() throws {
        session.watcher.observe(temporary("root/shown"))
        _ = try session.flush(folder)
        Disk.rename(temporary("root/shown"), to: temporary("away"))
        try session.wait { $0 == .directoryVanished(temporary("root/shown")) }
        Disk.rename(temporary("away"), to: temporary("root/shown"))
        try session.wait { $0 == .directoryReturned(temporary("root/shown")) }
    }

    private func isTold(_ event: WatchEvent) -> Bool {
        switch event {
        case .directoryVanished, .directoryReturned: true
        case .changed, .established, .rootAppeared, .rootLost, .rootReplaced, .observing, .linkChanged, .itemsVanished,
            .itemsPresent, .resolved, .located, .flushed, .status:
            false
        }
    }

    @Test(
        "F4: a directory moved away with an ancestor vanishes, inside a recursive folder too", arguments: [true, false])
    func movedWithAncestor(recursive: Bool) throws {
        Disk.makeDirectories(temporary("root/a/b/c"))
        session.watcher.setFolder(folder, at: temporary("root"), recursive: recursive)
        session.watcher.observe(temporary("root/a/b/c"))
        _ = try session.flush(folder)
        Disk.rename(temporary("root/a"), to: temporary("root/z"))
        try session.wait { $0 == .directoryVanished(temporary("root/a/b/c")) }
    }

    @Test("a directory that does not exist has vanished")
    func neverThere() throws {
        session.watcher.observe(temporary("root/nothing"))
        try session.wait { $0 == .directoryVanished(temporary("root/nothing")) }
    }

    @Test("below a root no symbolic link is followed")
    func linkBelowRoot() throws {
        Disk.makeDirectory(temporary("elsewhere"))
        Disk.link(temporary("elsewhere"), at: temporary("root/link"))
        session.watcher.observe(temporary("root/link"))
        try session.wait { $0 == .directoryVanished(temporary("root/link")) }
    }

    @Test("the parent of a folder can be observed, through a symbolic link as well")
    func parentOfFolder() throws {
        Disk.link(temporary.path, at: temporary("link"))
        session.watcher.observe(temporary("link"))
        _ = try session.flush(folder)
        Disk.write(temporary("file"))
        Disk.remove(temporary("file"))
        #expect(try vanished() == ["file"])
    }

    @Test("what is not observed any more is not told")
    func unobserved() throws {
        Disk.write(temporary("root/shown/file"))
        session.watcher.observe(temporary("root/shown"))
        _ = try session.flush(folder)
        session.watcher.unobserve(temporary("root/shown"))
        Disk.remove(temporary("root/shown/file"))
        let events = try session.flush(folder)
        #expect(!events.contains { if case .itemsVanished = $0 { true } else { false } })
    }
}
