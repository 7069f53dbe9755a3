import CFuse
import Glibc
import MountProtocol
import MountSupport
import SystemPackage
import TestSupport
import Testing

/// A disk that a test may use up.
private enum SmallDisk {
    static var isThere: Bool {
        var status = statvfs()
        guard let place = MountedFolder.place, statvfs(place, &status) == 0 else { return false }
        return UInt64(status.f_blocks) * UInt64(status.f_frsize) < 1 << 30
    }
}

@Suite(
    "Contents take their room once", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"),
    .enabled(if: SmallDisk.isThere, "Tests/Edge plays it, on disks of its own"))
struct RoomTests {
    private static let size = 14 << 20
    /// For what the file system itself needs, and what it gives back late.
    private static let spare = 6 << 20

    private func free(_ path: String) throws -> Int {
        sync()
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw Failure("no room known of \(path)") }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Uses up the disk but for so many bytes.
    private func leave(_ bytes: Int, _ folder: MountedFolder) throws {
        let ballast = open(folder.base("ballast").string, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(ballast) }
        guard cfuse_allocate(ballast, 0, 0, off_t(try free(folder.path) - bytes)) == 0 else {
            throw Failure("no ballast: \(errno)")
        }
    }

    @Test("a file that is larger than half of what is free is opened, again and again")
    func nearlyFull() throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        try worker.make([("file", 1, Self.size)])
        try leave(Self.size + Self.spare, folder)
        let whole = Pattern.bytes(version: 1, size: Self.size)
        for _ in 0..<2 {
            #expect(contents(of: folder("file")) == .success(whole))
            for name in (1...worker.wanted.count).map({ "\(StandInWorker.area)/stage-\($0)" }) { unlink(folder(name)) }
            #expect(try worker.freeWhenIdle("file", version: 1) == nil)
        }
    }

    @Test("what does not fit fails with the reason, and the room that it took is given back")
    func full() throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, Self.size)])
        let staged = try worker.stage(version: 1, size: Self.size)
        let reader = try RunningProgram(["cat", folder("file")], environment: RunningProgram.inheritedEnvironment)
        let wanted = try worker.fetch()
        try leave(0, folder)
        let error = try worker.end(
            of: worker.beginFill(.fetch(wanted.fetch), staged: staged, version: Pattern.version(1)))
        let outcome = try reader.finish()
        #expect(error == .noSpace && outcome.errors.contains("No space left") && folder.isMarked("file"))
        unlink(folder(staged))
        unlink(folder.base("ballast").string)
        worker.set(.fill)
        #expect(contents(of: folder("file")) == .success(Pattern.bytes(version: 1, size: Self.size)))
    }
}
