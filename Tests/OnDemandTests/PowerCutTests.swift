import Glibc
import MountSupport
import OnDemand
import SystemPackage
import TestSupport
import Testing

/// The file system that a test's folders are on, in a file. A copy of that is what a disk holds when the power goes; the
/// test of the edge that started this one mounts the copies and looks at them.
private struct DiskImage {
    private let image: String
    private let place: String

    /// Nil unless that test says where both are.
    init?() {
        guard let image = getenv("ROUNDEL_EDGE_IMAGE"), let place = MountedFolder.place else { return nil }
        (self.image, self.place) = (String(cString: image), place)
    }

    /// Has a copy looked at: whether what is at these paths is whole, or away.
    func cut(_ name: String, _ paths: [String], whole: [UInt8]) throws {
        let copying = try RunningProgram(
            ["cp", "--sparse=always", image, "\(image)-\(name)"], environment: RunningProgram.inheritedEnvironment)
        guard try copying.finish().status == 0 else { throw Failure("no copy of \(image)") }
        try write(whole, to: "\(image)-\(name).whole")
        let inside = paths.map { String($0.dropFirst(place.count + 1)) }
        try write(Array(inside.joined(separator: "\n").utf8), to: "\(image)-\(name).paths")
    }
}

@Suite(
    "The power goes while contents come or go", .serialized,
    .enabled(if: DiskImage() != nil, "Tests/Edge plays it"),
    .enabled(if: Tracer.isPossible, "strace cannot trace here"))
struct PowerCutTests {
    private static let size = 300_000
    /// More than is copied at once.
    private static let largeSize = 5 << 20

    /// Does something with the contents and copies the disk. Before that, another program has the journal written, which
    /// takes along what was changed in directories and inodes until then, but not what was written.
    ///
    /// - Parameters:
    ///   - call: At which the program is killed; nil for never.
    ///   - number: At which of these calls.
    ///   - without: Calls that do nothing.
    private func play(
        _ name: String, killedAt call: String?, number: Int = 1, without: [String] = [], size: Int = Self.size,
        _ deed: (MountedFolder, StandInWorker) throws -> Void
    ) throws {
        let disk = try #require(DiskImage())
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        try worker.make([("placeholder", 1, size)])
        let whole = Pattern.bytes(version: 1, size: size)
        try write(whole, to: folder("file"))
        sync()
        var faults = without.reduce(into: [:]) { $0[$1] = Tracer.Fault.nothing }
        // What no thread does.
        faults[call ?? "reboot"] = .kill(number)
        let tracer = try Tracer(folder.process, threads: "job", faults)
        try deed(folder, worker)
        worker.close()
        let other = open(folder.behind("other"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        #expect(fsync(other) == 0)
        close(other)
        try disk.cut(name, [folder.behind("placeholder"), folder.behind("file")], whole: whole)
        folder.kill()
        try tracer.end()
    }

    @Test(
        "while they are put in",
        arguments: ["copy_file_range", "fsync", "utimensat", "fremovexattr", "writev", nil] as [String?])
    func filling(call: String?) throws {
        try play("fill-\(call ?? "done")", killedAt: call) { folder, worker in
            _ = try? worker.fill("placeholder", version: 1)
        }
    }

    @Test(
        "while they go over piece by piece",
        arguments: [
            ("copy_file_range", 1), ("fsetxattr", 1), ("ftruncate", 1), ("copy_file_range", 2), ("ftruncate", 2),
            ("fsync", 1), ("fremovexattr", 1),
        ])
    func fillingInPieces(call: String, number: Int) throws {
        try play("pieces-\(call)-\(number)", killedAt: call, number: number, size: Self.largeSize) { folder, worker in
            _ = try? worker.fill("placeholder", version: 1)
        }
    }

    @Test(
        "while they are taken out",
        arguments: ["fsetxattr", "fsync", "fallocate", "utimensat", "writev", nil] as [String?])
    func freeing(call: String?) throws {
        try play("free-\(call ?? "done")", killedAt: call) { folder, worker in
            _ = try? worker.freeWhenIdle("file", version: 1)
        }
    }

    @Test(
        "while a placeholder is described",
        arguments: ["fsetxattr", "ftruncate", "utimensat", "writev", nil] as [String?])
    func describing(call: String?) throws {
        try play("describe-\(call ?? "done")", killedAt: call) { _, worker in
            _ = try? worker.describe("placeholder", version: 2, size: Self.size / 3)
        }
    }

    @Test("what the test is there for: contents that are put in and not made durable")
    func withoutDurability() throws {
        try play("lost", killedAt: nil, without: ["fsync"]) { folder, worker in
            _ = try? worker.fill("placeholder", version: 1)
        }
    }
}
