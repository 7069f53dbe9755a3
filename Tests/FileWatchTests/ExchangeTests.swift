import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

/// An exchange (RENAME_EXCHANGE) is told as two renames, one after the other, though both happen at once.
@Suite("Directories that change places")
struct ExchangeTests {
    let temporary: TemporaryDirectory
    let folder = FolderID(rawValue: 1)

    init() throws {
        temporary = try TemporaryDirectory()
        Disk.makeDirectories(temporary("root/parent/name/old"))
        Disk.makeDirectories(temporary("root/other/within/deep"))
        Disk.makeDirectories(temporary("away/new/deep"))
    }

    @Test("D4: a directory exchanged with one outside is reported and followed", arguments: [true, false])
    func withOutside(outsideFirst: Bool) throws {
        let inside = temporary("root/parent/name")
        let outside = temporary("away/new")
        let session = try watched()
        var mirror = Mirror(of: temporary("root"))
        #expect(outsideFirst ? Disk.exchange(outside, inside) : Disk.exchange(inside, outside))
        let events = try session.flush(folder)
        let changes = WatchSession.changes(of: folder, in: events)
        #expect(Set(["parent/name", "parent/name/deep"]).isSubset(of: changes.directories))
        mirror.apply(events)
        #expect(mirror.differences(from: Mirror(of: temporary("root"))).isEmpty)
        Disk.write(temporary("root/parent/name/deep/file"))
        Disk.write(temporary("away/new/old/file"))
        let later = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(later.items == ["parent/name/deep/file"])
        #expect(later.directories.isEmpty)
    }

    @Test("D4: two directories of the folder that change places are reported and followed")
    func withinTheFolder() throws {
        let session = try watched()
        var mirror = Mirror(of: temporary("root"))
        #expect(Disk.exchange(temporary("root/other/within"), temporary("root/parent/name")))
        mirror.apply(try session.flush(folder))
        #expect(mirror.differences(from: Mirror(of: temporary("root"))).isEmpty)
        Disk.write(temporary("root/parent/name/deep/file"))
        Disk.write(temporary("root/other/within/old/file"))
        let later = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(later.items == ["other/within/old/file", "parent/name/deep/file"])
    }

    private func watched() throws -> WatchSession {
        let session = try WatchSession()
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        _ = try session.flush(folder)
        return session
    }
}
