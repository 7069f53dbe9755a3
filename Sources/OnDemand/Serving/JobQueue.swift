internal import CLinux
internal import Glibc
internal import Support
internal import SystemPackage

/// Threads for what takes long or tells the kernel something, which the threads that serve the kernel must not do: others
/// may wait for them.
final class JobQueue: Sendable {
    private static let threads = 4

    private let jobs = Mailbox<@Sendable () -> Void>()
    /// Counts the jobs, so that each wakes one thread.
    private let count: Int32

    init() throws(Errno) { count = try checked { eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE)) } }

    deinit { close(count) }

    /// Starts the threads, which never end.
    func start() throws(Errno) {
        for number in 0..<Self.threads { try DetachedThread.start("job \(number)") { self.run() } }
    }

    /// Has a thread do something.
    func put(_ job: @escaping @Sendable () -> Void) {
        _ = jobs.put(job)
        eventfd_write(count, 1)
    }

    private func run() {
        var one: eventfd_t = 0
        while eventfd_read(count, &one) == 0 || errno == EINTR {
            for job in jobs.take(limit: 1).items { job() }
        }
    }
}
