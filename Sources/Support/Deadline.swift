/// Ends what takes too long.
package enum Deadline {
    /// The time is over.
    package struct Passed: Error {}

    /// What `body` gives, if it does so in time; it is cancelled, and waited for, when the time is over.
    package static func run<Result: Sendable>(
        _ time: Duration, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result.self) { group in
            group.addTask(operation: body)
            group.addTask {
                try await Task.sleep(for: time, clock: .continuous)
                throw Passed()
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return first
        }
    }
}
