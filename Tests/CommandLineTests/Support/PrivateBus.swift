import DBus
import Glibc

/// A bus of a test's own.
final class PrivateBus {
    let address: String
    private let directory: TemporaryDirectory
    private let daemon: pid_t

    init() throws {
        directory = try TemporaryDirectory()
        let (reading, writing) = try Program.makePipe()
        defer { close(reading) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, writing, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = [
            "dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog",
            "--address=unix:path=\(directory.path)/bus", "--print-address=1",
        ]
        var child = pid_t()
        let code = Program.withVector(words.map { Array($0.utf8) }) {
            posix_spawnp(&child, "dbus-daemon", &actions, nil, $0, environ)
        }
        close(writing)
        guard code == 0 else { throw Program.Failure(reason: "cannot start dbus-daemon: error \(code)") }
        daemon = child
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(reading, &buffer, buffer.count)
        address = String(decoding: buffer.prefix { $0 != 0x0A && $0 != 0 }, as: UTF8.self)
        guard count > 0 else { throw Program.Failure(reason: "dbus-daemon did not start") }
    }

    var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    func connect() async throws -> AsyncConnection { try await .open(.address(address)) }

    deinit {
        kill(daemon, SIGKILL)
        var status: Int32 = 0
        while waitpid(daemon, &status, 0) < 0, errno == EINTR {}
    }
}

extension AsyncConnection {
    /// Owns a name, or fails.
    func own(_ name: String) async throws {
        let reply = try await call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(name), .uint32(4)])
        guard reply.first?.uint32 == 1 else { throw Program.Failure(reason: "\(name) has an owner already") }
    }
}
