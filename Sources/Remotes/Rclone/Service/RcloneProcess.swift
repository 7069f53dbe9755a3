internal import CLinux
internal import Glibc
internal import Support
internal import Synchronization

/// One run of `rclone rcd`: started and ended once, and never outliving this process.
final class RcloneProcess: Sendable {
    private enum Phase {
        case starting([CheckedContinuation<String, any Error>])
        case serving(String)
        case ended(RcloneFailure)
    }

    private struct State {
        var phase = Phase.starting([])
        /// Nil before it is started, and as soon as another process may have its id.
        var child: pid_t?
        var isToEnd = false
    }

    private let state = Mutex(State())

    /// Starts rclone.
    ///
    /// - Parameters:
    ///   - words: The program and its arguments.
    ///   - environment: All environment variables.
    init(_ words: [String], environment: [String]) {
        do {
            // The thread must live as long as the program, because the kernel ends the program with it.
            try DetachedThread.start("rclone") { [self] in run(words, environment) }
        } catch {
            finish(.notStarted)
        }
    }

    /// The address of its server, once it is ready.
    func address() async throws -> String {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known: Result<String, any Error>? = state.withLock { state in
                    switch state.phase {
                    case .starting(let waiting):
                        state.phase = .starting(waiting + [continuation])
                        return nil
                    case .serving(let address): return .success(address)
                    case .ended(let failure): return .failure(failure)
                    }
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            end()
        }
    }

    /// Whether it has exited.
    var hasEnded: Bool {
        state.withLock { state in
            switch state.phase {
            case .starting, .serving: false
            case .ended: true
            }
        }
    }

    /// Waits for an exit that the closed connections indicate, some seconds at most: on a busy machine it is noticed
    /// late.
    func waitForEnd() async {
        let deadline = ContinuousClock.now + Patience.Rclone.exitNoticed
        while !hasEnded && ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(10), clock: .continuous)
        }
    }

    /// Its process id, while it runs.
    var child: pid_t? { state.withLock { $0.child } }

    /// Terminates it.
    func end() {
        state.withLock { $0.isToEnd = true }
        signal(SIGTERM)
        Task { [self] in
            try? await Task.sleep(for: Patience.Rclone.exit, clock: .continuous)
            signal(SIGKILL)
        }
    }

    /// Sends it a signal. The lock guarantees that the id is still its own, because it is also reaped under the lock.
    private func signal(_ number: Int32) {
        state.withLock { state in
            if let child = state.child { kill(child, number) }
        }
    }

    // MARK: The thread

    private func run(_ words: [String], _ environment: [String]) {
        var ends: [Int32] = [-1, -1]
        guard clinux_helper_pipe(&ends) == 0 else { return finish(.notStarted) }
        var child = pid_t()
        let problem = Self.start(words, environment, errors: ends[1], &child)
        close(ends[1])
        defer { close(ends[0]) }
        guard problem == 0 else { return finish(problem == ENOENT ? .noProgram : .notStarted) }
        let isToEnd = state.withLock { state in
            state.child = child
            return state.isToEnd
        }
        if isToEnd { signal(SIGTERM) }
        readLines(ends[0])
        var information = siginfo_t()
        while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        state.withLock { state in
            while waitpid(child, nil, 0) < 0 && errno == EINTR {}
            state.child = nil
        }
        finish(.notStarted)
    }

    private static func start(
        _ words: [String], _ environment: [String], errors: Int32, _ child: inout pid_t
    ) -> Int32 {
        let words = words.map { UnsafePointer(strdup($0)) } + [nil]
        let variables = environment.map { UnsafePointer(strdup($0)) } + [nil]
        defer { for text in words + variables { free(UnsafeMutablePointer(mutating: text)) } }
        return clinux_start_helper(words, variables, errors, &child)
    }

    /// Reads its error output to the end, looking for the line with its address. The rest is discarded, because it
    /// contains names of files and addresses of accounts.
    private func readLines(_ descriptor: Int32) {
        var line: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in part[..<count] {
                if byte == UInt8(ascii: "\n") {
                    if let address = Self.address(in: line) { serve(at: address) }
                    line.removeAll(keepingCapacity: true)
                } else if line.count < 4_096 {
                    line.append(byte)
                }
            }
        }
    }

    /// The address in `… Serving remote control on http://127.0.0.1:PORT/`; nil for any other line.
    static func address(in line: [UInt8]) -> String? {
        let text = String(decoding: line, as: UTF8.self)
        guard let mark = text.firstRange(of: "Serving remote control on http://127.0.0.1:") else { return nil }
        let port = text[mark.upperBound...].prefix { $0 != "/" }
        return UInt16(port).map { "http://127.0.0.1:\($0)/" }
    }

    private func serve(at address: String) {
        let waiting = state.withLock { state -> [CheckedContinuation<String, any Error>] in
            guard case .starting(let waiting) = state.phase else { return [] }
            state.phase = .serving(address)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: address) }
    }

    private func finish(_ reason: RcloneFailure.Reason) {
        let failure = RcloneFailure(reason)
        let waiting = state.withLock { state -> [CheckedContinuation<String, any Error>] in
            defer { state.phase = .ended(failure) }
            guard case .starting(let waiting) = state.phase else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume(throwing: failure) }
    }
}
