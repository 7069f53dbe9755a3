import Glibc

/// A program that a test started: its output in a pipe, what it says on its standard error in a file.
final class RunningProgram {
    /// How a program that ran to its end went.
    struct Outcome {
        /// The exit status; 128 and the number of the signal for one that was killed.
        let status: Int32
        let output: String
        let errors: String
    }

    let identifier: pid_t
    private let output: Int32
    private let errorFile: String
    private var pending: [UInt8] = []
    private(set) var status: Int32?

    /// - Parameters:
    ///   - arguments: the program, found in PATH, and its arguments.
    ///   - environment: all that it gets.
    ///   - errorFile: where its standard error is appended.
    init(
        _ arguments: [[UInt8]], environment: [String: String], errorFile: String, directory: String = "/"
    ) throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("socketpair: \(errno)") }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        var attributes = Self.ordinarySignals()
        defer { posix_spawnattr_destroy(&attributes) }
        var child = pid_t()
        // env(1) changes the directory, which posix_spawn cannot do everywhere.
        let code = Self.withVector(["env", "-C", directory].map { Array($0.utf8) } + arguments) { words in
            Self.withVector(environment.map { Array("\($0)=\($1)".utf8) }) { variables in
                posix_spawnp(&child, "env", &actions, &attributes, words, variables)
            }
        }
        output = ends[0]
        self.errorFile = errorFile
        identifier = child
        guard code == 0 else {
            status = -1
            throw Failure("cannot start \(String(decoding: arguments[0], as: UTF8.self)): error \(code)")
        }
    }

    deinit {
        if status == nil {
            _ = Glibc.kill(identifier, SIGKILL)
            _ = try? wait()
        }
        close(output)
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        if status == nil { _ = Glibc.kill(identifier, number) }
    }

    /// Kills it and waits for its end.
    func kill() {
        signal(SIGKILL)
        _ = try? wait()
    }

    /// Whether it runs still.
    var isRunning: Bool {
        if status == nil { reap(WNOHANG) }
        return status == nil
    }

    /// The exit status, for which it waits half a minute at most.
    @discardableResult
    func wait() throws -> Int32 {
        let deadline = Moment.now + .seconds(30)
        while status == nil {
            reap(WNOHANG)
            if status != nil { break }
            guard Moment.now < deadline else { throw Failure("process \(identifier) does not end") }
            usleep(2000)
        }
        return status ?? -1
    }

    /// Reads to the end of its output and waits for its end.
    func finish() throws -> Outcome {
        while let more = try readSome() { pending += more }
        return Outcome(
            status: try wait(), output: String(decoding: pending, as: UTF8.self),
            errors: String(decoding: (try? Disk.read(errorFile)) ?? [], as: UTF8.self))
    }

    /// The next line of its output.
    func line() throws -> String {
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
    func lines(until condition: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        repeat {
            do { lines.append(try line()) } catch { throw Failure("\(error), after \(lines)") }
        } while !condition(lines[lines.count - 1])
        return lines
    }

    /// Nil at the end; waits for half a minute at most.
    private func readSome() throws -> [UInt8]? {
        var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 30_000) == 1 else { throw Failure("nothing was said for 30 seconds") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(output, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func reap(_ options: Int32) {
        var code: Int32 = 0
        guard waitpid(identifier, &code, options) == identifier else { return }
        status = code & 0x7F == 0 ? (code >> 8) & 0xFF : 128 + code & 0x7F
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
