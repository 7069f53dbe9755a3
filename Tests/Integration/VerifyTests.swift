import Glibc
import RoundelBus
import TestSupport
import Testing

/// `roundel verify`: every byte of both sides.
@Suite struct VerifyTests {
    /// A folder whose remote is in memory, where bytes can be changed behind every clock.
    private final class Memory {
        let sync: SyncWorld
        let remote: String

        init(files: [String: String]) throws {
            sync = try SyncWorld(adds: false, files: files)
            var template = Array("/dev/shm/roundel-test.XXXXXX".utf8CString)
            guard let path = mkdtemp(&template) else { throw Failure("mkdtemp: \(errno)") }
            remote = String(cString: path)
            guard try sync.roundel("add", sync.local, remote, "--wait").status == 0 else { throw Failure("add") }
        }

        deinit { Disk.removeAll(remote) }

        /// Changes the first byte of a file on the remote and none of its times, as a disk does that rots.
        func rot(_ name: String) throws {
            let file = open("\(remote)/\(name)", O_RDWR | O_CLOEXEC)
            defer { close(file) }
            guard file >= 0, let map = mmap(nil, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), map != MAP_FAILED
            else { throw Failure("mmap: \(errno)") }
            map.assumingMemoryBound(to: UInt8.self)[0] ^= 1
            munmap(map, 1)
        }
    }

    @Test("Equal sides end with 0; a byte that rotted on the remote is found, with 2, and both versions stay")
    func rotten() throws {
        let memory = try Memory(files: ["a": "a", "d/b": "b", "d/c": "c"])
        let sync = memory.sync
        let equal = try sync.roundel("verify")
        #expect(equal.status == 0 && equal.output == "Nothing differs: 3 files (3 bytes) are equal on both sides.\n")
        try memory.rot("d/b")
        let different = try sync.roundel("verify", sync.local)
        #expect(different.status == 2)
        #expect(different.output.contains("different") && different.output.contains("/d/b\n"))
        #expect(different.output.contains("1 item is not the same on both sides; equal files: 2."))
        #expect(try sync.sync().status == 2)
        #expect(try sync.localTexts().values.sorted() == ["a", "b", "c", "c"])
        #expect(try sync.localTexts()["d/b"] == "c")
        try memory.rot("a")
        let json = try sync.roundel("verify", "--json", sync.path("a"))
        #expect(json.status == 2)
        #expect(json.output.value(of: "differences") == "1" && json.output.value(of: "finding") == "different")
        #expect(json.output.value(of: "path") == sync.path("a"))
        #expect(try sync.roundel("verify", sync.path("d/c")).status == 0)
        #expect(try sync.roundel("verify", sync.path("nothing")).status == 1)
        #expect(try sync.roundel("verify", "/").status == 1)
    }

    @Test("What is paused with work pending, or is being written, is no difference")
    func pending() throws {
        let sync = try SyncWorld(files: ["a": "a", "b": "b", "c": "c"])
        try sync.roundel("pause", sync.local)
        try sync.write("a", "edited")
        try sync.write("new", "new")
        try Disk.remove(sync.path("b"))
        try sync.awaitBadge("a", "paused")
        let paused = try sync.roundel("verify", "--json")
        #expect(paused.status == 0 && paused.output.value(of: "differences") == "0")
        #expect(paused.output.value(of: "files") == "1")
        try sync.roundel("resume", sync.local)
        #expect(try sync.sync().status == 0)
        let resumed = try sync.roundel("verify", "--json")
        #expect(resumed.status == 0 && resumed.output.value(of: "files") == "3")
    }

    @Test("Edits that go on during a verification are no difference, and are synced")
    func alive() throws {
        let names = (0..<200).map { "f\($0)" }
        let sync = try SyncWorld(files: Dictionary(uniqueKeysWithValues: names.map { ($0, "text of \($0)") }))
        for round in 0..<3 {
            let program = try sync.world.installation.start("roundel", ["verify", "--json"])
            for name in names.prefix(40) { try sync.write(name, "round \(round) of \(name)") }
            let outcome = try program.finish()
            #expect(outcome.status == 0, "\(outcome)")
        }
        try sync.world.until("it is synced") { try sync.sync().isSilent }
        #expect(try sync.localTexts() == sync.remoteTexts())
    }

    @Test("A remote that is missing fails it; asked about all folders, the others are compared")
    func missingRemote() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let (other, far) = (try sync.world.makeFolder("Other"), try sync.world.makeFolder("Far"))
        try Disk.write(other + "/o", "o")
        #expect(try sync.roundel("add", other, far, "--wait").status == 0)
        // Moved away rather than deleted: what the worker may still write there would be the remote again.
        try Disk.move(far, far + "-away")
        try sync.world.until("it is missing") {
            try sync.roundel("status", "--json", other).output.value(of: "needs") == "remote-missing"
        }
        let failed = try sync.roundel("verify", other)
        #expect(failed.status == 1 && failed.errors.contains("Nothing can be compared."))
        let all = try sync.roundel("verify", "--json")
        #expect(all.status == 2 && all.output.value(of: "files") == "1")
        #expect(all.output.value(of: "finding") == "unreadable" && all.output.value(of: "path") == other)
    }

    @Test("The reading ends when the command does")
    func callerGoes() throws {
        let sync = try SyncWorld(adds: false)
        let size = 768 << 20
        // Holes are read as fast as memory, and there is no need to write them.
        for side in [sync.local, sync.remote] {
            try Disk.write(side + "/big", "")
            #expect(truncate(side + "/big", size) == 0)
        }
        #expect(try sync.roundel("add", sync.local, sync.remote, "--wait").status == 0)
        let worker = try #require(sync.worker).identifier
        let before = try bytesRead(worker)
        let program = try sync.world.installation.start("roundel", ["verify"])
        try sync.world.until("it reads") { try isVerifying(worker) }
        program.signal(SIGINT)
        try sync.world.until("it stops") { try !isVerifying(worker) }
        #expect(try bytesRead(worker) - before < 2 * size)
        _ = try program.finish()
        #expect(try sync.sync().status == 0)
    }

    private func isVerifying(_ worker: Int32) throws -> Bool {
        try Disk.names("/proc/\(worker)/task").contains { thread in
            (try? Disk.text("/proc/\(worker)/task/\(thread)/comm")) == "verify\n"
        }
    }

    private func bytesRead(_ worker: Int32) throws -> Int {
        let lines = try Disk.text("/proc/\(worker)/io").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("rchar: ") }), let count = Int(line.dropFirst(7)) else {
            throw Failure("no rchar")
        }
        return count
    }
}
