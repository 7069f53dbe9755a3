import Dispatch
import Glibc

/// Runs a check so that an interruption ends it in order: what it has started is ended, and what it has made removed.
enum Interruptible {
    /// - Throws: `CancellationError` after SIGINT or SIGTERM, and any error of `body`.
    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let task = Task { try await body() }
        let sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        try await task.value
    }
}
