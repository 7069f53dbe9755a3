import Dispatch
import Synchronization

/// Runs asynchronous work on the thread that asks for it and waits: what a thread has for itself, as the user that it acts
/// for, the work has as well.
package final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let news = DispatchSemaphore(value: 0)

    private init() {}

    /// What `body` gives.
    package static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let thread = CallingThread()
        let result = Mutex<Result<Value, any Error>?>(nil)
        let task = Task(executorPreference: thread) {
            do { return Result<Value, any Error>.success(try await body()) } catch { return .failure(error) }
        }
        Task(executorPreference: thread) {
            let value = await task.value
            result.withLock { $0 = value }
        }
        while true {
            if let value = result.withLock({ $0 }) { return try value.get() }
            thread.news.wait()
            while let job = thread.jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                job.runSynchronously(on: thread.asUnownedTaskExecutor())
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        news.signal()
    }
}
