import Glibc
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct FileClockTests {
    /// A clock that a test sets.
    private final class TestClock: Sendable {
        let time = Mutex<Int64>(0)
        var now: Int64 { time.withLock { $0 } }
        func set(_ seconds: Double) { time.withLock { $0 = Int64(seconds * 1e9) } }
    }

    private func status(modified: Double, changed: Double) throws -> FileStatus {
        let directory = try TemporaryDirectory()
        try directory.write("x", to: "a")
        var status = try DirectoryHandle(absolute: directory.path).status(of: .constant("a"))
        (status.modified, status.changed) = (Int64(modified * 1e9), Int64(changed * 1e9))
        return status
    }

    @Test func aFileOfATwoSecondClockStaysUncertainForTwoSeconds() throws {
        let clock = TestClock()
        let versions = FileVersions { clock.now }
        let status = try status(modified: 1_000, changed: 1_000)
        versions.learn(status.device, .foreign)
        clock.set(1_001.9)
        #expect(versions.version(of: status).isRacy)
        #expect(versions.remainingGrain(of: status) > 0)
        clock.set(1_002.5)
        #expect(!versions.version(of: status).isRacy)
        #expect(versions.remainingGrain(of: status) == 0)
    }

    @Test func wholeSecondsInBothTimesTellAClockOfSeconds() throws {
        let clock = TestClock()
        let versions = FileVersions { clock.now }
        let whole = try status(modified: 990, changed: 1_000)
        var fine = whole
        fine.changed += 500_000_000
        versions.learn(whole.device, .local)
        clock.set(1_000.9)
        #expect(versions.version(of: whole).isRacy)
        #expect(!versions.version(of: fine).isRacy)
        clock.set(1_001.1)
        #expect(!versions.version(of: whole).isRacy)
    }

    @Test(.enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func theGrainOfSmallInodesIsMeasured() throws {
        let image = try SmallInodes()
        let clock = try FileClock(
            of: .local, measuredIn: DirectoryHandle(absolute: image.directory.path), name: .constant("probe"))
        #expect(clock.grain >= 1_000_000_000 && clock.grain < 2_000_000_000)
        let usual = try TemporaryDirectory()
        let fine = try FileClock(
            of: .local, measuredIn: DirectoryHandle(absolute: usual.path), name: .constant("probe"))
        #expect(fine.grain <= 20_000_000)
    }

    @Test(
        "an edit of equal size within the second is synced, and not destroyed by the other side's next edit",
        .enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"),
        arguments: Side.allCases)
    func editsWithinASecond(side: Side) throws {
        let image = try SmallInodes()
        let path = image.directory.path.string
        let world = try FolderWorld(in: side == .local ? path : nil, remoteIn: side == .remote ? path : "/tmp")
        try world.start()
        let (own, other) = side == .local ? (world.folder, world.remote) : (world.remote, world.folder)
        for attempt in 0..<4 {
            let name = "f\(attempt)"
            try own.write("old", to: name)
            try world.syncNow()
            try own.write("NEW", to: name)
            try world.syncNow()
            #expect(try other.read(name) == "NEW")
        }
        // Within one second: written, synced, and edited on both sides.
        try own.write("one", to: "both")
        try world.syncNow()
        try own.write("two", to: "both")
        try other.write("three", to: "both")
        try world.syncNow()
        let found = try Set(own.names().filter { $0.hasPrefix("both") }.map { try own.read($0) })
        #expect(found == ["two", "three"])
    }
}

/// An ext4 file system with inodes so small that they hold times in whole seconds.
final class SmallInodes {
    let directory: TemporaryDirectory
    private let image: TemporaryDirectory

    init() throws {
        image = try TemporaryDirectory()
        directory = try TemporaryDirectory()
        let file = image.path.appending("image").string
        try Self.run("truncate", "-s", "16M", file)
        try Self.run("mkfs.ext4", "-q", "-F", "-I", "128", file)
        try Self.run("mount", "-o", "loop", file, directory.path.string)
    }

    private static func run(_ arguments: String...) throws {
        let line = arguments.map { "'\($0)'" }.joined(separator: " ") + " >/dev/null 2>&1"
        guard system(line) == 0 else { throw Failed(command: line) }
    }

    struct Failed: Error {
        var command: String
    }

    deinit { umount2(directory.path.string, Int32(MNT_DETACH)) }
}
