import Glibc
import MountProtocol
import MountSupport
import OnDemand
import SystemPackage
import TestSupport
import Testing

/// A group of processes that the kernel freezes as it does when the computer goes to sleep.
private final class FreezableGroup {
    private let path: String

    /// Nil where no group can be made.
    init?() {
        let mounts = (try? contents(of: "/proc/self/mounts").get()) ?? []
        let lines = String(decoding: mounts, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
        guard let mount = lines.first(where: { $0.count > 2 && $0[2] == "cgroup2" }) else { return nil }
        path = "\(mount[1])/roundel-test-\(getpid())"
        guard mkdir(path, 0o755) == 0, access("\(path)/cgroup.freeze", W_OK) == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit { rmdir(path) }

    static var isPossible: Bool { FreezableGroup() != nil }

    func add(_ process: Int32) throws { try write(Array("\(process)".utf8), to: "\(path)/cgroup.procs") }

    /// Freezes all of it, or lets it go on.
    func freeze(_ isFrozen: Bool) throws { try write(Array((isFrozen ? "1" : "0").utf8), to: "\(path)/cgroup.freeze") }

    var isFrozen: Bool {
        guard case .success(let events) = contents(of: "\(path)/cgroup.events") else { return false }
        return String(decoding: events, as: UTF8.self).contains("frozen 1")
    }
}

@Suite(
    "The computer goes to sleep while a program waits for contents",
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"),
    .enabled(if: FreezableGroup.isPossible, "no group of processes can be made here"))
struct SleepTests {
    // Not after a signal that does not end the wait: the kernel tells of one alone.
    @Test("whoever waits is frozen, and may try again afterwards")
    func frozen() throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder, .keep)
        defer { worker.close() }
        try worker.make([("file", 1, 100)])
        // Python tries again after EINTR.
        let script = "import sys; print(len(open(sys.argv[1], 'rb').read()))"
        let reader = try RunningProgram(
            ["/usr/bin/python3", "-c", script, folder("file")], environment: RunningProgram.inheritedEnvironment)
        _ = try worker.fetch()
        let group = try #require(FreezableGroup())
        try group.add(reader.identifier)
        try group.freeze(true)
        try worker.wait("sleep") { _ in group.isFrozen }
        worker.set(.fill)
        try group.freeze(false)
        #expect(try reader.finish().output == "100\n")
    }
}
