import DBus
import Glibc
import RoundelBus
import StandInServices
import SystemPackage
import TestSupport
import Testing

@testable import Setup
@testable import roundel

/// What keeps the worker from starting is said in one sentence, with what to do. A stand-in for the user manager, because
/// none runs in a test.
@Suite(.serialized) struct WorkerObstacleTests {
    private struct Unit: Sendable {
        var load = "loaded"
        var active = "failed"
        var result = "exit-code"
        var code: Int32 = 1
        var status: Int32 = 0
    }

    /// A bus that starts a worker that ends at once, and whose user manager says this of its unit.
    private func manager(_ unit: Unit, on bus: PrivateBus) async throws -> AsyncConnection {
        try bus.addService(Names.worker, command: "/bin/false")
        let connection = try await bus.connect()
        try await connection.perform { connection in
            let load = Interface.Method("LoadUnit", in: [("name", "s")], out: [("unit", "o")]) { call in
                var reader = call.reader
                guard try reader.readString() == "roundel-worker.service" else { throw DBusError.failed("unknown") }
                call.reply { try $0.append(value: .objectPath("/unit")) }
            }
            _ = try connection.export(
                Interface("org.freedesktop.systemd1.Manager", methods: [load]), at: "/org/freedesktop/systemd1")
            let facts = [
                Interface.Property("LoadState", "s") { try $0.append(unit.load) },
                Interface.Property("ActiveState", "s") { try $0.append(unit.active) },
            ]
            _ = try connection.export(Interface("org.freedesktop.systemd1.Unit", properties: facts), at: "/unit")
            let ends = [
                Interface.Property("Result", "s") { try $0.append(unit.result) },
                Interface.Property("ExecMainCode", "i") { try $0.append(value: .int32(unit.code)) },
                Interface.Property("ExecMainStatus", "i") { try $0.append(value: .int32(unit.status)) },
            ]
            _ = try connection.export(Interface("org.freedesktop.systemd1.Service", properties: ends), at: "/unit")
        }
        try await connection.own("org.freedesktop.systemd1")
        return connection
    }

    private func sentence(_ unit: Unit) async throws -> String {
        let (bus, home) = (try PrivateBus(), try TemporaryDirectory())
        let connection = try await manager(unit, on: bus)
        let listed = try Program.run(
            ["list"], environment: bus.environment.merging(["HOME": home.path.string]) { $1 })
        withExtendedLifetime(connection) {}
        #expect(listed.status == 1 && listed.output.isEmpty && listed.errors.filter { $0 == "\n" }.count == 1)
        return listed.errors
    }

    @Test func theUserManagerKnowsWhy() async throws {
        let masked = try await sentence(Unit(load: "masked", active: "inactive"))
        #expect(masked.contains("masked") && masked.contains("systemctl --user unmask roundel-worker"), "\(masked)")
        let failed = try await sentence(Unit(status: 127))
        #expect(failed.contains("ended with status 127") && failed.contains("journalctl --user -u"), "\(failed)")
        let crashed = try await sentence(Unit(result: "core-dump", code: 3, status: 6))
        #expect(crashed.contains("crashed") && !crashed.contains("status 6"), "\(crashed)")
        let limited = try await sentence(Unit(result: "start-limit-hit"))
        #expect(limited.contains("reset-failed roundel-worker"), "\(limited)")
        // Of a unit that runs there is nothing to say but what the bus says.
        let running = try await sentence(Unit(active: "active", result: "success"))
        #expect(running.contains("exited with status 1. To see why, run: roundel-worker"), "\(running)")
    }

    @Test func aMissingProgramIsNamed() {
        let sentence = WorkerObstacle.programMissing("/opt/bin").sentence
        #expect(sentence.contains("there is no roundel-worker in /opt/bin. Install Roundel again."))
        let other = DBusError(name: "org.freedesktop.DBus.Error.Spawn.ChildExited", message: "another program")
        #expect(WorkerCheck.obstacle(behind: other) == nil)
    }
}
