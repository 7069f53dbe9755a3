/// Limits the time of an operation.
package enum Deadline {
    /// The time is over.
    package struct Passed: Error {}

    /// The result of `body` if it ends in time. Otherwise it is cancelled, and this waits for its end.
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
