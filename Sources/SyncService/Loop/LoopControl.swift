internal import DBus
internal import Support
internal import SyncEngine
internal import Synchronization

/// The bus' event loop as the control loop of the synced folders: one thread for both, so that a response to the badge
/// service never waits for another thread.
final class LoopControl: ControlLoop {
    private struct Work: Sendable {
        var delay: Duration
        var run: @Sendable () -> Void
    }

    private let mailbox = Mailbox<Work>()
    private let wakeup = Mutex<Wakeup?>(nil)

    /// Must be created on the loop's thread.
    init(loop: EventLoop) throws {
        let wakeup = try loop.makeWakeup { [unowned self, unowned loop] in
            for work in mailbox.takeAll() {
                if work.delay == .zero {
                    work.run()
                } else {
                    loop.makeTimer(work.run).set(after: work.delay)
                }
            }
        }
        self.wakeup.withLock { $0 = wakeup }
    }

    func post(_ work: @escaping @Sendable () -> Void) {
        post(after: .zero, work)
    }

    func post(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        if mailbox.put(Work(delay: max(.zero, delay), run: work)) { wakeup.withLock { $0?.signal() } }
    }
}
