import Glibc
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import Rclone

/// rclone as a process of this program.
@Suite(.serialized, .enabled(if: CloudKind.areInstalled, "needs rclone"))
struct ServiceTests {
    /// The parts of a file below `/proc`, which zeros end.
    private func parts(_ name: String, of process: Int32) throws -> [String] {
        guard let file = fopen("/proc/\(process)/\(name)", "re") else { throw Failure("no \(name)") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return bytes[..<count].split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("one process serves all; its password is in nobody's arguments, and no option of a person's reaches it")
    func secrecy() async throws {
        let cloud = try await TestCloud(
            .directory, environment: ["RCLONE_EXCLUDE": "*", "RCLONE_RC_NO_AUTH": "true", "RCLONE_RC_SERVE": "true"])
        try await cloud.put("a", "x")
        #expect(try await cloud.tree() == ["a": "x"])
        let child = try #require(await cloud.service.child)
        let environment = try parts("environ", of: child)
        let password = try #require(environment.first { $0.hasPrefix("RCLONE_RC_PASS=") }).dropFirst(15)
        #expect(password.count == 32)
        #expect(try parts("cmdline", of: child).allSatisfy { !$0.contains(password) })
        #expect(!environment.contains { $0.hasPrefix("RCLONE_EXCLUDE") || $0.hasPrefix("RCLONE_RC_NO") })
        #expect(environment.filter { $0.hasPrefix("RCLONE_") }.count == 3)
        _ = try await cloud.service.remotes()
        #expect(await cloud.service.child == child)
    }

    @Test("it is started again when it has died")
    func died() async throws {
        let cloud = try await TestCloud(.directory)
        #expect(try await cloud.service.remotes() == ["base", "cloud"])
        let first = try #require(await cloud.service.child)
        #expect(kill(first, SIGKILL) == 0)
        #expect(try await cloud.service.remotes() == ["base", "cloud"])
        let second = try #require(await cloud.service.child)
        #expect(second != first)
    }

    @Test("it ends when nobody asks it any more")
    func idle() async throws {
        var limits = TestCloud.patient
        limits.idle = .milliseconds(300)
        let cloud = try await TestCloud(.directory, limits: limits)
        var running: Int32?
        // On a busy machine it may have ended again before anybody hears of it.
        try await eventually("it is seen to run") {
            _ = try await cloud.service.remotes()
            running = await cloud.service.child
            return running != nil
        }
        let child = try #require(running)
        try await eventually("it ends") { kill(child, 0) != 0 }
        try await eventually("that is known") { await cloud.service.child == nil }
        #expect(try await cloud.service.remotes() == ["base", "cloud"])
    }

    @Test("what is asked ends with its task")
    func cancelled() async throws {
        let cloud = try await TestCloud(.directory)
        _ = try await cloud.service.remotes()
        let task = Task { [service = cloud.service] in
            let _: RcloneNothing = try await service.call("rc/noop", ["x": true], within: .zero)
        }
        await #expect(throws: RcloneFailure(.silent)) { try await task.value }
        let file = try cloud.service.spool.make(for: 0, of: .root)
        for _ in 0..<64 { try file.append(String(repeating: "x", count: 1 << 20)) }
        let (client, place) = (cloud.client, try cloud.path("a"))
        // So slow that it is seen while it is under way.
        let _: RcloneNothing = try await cloud.service.call("core/bwlimit", ["rate": .text("1M")], within: nil)
        let transfer = Task { try await client.upload(file, to: place) }
        try await eventually("something of it shows") { try await !client.list(.root).names.isEmpty }
        transfer.cancel()
        await #expect(throws: RcloneFailure(.cancelled)) { try await transfer.value }
        try await eventually("nothing is left of it") { try await client.list(.root).names.isEmpty }
        #expect(try await cloud.tree().isEmpty)
    }

    @Test("a program that is missing, or does not serve, is told apart")
    func notStarted() async throws {
        let directory = try TemporaryDirectory()
        for (program, reason) in [("no-such-program", RcloneFailure.Reason.noProgram), ("true", .notStarted)] {
            let service = RcloneService(
                spoolingIn: directory["spool"], program: program, environment: ["PATH": "/usr/bin:/bin"])
            await #expect(throws: RcloneFailure(reason)) { try await service.remotes() }
        }
    }

    @Test("files wait where nobody else can read them, and those of an earlier run are removed")
    func spool() async throws {
        let cloud = try await TestCloud(.directory)
        let left = cloud.service.spool.directory.appending("left")
        let parent = cloud.service.spool.directory.removingLastComponent().string
        #expect(mkdir(parent, 0o755) == 0 && mkdir(cloud.service.spool.directory.string, 0o755) == 0)
        close(open(left.string, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
        let file = try cloud.service.spool.make(for: 1, of: .root)
        var status = stat()
        #expect(stat(cloud.service.spool.directory.string, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(stat(file.directory.appending("\(file.name)").string, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(cloud.spooled == ["\(file.name)"])
        let floor = FreeSpaceFloor(bytes: 1 << 59)
        let full = Spool(cloud.service.spool.directory, leaving: floor)
        #expect(throws: (any Error).self) { try full.make(for: 2 << 20, of: .root) }
    }
}
