import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Following symbolic links")
struct FollowedLinkTests {
    let temporary: TemporaryDirectory
    let session: WatchSession
    private let folder = FolderID(rawValue: 1)
    private var link: FilePath { temporary("root/way/link") }

    init() throws {
        temporary = try TemporaryDirectory()
        session = try WatchSession()
        for name in ["root/way", "root/a", "root/b"] { Disk.makeDirectories(temporary(name)) }
        Disk.link("../a", at: link)
    }

    /// Follows the link, which leads to `a`, and lets the watcher come to rest.
    private func follow() throws {
        session.watcher.follow(PathAlias(link: link, target: temporary("root/a")))
        _ = try session.flush(folder)
    }

    private var reports: Int { session.events.filter { $0 == .linkChanged(link) }.count }

    private func expectReport(after change: () -> Void) throws {
        let before = session.events.count
        change()
        try session.wait(from: before) { $0 == .linkChanged(link) }
    }

    @Test(
        "One that is replaced, removed, or loses the directory that it is in leads elsewhere", arguments: [false, true])
    func changes(isInWatchedFolder: Bool) throws {
        if isInWatchedFolder { session.watcher.setFolder(folder, at: temporary("root"), recursive: true) }
        try follow()
        #expect(reports == 0)
        try expectReport {
            Disk.link("../b", at: temporary("root/way/new"))
            Disk.rename(temporary("root/way/new"), to: link)
        }
        // It is not followed any more.
        Disk.remove(link)
        Disk.link("../a", at: link)
        _ = try session.flush(folder)
        #expect(reports == 1)
        try follow()
        try expectReport { Disk.remove(link) }
        Disk.link("../a", at: link)
        try follow()
        try expectReport { Disk.rename(temporary("root/way"), to: temporary("root/away")) }
    }

    @Test("One that led elsewhere before it was followed is reported at once")
    func late() throws {
        session.watcher.follow(PathAlias(link: link, target: temporary("root/b")))
        try session.wait { $0 == .linkChanged(link) }
        session.watcher.follow(PathAlias(link: temporary("root/none"), target: temporary("root/b")))
        try session.wait { $0 == .linkChanged(temporary("root/none")) }
    }

    @Test("What leaves it as it was is not reported, nor what happens after the following has ended")
    func unchanged() throws {
        try follow()
        Disk.link(temporary("root/a"), at: temporary("root/way/new"))
        Disk.rename(temporary("root/way/new"), to: link)
        Disk.write(temporary("root/way/file"))
        Disk.write(temporary("root/a/file"))
        _ = try session.flush(folder)
        #expect(reports == 0)
        session.watcher.unfollow(link)
        Disk.remove(link)
        _ = try session.flush(folder)
        #expect(reports == 0)
    }

    @Test("An observed directory of the same name and the link do not disturb each other")
    func observedToo() throws {
        session.watcher.observe(link)
        try follow()
        // Below no folder the observed name is followed to the directory that the link leads to.
        session.watcher.unobserve(link)
        try expectReport { Disk.remove(link) }
    }
}
