import CLinux
import Glibc

/// A program that a test started: its output in a pipe, what it says on its standard error in a file.
public final class RunningProgram {
    /// How a program that ran to its end went.
    public struct Outcome: Sendable {
        /// The exit status; 128 and the number of the signal for one that was killed.
        public let status: Int32
        /// What it said on its standard output.
        public let output: String
        /// What is in the file of its standard error.
        public let errors: String
    }

    /// Its process id.
    public let identifier: Int32
    /// Where its standard output is read.
    public let output: Int32
    private let errors: Int32
    private var pending: [UInt8] = []
    /// The exit status, as in ``Outcome``, once its end is known.
    public private(set) var status: Int32?

    /// - Parameters:
    ///   - arguments: the program, found in the PATH of its environment, and its arguments.
    ///   - environment: all that it gets.
    ///   - errorFile: where its standard error is appended; nil for a file of its own without a name.
    ///   - directory: where it runs.
    public init(
        _ arguments: [[UInt8]], environment: [String: String], errorFile: String? = nil, directory: String = "/"
    ) throws {
        var ends: [Int32] = [0, 0]
        // Closed in every other child at once, which pipe(2) cannot do.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("socketpair: \(errno)") }
        defer { close(ends[1]) }
        output = ends[0]
        errors =
            errorFile.map { open($0, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
            ?? open("/tmp", O_RDWR | CLINUX_O_TMPFILE | O_CLOEXEC, 0o600)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        var attributes = Self.ordinarySignals()
        defer { posix_spawnattr_destroy(&attributes) }
        var child = pid_t()
        // env(1) changes the directory, which posix_spawn cannot do everywhere.
        let code = Self.withVector(["env", "-C", directory].map { Array($0.utf8) } + arguments) { words in
            Self.withVector(environment.map { Array("\($0)=\($1)".utf8) }) { variables in
                posix_spawnp(&child, "env", &actions, &attributes, words, variables)
            }
        }
        identifier = child
        guard code == 0 else {
            status = -1
            throw Failure("cannot start \(String(decoding: arguments[0], as: UTF8.self)): error \(code)")
        }
    }

    /// The same with arguments that are text.
    public convenience init(
        _ arguments: [String], environment: [String: String], errorFile: String? = nil, directory: String = "/"
    ) throws {
        try self.init(
            arguments.map { Array($0.utf8) }, environment: environment, errorFile: errorFile, directory: directory)
    }

    deinit {
        if status == nil {
            _ = Glibc.kill(identifier, SIGKILL)
            _ = try? wait()
        }
        close(output)
        if errors >= 0 { close(errors) }
    }

    /// The few variables of the test's own that any program needs.
    public static var inheritedEnvironment: [String: String] {
        var variables = ["LC_ALL": "C.UTF-8"]
        for name in ["PATH", "HOME", "LD_LIBRARY_PATH"] + timeFactors {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }

    /// The variables that scale the limits and the pauses of the programs (`Patience` in Support), if they are set.
    public static let timeFactors = ["ROUNDEL_PATIENCE", "ROUNDEL_PAUSES"]

    // MARK: Its end

    /// Sends a signal.
    public func signal(_ number: Int32) {
        if status == nil { _ = Glibc.kill(identifier, number) }
    }

    /// Kills it and waits for its end.
    public func kill() {
        signal(SIGKILL)
        _ = try? wait()
    }

    /// Sends a signal and gives the status that the program ends with.
    public func end(with number: Int32) throws -> Int32 {
        signal(number)
        return try wait()
    }

    /// Whether it runs still.
    public var isRunning: Bool {
        if status == nil { reap(WNOHANG) }
        return status == nil
    }

    /// The exit status, for which it waits four minutes at most.
    @discardableResult
    public func wait() throws -> Int32 {
        if status == nil {
            guard happens(WEXITED) else { throw Failure("process \(identifier) does not end") }
            reap(0)
        }
        return status ?? -1
    }

    /// Waits until it is stopped, four minutes at most. A SIGCONT that is sent before would be lost.
    public func waitUntilStopped() throws {
        guard status == nil, happens(WSTOPPED) else { throw Failure("process \(identifier) does not stop") }
    }

    /// Whether it changes its state so, as waitid(2) names it, within four minutes. Asked again and again on the thread
    /// of the caller: a thread that only waits for it would have to be had from those that tests hold for minutes.
    private func happens(_ change: Int32) -> Bool {
        let end = ContinuousClock.now + .seconds(240)
        while true {
            var information = siginfo_t()
            // The status is left to be taken by the thread to which this object belongs.
            let result = waitid(P_PID, id_t(identifier), &information, change | WNOWAIT | WNOHANG)
            // Nothing is filled in as long as nothing has happened.
            if result == 0 && information.si_signo == SIGCHLD { return true }
            guard result == 0 || errno == EINTR, ContinuousClock.now < end else { return false }
            usleep(1_000)
        }
    }

    private func reap(_ options: Int32) {
        var code: Int32 = 0
        guard waitpid(identifier, &code, options) == identifier else { return }
        status = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + code & 0x7F
    }

    // MARK: What it says

    /// Reads to the end of its output and waits for its end.
    public func finish() throws -> Outcome {
        while let more = try readSome() { pending += more }
        return Outcome(
            status: try wait(), output: String(decoding: pending, as: UTF8.self),
            errors: String(decoding: readErrors(), as: UTF8.self))
    }

    /// The next line of its output.
    public func line() throws -> String {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return line
            }
            guard let more = try readSome() else { throw Failure("the output ended") }
            pending += more
        }
    }

    /// Reads lines until one fulfils the condition, and gives all of them.
    @discardableResult
    public func lines(until condition: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        repeat {
            do { lines.append(try line()) } catch { throw Failure("\(error), after \(lines)") }
        } while !condition(lines[lines.count - 1])
        return lines
    }

    /// Some of its output, nil at the end; waits for four minutes at most.
    public func readSome() throws -> [UInt8]? {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 240_000) == 1 else { throw Failure("nothing was said for four minutes") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func readErrors() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(errors, &buffer, buffer.count, off_t(bytes.count))
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}

extension RunningProgram {
    /// The test's threads may block signals that the program needs.
    private static func ordinarySignals() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var defaults = sigset_t()
        sigemptyset(&defaults)
        for signal in [SIGCHLD, SIGPIPE, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    private static func withVector<Result>(
        _ strings: [[UInt8]], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { bytes -> UnsafeMutablePointer<CChar>? in
            let copy = UnsafeMutableRawPointer(calloc(bytes.count + 1, 1))
            copy?.copyMemory(from: bytes, byteCount: bytes.count)
            return copy?.assumingMemoryBound(to: CChar.self)
        }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
