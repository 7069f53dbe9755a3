internal import CLinux
internal import Glibc

/// Starts programs for the user from a service.
///
/// A program started directly by a service inherits its sandbox, its umask and its control group, and ends with it. So
/// the user's service manager is asked to start it, like a program chosen in a menu. Only if there is no such manager,
/// the program is started directly, with as clean a state as possible.
package struct ProgramLauncher {
    /// The result of starting a program.
    package enum Outcome: Equatable, Sendable {
        /// The user's service manager runs it.
        case handedOver
        /// It was started directly and has ended with this exit status: 128 plus the number for a signal.
        case ended(Int32)
        /// It could not be started, for this reason.
        case failed(String)
    }

    /// Asks the user's service manager to run a program: its path and its arguments, and the token with which its
    /// window may take the focus, "" for none. Passes on whether the manager runs it.
    package typealias HandOver = (
        _ words: [String], _ startup: String, _ done: @escaping (_ isRunning: Bool) -> Void
    ) -> Void
    /// Calls the closure once, when a file descriptor has become readable and is no longer watched.
    package typealias WhenReadable = (_ descriptor: Int32, _ body: @escaping () -> Void) -> Void

    private let handOver: HandOver
    private let whenReadable: WhenReadable

    /// Creates a launcher that reaches the service manager and the caller's loop by these.
    package init(handOver: @escaping HandOver, whenReadable: @escaping WhenReadable) {
        self.handOver = handOver
        self.whenReadable = whenReadable
    }

    /// Starts a program.
    /// - Parameters:
    ///   - words: Its name, which is searched in PATH, and its arguments.
    ///   - startup: The token with which its window may take the focus; "" for none.
    package func start(_ words: [String], startup: String, _ finished: @escaping (Outcome) -> Void) {
        guard let program = words.first.flatMap(InstalledProgram.path) else {
            return finished(.failed(tr("{1} is not installed.", words.first ?? "")))
        }
        let words = [program] + words.dropFirst()
        handOver(words, startup) { isRunning in
            if isRunning { finished(.handedOver) } else { startHere(words, startup, finished) }
        }
    }

    private func startHere(_ words: [String], _ startup: String, _ finished: @escaping (Outcome) -> Void) {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var child = pid_t()
        let problem = clinux_start_program(copies.map { UnsafePointer($0) } + [nil], startup, &child)
        guard problem == 0 else {
            return finished(.failed(tr("{1} cannot be started: {2}.", words[0], String(cString: strerror(problem)))))
        }
        let descriptor = clinux_follow_child(child)
        // If the kernel cannot report its end, the program is not followed.
        guard descriptor >= 0 else { return finished(.handedOver) }
        whenReadable(descriptor) { [child] in
            close(descriptor)
            let status = clinux_end_of_child(child)
            // If something else in this process waited for it, nobody knows how it ended.
            finished(status < 0 ? .handedOver : .ended(status))
        }
    }
}
