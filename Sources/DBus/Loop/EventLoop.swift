internal import CLinux
internal import Glibc
internal import Support

/// A single-threaded loop with poll(2): file descriptors, timers, wake-ups from other threads, process signals.
///
/// It belongs to the thread that runs it. While nothing happens, it makes no system calls.
public final class EventLoop {
    private var sources: [FileDescriptorSource] = []
    private var descriptors: [pollfd] = []
    private var needsRebuild = true
    private var endOfTurn: [() -> Void] = []
    private var isStopped = false
    private var timers: TimerQueue
    private let timerDescriptor: Int32

    /// How often poll(2) has returned; the number does not change while the loop is idle.
    public private(set) var turns: UInt64 = 0

    /// Creates a loop that watches nothing yet.
    ///
    /// - Throws: `Failed` if the system provides no timer descriptor.
    public init() throws(DBusError) {
        timerDescriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        guard timerDescriptor >= 0 else { throw .system("Cannot create a timer for the event loop") }
        timers = TimerQueue()
        watch(fileDescriptor: timerDescriptor, interest: .read) { [unowned self] _ in
            var expirations: UInt64 = 0
            _ = read(timerDescriptor, &expirations, 8)
            timers.hasExpired()
        }
    }

    deinit { close(timerDescriptor) }

    /// Calls `handler` on the loop whenever `fileDescriptor` is ready for one of `interest`.
    ///
    /// The caller owns the descriptor and must cancel the source before closing it. Errors and hang-ups are always
    /// reported, as `.failure`.
    @discardableResult
    public func watch(
        fileDescriptor: Int32, interest: Interest, _ handler: @escaping (Interest) -> Void
    ) -> FileDescriptorSource {
        let source = FileDescriptorSource(self, fileDescriptor, interest, handler)
        sources.append(source)
        needsRebuild = true
        return source
    }

    /// Creates a timer that calls `handler` on the loop when it fires. It is not set yet.
    public func makeTimer(_ handler: @escaping () -> Void) -> LoopTimer { LoopTimer(self, handler) }

    /// Calls `work` after the handlers of this turn, before the loop waits again.
    public func atEndOfTurn(_ work: @escaping () -> Void) { endOfTurn.append(work) }

    /// Runs until `stop()` is called.
    public func run() {
        isStopped = false
        while !isStopped { turn(timeout: nil) }
    }

    /// Makes `run()` return after this turn. Must be called on the loop's thread; other threads can use a `Wakeup`.
    public func stop() { isStopped = true }

    /// Waits once, at most for `timeout`, and handles events.
    ///
    /// - Parameter timeout: nil waits without limit; a value that is not positive does not wait. Rounded up to
    ///   milliseconds.
    public func runOnce(timeout: Duration?) { turn(timeout: timeout) }

    func sourcesChanged() { needsRebuild = true }

    func schedule(_ timer: LoopTimer) { timers.insert(timer) }

    func unschedule(_ timer: LoopTimer) { timers.remove(timer) }

    private func turn(timeout: Duration?) {
        drainEndOfTurn()
        if isStopped { return }
        timers.arm(timerDescriptor)
        wait(timeout: endOfTurn.isEmpty ? timeout : .zero)
        fireTimers()
        drainEndOfTurn()
    }

    private func fireTimers() {
        guard !timers.isEmpty else { return }
        let now = Instant.now
        while !isStopped, let handler = timers.removeDue(at: now) { handler() }
    }

    /// Work that is added meanwhile waits for the next turn, so that it cannot keep the loop from handling its
    /// descriptors.
    private func drainEndOfTurn() {
        guard !endOfTurn.isEmpty else { return }
        let work = endOfTurn
        endOfTurn = []
        for item in work { item() }
    }

    private func wait(timeout: Duration?) {
        if needsRebuild { rebuild() }
        let ready = poll(&descriptors, nfds_t(descriptors.count), timeout?.pollTimeout ?? -1)
        turns &+= 1
        guard ready > 0 else { return }
        // Handlers may add and cancel sources; these arrays are those that were polled.
        let (polled, results) = (sources, descriptors)
        for (source, result) in zip(polled, results) where result.revents != 0 && !source.isCancelled {
            source.handler(Interest(pollEvents: result.revents))
        }
    }

    private func rebuild() {
        sources.removeAll { $0.isCancelled }
        descriptors = sources.map {
            pollfd(fd: $0.fileDescriptor, events: $0.interest.pollEvents, revents: 0)
        }
        needsRebuild = false
    }
}
