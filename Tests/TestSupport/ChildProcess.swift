import CLinux
import DBus
import Glibc

/// A program that a test runs, with its standard output in a pipe.
public final class ChildProcess {
    /// Its process id.
    public let identifier: Int32
    /// Where its standard output is read.
    public let output: Int32
    private var isReaped = false

    /// Starts `arguments`; `environment` is added to the test's own. What a quiet
    /// one says on its standard error goes nowhere.
    public init(_ arguments: [String], environment: [String: String] = [:], isQuiet: Bool = false) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw DBusError.failed("pipe") }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[1])
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        var variables = ChildProcess.inherited.merging(environment) { $1 }.map { strdup("\($0)=\($1)") }
        variables.append(nil)
        var words = arguments.map { strdup($0) }
        words.append(nil)
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        var attributes = ChildProcess.ordinarySignals()
        defer { posix_spawnattr_destroy(&attributes) }
        let code = posix_spawnp(&child, arguments[0], &actions, &attributes, words, variables)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw DBusError.failed("cannot start \(arguments[0]): error \(code)")
        }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        identifier = child
        output = ends[0]
    }

    deinit {
        close(output)
        terminate()
    }

    /// Ends the program and waits for it.
    public func terminate() {
        guard !isReaped else { return }
        kill(identifier, SIGKILL)
        wait()
    }

    /// Waits for its end.
    @discardableResult
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        return status
    }

    /// One read of the pipe; empty at its end.
    public func readSome() -> String {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = read(output, &buffer, buffer.count)
        return String(decoding: buffer[0..<max(count, 0)], as: UTF8.self)
    }

    /// The test's threads may block signals that the program needs.
    private static func ordinarySignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGCHLD, SIGPIPE, SIGTERM, SIGINT] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private static var inherited: [String: String] {
        var variables: [String: String] = [:]
        for name in ["PATH", "HOME", "LANG", "LD_LIBRARY_PATH"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }
}
