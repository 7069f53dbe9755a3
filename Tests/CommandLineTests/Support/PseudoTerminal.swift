import Glibc
import TestSupport

/// A terminal of a test's own, at which `roundel` runs.
final class PseudoTerminal {
    private let master: Int32
    /// Its device.
    let path: String
    private var seen: [UInt8] = []

    init() throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN (ioctl_tty(2)), which Glibc's module leaves out: unlock it, and say its number.
        var lock: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw Failure("there is no terminal: \(errno)")
        }
        path = "/dev/pts/\(number)"
    }

    deinit { close(master) }

    /// Starts `roundel` in a session of its own with this terminal.
    func start(_ arguments: [String], environment: [String: String]) throws -> RunningProgram {
        let command = "exec setsid --ctty \"$@\" < \(path) > \(path) 2>&1"
        let shell = ["sh", "-c", command, "sh", BuiltPrograms.path("roundel")]
        return try RunningProgram(
            shell + arguments, environment: RunningProgram.inheritedEnvironment.merging(environment) { $1 })
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var settings = termios()
        return tcgetattr(master, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Types.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// What was shown so far, up to a text, for which it waits four minutes at most.
    @discardableResult
    func shown(until text: String) throws -> String {
        while true {
            let all = String(decoding: seen, as: UTF8.self)
            if all.contains(text) { return all }
            var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 240_000) == 1 else { throw Failure("“\(text)” is not shown, but: \(all)") }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { throw Failure("“\(text)” is not shown, but: \(all)") }
            seen += buffer[..<count]
        }
    }

    /// Forgets what was shown.
    func forget() { seen = [] }
}
