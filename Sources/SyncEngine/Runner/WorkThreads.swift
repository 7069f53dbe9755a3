import Dispatch
import Synchronization

/// Threads on which tasks may block on a disk. They are not shared: on the threads that all tasks of a program share, a
/// disk that does not answer would block other folders.
///
/// A task that waits for a network or a clock occupies no thread.
package final class WorkThreads: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var next = 0
        var threads = 0
    }

    /// Runs work on a thread that may block.
    package typealias Begin = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

    private let limit: Int
    private let begin: Begin
    private let state = Mutex(State())

    /// An executor that starts no thread before there is work.
    ///
    /// - Parameters:
    ///   - limit: The most threads at a time; at least 1.
    ///   - begin: Starts a thread.
    package init(limit: Int, begin: @escaping Begin = WorkThreads.ordinary) {
        self.limit = max(1, limit)
        self.begin = begin
    }

    /// An ordinary thread. Each has a queue of its own, because a concurrent queue has few threads and the whole
    /// process shares them.
    package static let ordinary: Begin = { work in DispatchQueue(label: "org.roundel.work").async(execute: work) }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let needsThread = state.withLock { state in
            state.jobs.append(job)
            guard state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        if needsThread { begin { self.run() } }
    }

    private func run() {
        while let job = takeNext() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// The next job; nil ends the thread.
    private func takeNext() -> UnownedJob? {
        state.withLock { state in
            if state.next < state.jobs.count {
                defer { state.next += 1 }
                return state.jobs[state.next]
            }
            state.jobs.removeAll(keepingCapacity: true)
            state.next = 0
            state.threads -= 1
            return nil
        }
    }
}
