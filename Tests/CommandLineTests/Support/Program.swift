import Glibc
import Testing

/// The real binary, run by a test.
final class Program {
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    /// What the program could not do, in words of the test.
    struct Failure: Error { let reason: String }

    private let identifier: pid_t
    private let output: Int32
    private let errors: Int32
    private var pending: [UInt8] = []
    private var isReaped = false

    /// Starts `roundel` with these arguments, in a directory and with few variables of the test's own.
    init(_ arguments: [[UInt8]], directory: String = "/", environment: [String: String] = [:]) throws {
        let (readOutput, writeOutput) = try Program.makePipe()
        let (readErrors, writeErrors) = try Program.makePipe()
        defer { for end in [writeOutput, writeErrors] { close(end) } }
        output = readOutput
        errors = readErrors
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, writeOutput, 1)
        posix_spawn_file_actions_adddup2(&actions, writeErrors, 2)
        let variables = Program.inherited.merging(environment) { $1 }.map { Array("\($0)=\($1)".utf8) }
        var child = pid_t()
        let path = try Program.path()
        let code = Program.withVector(["env", "-C", directory, path].map { Array($0.utf8) } + arguments) { words in
            Program.withVector(variables) { posix_spawnp(&child, "env", &actions, nil, words, $0) }
        }
        guard code == 0 else { throw Failure(reason: "cannot start \(path): error \(code)") }
        identifier = child
    }

    deinit {
        for end in [output, errors] { close(end) }
        if !isReaped {
            kill(identifier, SIGKILL)
            _ = reap()
        }
    }

    /// Runs `roundel` to its end.
    static func run(
        _ arguments: [String], directory: String = "/", environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(bytes: arguments.map { Array($0.utf8) }, directory: directory, environment: environment)
    }

    /// Runs `roundel` with arguments of any bytes to its end.
    static func run(
        bytes arguments: [[UInt8]], directory: String = "/", environment: [String: String] = [:]
    ) throws -> Outcome {
        let program = try Program(arguments, directory: directory, environment: environment)
        let output = try program.readToEnd(program.output)
        let errors = try program.readToEnd(program.errors)
        return Outcome(status: program.reap(), output: output, errors: errors)
    }

    /// The next line of standard output.
    func line() throws -> String {
        while true {
            if let end = pending.firstIndex(of: 0x0A) {
                let line = String(decoding: pending[..<end], as: UTF8.self)
                pending.removeFirst(end + 1)
                return line
            }
            guard let more = try readSome(output) else { throw Failure(reason: "the output ended") }
            pending += more
        }
    }

    /// Sends a signal and gives the status that the program ends with.
    func end(with signal: Int32) -> Int32 {
        kill(identifier, signal)
        return reap()
    }

    // MARK: Parts

    private func readToEnd(_ descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        while let more = try readSome(descriptor) { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nil at the end; waits for 20 seconds at most.
    private func readSome(_ descriptor: Int32) throws -> [UInt8]? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20_000) == 1 else { throw Failure(reason: "nothing was said for 20 seconds") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        isReaped = true
        // The wait status of a signal is 128 and its number, as a shell says it.
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
    }

    static func makePipe() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        // Closed in every other child at once, which pipe(2) cannot do.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure(reason: "socketpair") }
        return (ends[0], ends[1])
    }

    static func withVector<Result>(
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

    /// The binary stands beside the tests.
    private static func path() throws -> String {
        guard let own = realpath("/proc/self/exe", nil) else { throw Failure(reason: "/proc is not there") }
        defer { free(own) }
        let folder = String(cString: own).split(separator: "/").dropLast()
        let beside = "/" + folder.joined(separator: "/") + "/roundel"
        if access(beside, X_OK) == 0 { return beside }
        guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
            throw Failure(reason: "\(beside) is not built")
        }
        return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/roundel"
    }

    private static var inherited: [String: String] {
        var variables = ["LC_ALL": "C.UTF-8"]
        for name in ["PATH", "LD_LIBRARY_PATH"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }
}

/// A directory of a test's own, gone with it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("/tmp/roundel-cli.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Program.Failure(reason: "mkdtemp") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a file of so many bytes.
    func file(_ name: [UInt8], size: Int = 0) throws {
        let place = (Array("\(path)/".utf8) + name).map { CChar(bitPattern: $0) } + [0]
        let descriptor = open(place, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else {
            throw Program.Failure(reason: "cannot write into \(path)")
        }
        close(descriptor)
    }

    func folder(_ name: String) { mkdir("\(path)/\(name)", 0o700) }

    deinit {
        var child = pid_t()
        var status: Int32 = 0
        let words = ["rm", "-rf", path].map { Array($0.utf8) }
        guard Program.withVector(words, { posix_spawnp(&child, "rm", nil, nil, $0, environ) }) == 0 else { return }
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
    }
}
