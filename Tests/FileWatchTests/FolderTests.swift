import CLinux
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Changes in folders")
struct FolderTests {
    let temporary: TemporaryDirectory
    let folder = FolderID(rawValue: 1)

    init() throws {
        temporary = try TemporaryDirectory()
        Disk.makeDirectory(temporary("root"))
    }

    private func watched(_ settings: WatcherSettings = WatcherSettings()) throws -> WatchSession {
        let session = try WatchSession(settings)
        session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
        _ = try session.flush(folder)
        return session
    }

    private func differences(_ mirror: Mirror) -> [String] {
        mirror.differences(from: Mirror(of: temporary("root")))
    }

    @Test("Flush answers after every change made before it")
    func flushIsABarrier() throws {
        let session = try watched()
        for number in 0..<200 {
            Disk.write(temporary("root/file\(number)"))
            let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
            #expect(changes.items == [FilePath("file\(number)")])
        }
    }

    @Test("F1: the first Flush is answered when the whole folder is watched: what changes from then on is reported")
    func firstFlush() throws {
        // More than are watched in one turn.
        for number in 0..<2000 { Disk.makeDirectory(temporary("root/\(number)")) }
        let session = try watched()
        let files = stride(from: 0, to: 2000, by: 25).map { FilePath("\($0)/file") }
        for file in files { Disk.write(temporary("root").pushing(file)) }
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(Set(changes.items) == Set(files))
    }

    @Test("F1: what is in a directory is followed, too, if that was observed before the folder was set or scanned")
    func observedBefore() throws {
        Disk.makeDirectories(temporary("root/before/inner"))
        Disk.makeDirectories(temporary("root/together/inner"))
        let session = try WatchSession()
        session.watcher.observe(temporary("root/before"))
        try session.wait { $0 == .observing(temporary("root/before")) }
        try session.atOnce {
            session.watcher.setFolder(folder, at: temporary("root"), recursive: true)
            session.watcher.observe(temporary("root/together"))
        }
        _ = try session.flush(folder)
        Disk.write(temporary("root/before/inner/file"))
        Disk.write(temporary("root/together/inner/file"))
        let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes.items == ["before/inner/file", "together/inner/file"])
    }

    @Test("Flush of a folder that nobody set is answered")
    func flushOfUnknown() throws {
        #expect(try !watched().flush(FolderID(rawValue: 99)).isEmpty)
    }

    @Test("a tree that is moved in is reported with every directory of it, one that is moved out is not followed")
    func movedInAndOut() throws {
        Disk.makeDirectories(temporary("away/a/b/c"))
        let session = try watched()
        Disk.rename(temporary("away"), to: temporary("root/here"))
        var changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(Set(changes.directories) == ["here", "here/a", "here/a/b", "here/a/b/c"])
        #expect(changes.items == ["here"])
        Disk.rename(temporary("root/here"), to: temporary("gone"))
        changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes.items == ["here"] && changes.directories.isEmpty)
        Disk.write(temporary("gone/a/b/file"))
        changes = WatchSession.changes(of: folder, in: try session.flush(folder))
        #expect(changes == TreeChanges(folder: folder))
    }

    @Test("a directory recreated under its name is a new one")
    func recreated() throws {
        Disk.makeDirectories(temporary("root/name/old"))
        let session = try watched()
        for round in 0..<50 {
            removeTree(temporary("root/name"))
            Disk.makeDirectories(temporary("root/name/new\(round)"))
        }
        _ = try session.flush(folder)
        Disk.write(temporary("root/name/new49/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["name/new49/file"])
    }

    @Test("names are bytes: not UTF-8, with a newline, 255 bytes long")
    func strangeNames() throws {
        let session = try watched()
        let names: [[UInt8]] = [[0xff, 0xfe, 0x80], Array("two\nlines".utf8), Array(repeating: 0x78, count: 255)]
        for name in names {
            let component = try #require(FilePath.Component(bytes: name))
            Disk.makeDirectory(temporary("root").appending(component))
            _ = try session.flush(folder)
            Disk.write(temporary("root").appending(component).appending("in"))
            let changes = WatchSession.changes(of: folder, in: try session.flush(folder))
            #expect(changes.items == [FilePath(root: nil, [component, "in"])])
        }
    }

    @Test("directories deeper than PATH_MAX are watched, those there before and those made later")
    func deeperThanPaths() throws {
        let name = String(repeating: "d", count: 200)
        func deepen(_ count: Int, from start: Int32) -> Int32 {
            var directory = start
            for _ in 0..<count {
                mkdirat(directory, name, 0o755)
                let next = clinux_open_directory(directory, name)
                close(directory)
                directory = next
            }
            return directory
        }
        let top = temporary("root").withPlatformString { clinux_open_directory(AT_FDCWD, $0) }
        let middle = deepen(30, from: top)
        let session = try watched()
        let bottom = deepen(30, from: dup(middle))
        defer {
            close(bottom)
            close(middle)
        }
        _ = try session.flush(folder)
        for directory in [middle, bottom] {
            Disk.make("file", in: directory)
            let items = WatchSession.changes(of: folder, in: try session.flush(folder)).items
            #expect(items.count == 1 && items.first?.lastComponent == "file")
        }
    }

    @Test("100,000 files created below a watched folder: the final knowledge is complete")
    func manyFiles() throws {
        let session = try watched()
        var mirror = Mirror(of: temporary("root"))
        for directory in 0..<100 {
            Disk.makeDirectory(temporary("root/\(directory)"))
            let descriptor = temporary("root/\(directory)").withPlatformString { clinux_open_directory(AT_FDCWD, $0) }
            for file in 0..<1000 { close(openat(descriptor, "\(file)", O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)) }
            close(descriptor)
        }
        mirror.apply(try session.flush(folder))
        #expect(differences(mirror).isEmpty)
        #expect(mirror.count == 100_100)
    }

    @Test("lost events are said, and everything is followed afterwards")
    func overflow() throws {
        Disk.makeDirectories(temporary("root/shown"))
        Disk.write(temporary("root/shown/goes"))
        Disk.write(temporary("root/shown/stays"))
        let session = try watched()
        session.watcher.observe(temporary("root/shown"))
        var mirror = Mirror(of: temporary("root"))
        mirror.apply(try session.flush(folder))
        try session.atOnce {
            // More than fs.inotify.max_queued_events; alternating, because equal events in a row are merged.
            for number in 0..<40_000 {
                Disk.changeMode(temporary("root/shown/stays"), number % 2 == 0 ? 0o600 : 0o644);
                Disk.changeMode(temporary("root/shown/goes"), 0o600)
            }
            Disk.remove(temporary("root/shown/goes"))
            Disk.makeDirectories(temporary("root/new/below"))
        }
        let events = try session.flush(folder)
        #expect(WatchSession.changes(of: folder, in: events).overflow)
        #expect(events.contains(.itemsPresent(directory: temporary("root/shown"), names: ["stays"])))
        mirror.apply(events)
        #expect(differences(mirror).isEmpty)
        Disk.write(temporary("root/new/below/file"))
        #expect(WatchSession.changes(of: folder, in: try session.flush(folder)).items == ["new/below/file"])
    }

    @Test("beyond the watch limit a folder is named unreliable, and observed directories are still followed")
    func watchLimit() throws {
        for number in 0..<40 { Disk.makeDirectories(temporary("root/\(number)/below")) }
        Disk.makeDirectory(temporary("shown"))
        let session = try watched(WatcherSettings(watchLimit: { 24 }))
        try session.wait { if case .status(let status) = $0 { status.unreliable == [folder] } else { false } }
        for number in 0..<12 {
            let path = temporary("shown/\(number)")
            Disk.makeDirectory(path)
            Disk.write(path.appending("file"))
            session.watcher.observe(path)
        }
        _ = try session.flush(folder)
        for number in 0..<12 { Disk.remove(temporary("shown/\(number)/file")) }
        for number in 0..<12 {
            let told = WatchEvent.itemsVanished(directory: temporary("shown/\(number)"), names: ["file"])
            try session.wait { $0 == told }
        }
        for case .status(let status) in session.events { #expect(status.used <= 24) }
    }

    @Test(
        "beyond the watch limit showing a directory touches that directory: the folder is neither scanned nor reliable")
    func showingBeyondTheLimit() throws {
        for number in 0..<200 { Disk.makeDirectories(temporary("root/\(number)/below")) }
        Disk.makeDirectories(temporary("shown/inner"))
        let session = try watched(WatcherSettings(watchLimit: { 64 }))
        try session.wait { if case .status(let status) = $0 { status.unreliable == [folder] } else { false } }
        _ = try session.flush(folder)
        let start = session.events.count
        for _ in 0..<50 {
            session.watcher.observe(temporary("shown/inner"))
            _ = try session.flush(folder)
            session.watcher.unobserve(temporary("shown/inner"))
            _ = try session.flush(folder)
        }
        let events = session.events[start...]
        for case .status(let status) in events { #expect(status.unreliable == [folder] && status.used <= 64) }
        // Each time one watch is taken and given back. A scan of the folder would name every directory that is not
        // watched again.
        let named = events.reduce(0) { if case .changed(let batch) = $1 { $0 + batch.directories.count } else { $0 } }
        #expect(named <= 500)
        #expect(!WatchSession.changes(of: folder, in: events).overflow)
    }

    @Test("a limit that a person raised is taken up at the next flush, and the folder is whole")
    func raisedLimit() throws {
        for number in 0..<40 { Disk.makeDirectories(temporary("root/\(number)/below")) }
        let limit = Mutex(24)
        let session = try watched(WatcherSettings(watchLimit: { limit.withLock { $0 } }))
        try session.wait { if case .status(let status) = $0 { status.unreliable == [folder] } else { false } }
        let start = session.events.count
        limit.withLock { $0 = 8192 }
        _ = try session.flush(folder)
        try session.wait(from: start, for: "status") {
            if case .status(let status) = $0 { status.unreliable.isEmpty && status.limit == 8192 } else { false }
        }
        _ = try session.flush(folder)
        for number in 0..<40 { Disk.write(temporary("root/\(number)/below/file")) }
        let items = WatchSession.changes(of: folder, in: try session.flush(folder)).items
        #expect(Set(items) == Set((0..<40).map { FilePath("\($0)/below/file") }))
    }

    @Test("watches that become free go to what had none, and once nothing lacks one the folder is reliable and whole")
    func watchesBecomeFree() throws {
        for number in 0..<40 { Disk.makeDirectories(temporary("root/\(number)/below")) }
        let session = try watched(WatcherSettings(watchLimit: { 40 }))
        try session.wait { if case .status(let status) = $0 { status.unreliable == [folder] } else { false } }
        let start = session.events.count
        for number in 10..<40 { removeTree(temporary("root/\(number)")) }
        try session.wait(from: start, for: "status") {
            if case .status(let status) = $0 { status.unreliable.isEmpty } else { false }
        }
        _ = try session.flush(folder)
        for number in 0..<10 {
            Disk.write(temporary("root/\(number)/below/file"))
            #expect(
                WatchSession.changes(of: folder, in: try session.flush(folder)).items == [
                    FilePath("\(number)/below/file")
                ])
        }
    }
}
