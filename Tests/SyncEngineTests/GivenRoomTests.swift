import Dispatch
import Glibc
import Support
import SyncCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// How kept versions give way where a disk is full.
@Suite struct GivenRoomTests {
    /// A file that is replaced again and again, so that the remote keeps versions of one megabyte each.
    private struct Kept {
        static let size = 1 << 20
        let world: FolderWorld
        let side: any DiskSide
        let place: RelativePath

        init(_ count: Int, remoteIn parent: String? = nil, size: Int = Self.size) throws {
            let world = try FolderWorld(in: "/tmp", remoteIn: parent ?? "/tmp", stateIn: "/tmp")
            self.world = world
            func write(_ number: Int) throws {
                let letter = String(UnicodeScalar(UInt8(97 + number)))
                try world.folder.write(String(repeating: letter, count: size), to: "f")
            }
            try write(0)
            try world.start()
            for number in 1...count {
                try write(number)
                try world.syncNow()
            }
            side = try #require(world.sync.remote as? any DiskSide)
            place = try RelativePath([#require(EntryName("f"))])
        }

        func count() throws -> Int { try side.workspace().replaced().versions().count }
    }

    /// A disk on which the room of removed files shows when it commits.
    private final class LateDisk: Sendable {
        struct State {
            var available: Int64 = 10 << 20
            var settled = 0
        }

        let state = Mutex(State())
        /// The free bytes after the call that makes it commit; nil if that changes nothing.
        let afterSettling: Int64?

        init(afterSettling: Int64? = nil) { self.afterSettling = afterSettling }

        func space(below kept: Kept) -> FreeSpace {
            let meter = DiskMeter { _ in
                DiskMeter.Space(available: self.state.withLock { $0.available }, total: 1 << 40)
            } settle: { _ in
                self.state.withLock { state in
                    state.settled += 1
                    if let available = self.afterSettling { state.available = available }
                }
            }
            return FreeSpace(
                in: kept.side.disk.root, leaving: FreeSpaceFloor(bytes: 0), kept.side.disk.keeper, measuredBy: meter)
        }
    }

    @Test("Room that shows late costs no further versions, in this call and in the next ones")
    func lateRoom() throws {
        let kept = try Kept(6)
        let disk = LateDisk()
        let space = disk.space(below: kept)
        let size: Int64 = (10 << 20) + (3 << 19)
        for _ in 0..<3 {
            let failure = #expect(throws: EffectFailure.self) { try space.check(for: size, near: kept.place) }
            // It is tried again, and says why it waits.
            #expect(failure?.reason == .changed && failure?.message.code == .tooLittleSpace)
            #expect(try kept.count() == 4)
        }
        #expect(disk.state.withLock { $0.settled } == 3)
        disk.state.withLock { $0.available += 2 << 20 }
        try space.check(for: size, near: kept.place)
        // Once it showed, the same need makes room again.
        disk.state.withLock { $0.available -= 2 << 20 }
        #expect(throws: EffectFailure.self) { try space.check(for: size, near: kept.place) }
        #expect(try kept.count() == 2)
    }

    @Test("A disk that commits when it is told to shows the room at once")
    func settledRoom() throws {
        let kept = try Kept(4)
        let disk = LateDisk(afterSettling: 12 << 20)
        try disk.space(below: kept).check(for: (10 << 20) + (3 << 19), near: kept.place)
        #expect(try kept.count() == 2)
        #expect(disk.state.withLock { $0.settled } == 1)
    }

    @Test("What is larger than all that is kept waits for nothing, and costs no version")
    func neverFits() throws {
        let kept = try Kept(2)
        let failure = #expect(throws: EffectFailure.self) {
            try LateDisk().space(below: kept).check(for: 1 << 30, near: kept.place)
        }
        #expect(failure?.reason == .noSpace)
        #expect(try kept.count() == 2)
    }

    @Test("Where what is full is not what versions hold, one call removes few of them")
    func otherLimit() throws {
        let kept = try Kept(6)
        var attempts = 0
        let failure = #expect(throws: EffectFailure.self) {
            try kept.side.disk.keeper.withRoom(near: kept.place) { () throws(EffectFailure) in
                attempts += 1
                throw EffectFailure(.noSpace, Explanation(.noSpace, .remote, "f"))
            }
        }
        #expect(failure?.reason == .noSpace && attempts == 3)
        #expect(try kept.count() == 4)
    }

    @Test(
        "Threads that need room for notes at the same time all find it",
        .enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func manyNotes() throws {
        let disk = try MountedDirectory(options: "size=64m,nr_inodes=700")
        let kept = try Kept(1, remoteIn: disk.path, size: 1)
        let replaced = try kept.side.workspace().replaced()
        for _ in 0..<250 {
            let slot = try replaced.announce(KeptNote(kept.place, .replaced))
            try replaced.directory.open(slot, O_WRONLY | O_CREAT, permissions: 0o600).writeAll([1])
        }
        var room = statvfs()
        #expect(statvfs(disk.path, &room) == 0)
        for number in 0..<room.f_ffree { try disk.directory.write("", to: "other \(number)") }
        let failures = Mutex<[EffectFailure]>([])
        let (parent, keeper, place) = (try kept.side.workspace().directory, kept.side.disk.keeper, kept.place)
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            for _ in 0..<12 {
                do throws(EffectFailure) {
                    _ = try keeper.announce(KeptNote(place, .replaced), in: parent)
                } catch {
                    failures.withLock { $0.append(error) }
                }
            }
        }
        #expect(failures.withLock { $0.map(\.reason) } == [])
        #expect(try kept.count() > 0)
    }

    @Test("Room that was made on one file system is none on another")
    func otherFileSystem() throws {
        let clock = RemovalClock()
        let (one, other) = (GivenRoom(clock), GivenRoom(clock))
        let moment = clock.moment
        #expect(one.make(since: moment) { 1 } == .removed)
        #expect(one.make(since: moment) { 1 } == .enough)
        #expect(one.make(since: clock.moment) { 0 } == .nothing)
        #expect(other.make(since: moment) { 1 } == .removed)
    }

    @Test(
        "Each mount has room of its own",
        .enabled(if: MountedDirectory.isPossible, "needs the superuser to mount a file system"))
    func otherMount() throws {
        let disk = try MountedDirectory(options: "size=4m")
        let (here, there) = (try Kept(1), try Kept(1, remoteIn: disk.path))
        let rooms = GivenRooms()
        let (one, other) = (try here.side.workspace(), try there.side.workspace())
        let moment = rooms.moment
        #expect(rooms.room(in: one).make(since: moment) { 1 } == .removed)
        #expect(rooms.room(in: one).wasMade(since: moment) && !rooms.room(in: other).wasMade(since: moment))
    }

    @Test("Nobody who begins a transfer waits for those who remove versions")
    func momentWhileRemoving() throws {
        let kept = try Kept(1)
        let rooms = GivenRooms()
        let workspace = try kept.side.workspace()
        let isRead = DispatchSemaphore(value: 0)
        let outcome = rooms.room(in: workspace).make(since: rooms.moment) {
            DispatchQueue.global().async {
                _ = rooms.moment
                isRead.signal()
            }
            return isRead.wait(timeout: .now() + .seconds(20)) == .success ? 1 : 0
        }
        #expect(outcome == .removed)
    }

    @Test(
        "Btrfs, which shows the room of removed files late, costs no further versions",
        .enabled(if: Btrfs.isPossible, "needs Btrfs and the superuser"))
    func btrfs() throws {
        let disk = try Btrfs()
        let kept = try Kept(6, remoteIn: disk.directory.path.string, size: 8 << 20)
        let root = try kept.side.workspace().directory.descriptor
        try root.synchronizeFileSystem()
        let space = FreeSpace(in: kept.side.disk.root, leaving: FreeSpaceFloor(bytes: 0), kept.side.disk.keeper)
        let available = try #require(DiskMeter.kernel.space(root)).available
        try space.check(for: available + (12 << 20), near: kept.place)
        #expect(try kept.count() == 4)
    }
}

/// A Btrfs file system in a file.
private final class Btrfs {
    let directory: TemporaryDirectory
    private let image: TemporaryDirectory

    /// Whether one can be made and mounted here.
    static let isPossible: Bool = {
        guard MountedDirectory.isPossible, let probe = try? Btrfs() else { return false }
        withExtendedLifetime(probe) {}
        return true
    }()

    init() throws {
        image = try TemporaryDirectory(in: "/tmp")
        directory = try TemporaryDirectory(in: "/tmp")
        let (file, place) = (image.path.appending("image").string, directory.path.string)
        let line = "truncate -s 400M '\(file)' && mkfs.btrfs -q '\(file)' && mount -o loop '\(file)' '\(place)'"
        guard system("(\(line)) >/dev/null 2>&1") == 0 else { throw Errno.noSuchAddressOrDevice }
    }

    deinit { umount2(directory.path.string, Int32(MNT_DETACH)) }
}
