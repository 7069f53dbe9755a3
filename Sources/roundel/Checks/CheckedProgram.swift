import CLinux
import Glibc
import Support

/// A program that a check has started.
final class CheckedProgram {
    /// Its process id.
    let process: pid_t
    private var ended: Int32?

    /// - Parameters:
    ///   - words: Its name, which is searched in PATH, and its arguments.
    ///   - environment: All that it gets. What it says on its standard output goes to the standard error, because the
    ///     standard output is for the result of the check.
    ///   - isQuiet: Whether nobody wants to know what it says.
    init(_ words: [String], environment: [String: String], isQuiet: Bool = false) throws(CommandFailure) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // libdbus ignores SIGPIPE, and the check those that interrupt it.
        for number in [SIGPIPE, SIGINT, SIGTERM] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let arguments = words.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let code = posix_spawnp(&child, words[0], &actions, &attributes, arguments, variables)
        guard code == 0 else {
            throw CommandFailure(tr("“{1}” cannot be started: {2}.", words[0], SystemError.description(of: code)))
        }
        process = child
    }

    /// Whether it still runs.
    var isRunning: Bool { status == nil }

    /// The exit status once it has ended, as a shell tells it: 128 and the number of the signal that ended it.
    var status: Int32? {
        reap(WNOHANG)
        return ended
    }

    private func reap(_ options: Int32) {
        var status: Int32 = 0
        guard ended == nil, waitpid(process, &status, options) != 0 else { return }
        ended = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }

    /// Asks it to end, and kills it if it does not.
    func end() {
        guard isRunning else { return }
        kill(process, SIGTERM)
        if !clinux_await_child(process, Int32(Patience.Checking.end / .milliseconds(1))) { kill(process, SIGKILL) }
        reap(0)
    }

    /// How often the threads of a process have waited for something; nil if it cannot be seen.
    static func wakeUps(of process: UInt32) -> Int? {
        guard let threads = opendir("/proc/\(process)/task") else { return nil }
        defer { closedir(threads) }
        var total = 0
        while let entry = readdir(threads) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/\(process)/task/\(name)/status", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 256)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                guard text.hasPrefix("voluntary_ctxt_switches:") else { continue }
                total += text.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } ?? 0
            }
        }
        return total
    }
}
