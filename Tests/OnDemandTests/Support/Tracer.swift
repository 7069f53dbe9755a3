import Glibc
import TestSupport

/// Disturbs the system calls of some threads of a process.
struct Tracer {
    /// What happens at a call instead of it.
    enum Fault: Sendable {
        /// The process is killed at the call with this number, counted from 1 for each thread.
        case kill(Int)
        case fail(String)
        /// Only the call with this number fails.
        case failOnce(String, Int)
        /// It says that it was done.
        case nothing

        fileprivate var words: String {
            switch self {
            case .kill(let number): "signal=KILL:when=\(number)"
            case .fail(let error): "error=\(error)"
            case .failOnce(let error, let number): "error=\(error):when=\(number)"
            case .nothing: "retval=0"
            }
        }
    }

    /// Not everywhere: it may not be installed, or ptrace(2) may not be permitted.
    static let isPossible: Bool = {
        let trial = try? RunningProgram(
            ["strace", "-qq", "-o", "/dev/null", "true"], environment: RunningProgram.inheritedEnvironment)
        return (try? trial?.finish().status) == 0
    }()

    private let strace: RunningProgram

    /// - Parameter threads: How the names of the threads begin.
    init(_ process: Int32, threads: String, _ faults: [String: Fault]) throws {
        let base = "/proc/\(process)/task"
        let directory = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Failure("no process \(process)") }
        defer { close(directory) }
        let chosen = entries(of: directory).map {
            String(decoding: $0.name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        .filter { Self.text("\(base)/\($0)/comm").hasPrefix(threads) }
        let words =
            ["trace=\(faults.keys.joined(separator: ","))"] + faults.map { "inject=\($0.key):\($0.value.words)" }
        strace = try RunningProgram(
            ["strace", "-qq", "-o", "/dev/null"] + words.flatMap { ["-e", $0] } + chosen.flatMap { ["-p", $0] },
            environment: RunningProgram.inheritedEnvironment)
        let end = ContinuousClock.now + .seconds(60)
        while chosen.contains(where: { Self.text("\(base)/\($0)/status").contains("TracerPid:\t0\n") }) {
            guard strace.isRunning, ContinuousClock.now < end else {
                throw Failure("no trace: \(try strace.finish().errors)")
            }
            usleep(1_000)
        }
    }

    private static func text(_ path: String) -> String {
        (try? contents(of: path).get()).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// The process has ended, or is to be left alone from now on.
    func end() throws { _ = try strace.end(with: SIGTERM) }
}
