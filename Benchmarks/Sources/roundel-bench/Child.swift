internal import Glibc

/// A program that runs beside the harness and ends with this object at the latest.
final class Child {
    let identifier: pid_t
    /// What the program reads; -1 once it is closed.
    private(set) var input: Int32
    /// What the program writes.
    let output: Int32
    private(set) var hasEnded = false

    /// Starts a program, found in PATH.
    /// - Parameter environment: in addition to the harness' own.
    init(_ arguments: [String], environment: [String: String] = [:], isQuiet: Bool = true) throws {
        let (toChild, fromChild) = (try Self.makePipe(), try Self.makePipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
        var words = arguments.map { strdup($0) } + [nil]
        var variables = Self.inherited.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var child = pid_t()
        let code = posix_spawnp(&child, arguments[0], &actions, nil, &words, &variables)
        close(toChild[0])
        close(fromChild[1])
        (input, output) = (toChild[1], fromChild[0])
        identifier = child
        guard code == 0 else {
            hasEnded = true
            throw Failure("\(arguments[0]) cannot be started: \(String(cString: strerror(code)))")
        }
    }

    deinit { end() }

    /// Asks the program to end, and waits for it.
    func end(_ signal: Int32 = SIGTERM) {
        guard !hasEnded else { return }
        kill(identifier, signal)
        wait()
    }

    @discardableResult
    func wait() -> Int32 {
        guard !hasEnded else { return 0 }
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        hasEnded = true
        closeInput()
        close(output)
        return status
    }

    /// Writes to the program's standard input.
    func send(_ bytes: [UInt8]) throws {
        guard write(input, bytes, bytes.count) == bytes.count else { throw Failure("a helper has ended") }
    }

    /// The program reads nothing more.
    func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// Reads exactly so many bytes.
    func receive(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let size = read(output, &buffer, buffer.count)
            guard size > 0 else { throw Failure("a helper has ended") }
            bytes += buffer[..<size]
        }
        return bytes
    }

    func receiveTime() throws -> UInt64 {
        try receive(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func receiveLine() throws -> String {
        var line: [UInt8] = []
        while true {
            let byte = try receive(1)[0]
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
    }

    /// Runs a program to its end and gives what it printed.
    /// - Parameters:
    ///   - environment: in addition to the harness' own.
    ///   - typed: what the program reads.
    static func output(
        _ arguments: [String], environment: [String: String] = [:], typed: String = ""
    ) throws -> String {
        let child = try Child(arguments, environment: environment)
        try child.send(Array(typed.utf8))
        child.closeInput()
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let size = read(child.output, &buffer, buffer.count), size > 0 { bytes += buffer[..<size] }
        guard child.wait() == 0 else { throw Failure("\(arguments.joined(separator: " ")) failed") }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a program to its end and gives the time that this took, in nanoseconds.
    static func time(_ arguments: [String], environment: [String: String] = [:]) throws -> Double {
        let start = now()
        _ = try output(arguments, environment: environment)
        return Double(now() - start)
    }

    private static func makePipe() throws -> [Int32] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure("no pipe can be made") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    private static var inherited: [String: String] {
        var variables: [String: String] = [:]
        for name in ["PATH", "LANG", "TMPDIR", "LD_LIBRARY_PATH"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }
}

/// What the kernel knows of a process.
struct ProcessFacts {
    let identifier: pid_t

    /// Proportional set size in KiB.
    var memory: Double { field("/proc/\(identifier)/smaps_rollup", "Pss:") }

    /// The most that was resident at any time, in KiB.
    var peak: Double { field("/proc/\(identifier)/status", "VmHWM:") }

    /// Memory that no file stands behind, its own alone, in KiB.
    var anonymousMemory: Double { field("/proc/\(identifier)/smaps_rollup", "Anonymous:") }

    /// Times that one of its threads was woken or pushed aside.
    var switches: Double {
        threads.reduce(0) { sum, thread in
            let path = "/proc/\(identifier)/task/\(thread)/status"
            return sum + field(path, "voluntary_ctxt_switches:") + field(path, "nonvoluntary_ctxt_switches:")
        }
    }

    /// Processor time of all its threads, in nanoseconds.
    var processorTime: Double {
        threads.reduce(0) { sum, thread in
            let text = Files.text("/proc/\(identifier)/task/\(thread)/schedstat") ?? ""
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0)
        }
    }

    private var threads: [String] { Files.names(in: "/proc/\(identifier)/task") }

    private func field(_ path: String, _ key: String) -> Double {
        for line in (Files.text(path) ?? "").split(separator: "\n") where line.hasPrefix(key) {
            return line.dropFirst(key.count).split { $0 == " " || $0 == "\t" }.first.flatMap { Double($0) } ?? 0
        }
        return 0
    }
}
