import ArgumentParser
import Dispatch
import Glibc
import Synchronization

/// Runs a check so that an interruption ends it in order: what it has started is ended, and what it has made removed.
enum Interruptible {
    /// The signal that came first, or 0.
    private static let interruption = Atomic<Int32>(0)

    /// - Throws: After SIGINT, SIGTERM or SIGHUP the exit status that says so, 128 and the number of the signal;
    ///   otherwise any error of `body`.
    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                _ = interruption.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch {
            // What was going on fails in several ways when it is cancelled.
            let number = interruption.load(ordering: .relaxed)
            throw number == 0 ? error : ExitCode(128 + number)
        }
    }
}
