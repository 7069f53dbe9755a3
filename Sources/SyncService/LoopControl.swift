internal import DBus
internal import SyncEngine
internal import Synchronization

/// The bus' event loop as the control loop of the synced folders: one thread for both, so that an answer to the badge
/// service never waits for another thread.
final class LoopControl: ControlLoop {
    private struct Work: Sendable {
        var milliseconds: Int
        var run: @Sendable () -> Void
    }

    private let mailbox = Mutex<[Work]>([])
    private let wakeup = Mutex<Wakeup?>(nil)

    /// Must be made on the loop's thread.
    init(loop: EventLoop) throws {
        let wakeup = try loop.makeWakeup { [unowned self, unowned loop] in
            for work in takeAll() {
                if work.milliseconds == 0 {
                    work.run()
                } else {
                    let timer = loop.makeTimer(work.run)
                    timer.set(deadline: EventLoop.now() + UInt64(work.milliseconds) * 1_000_000)
                }
            }
        }
        self.wakeup.withLock { $0 = wakeup }
    }

    func post(_ work: @escaping @Sendable () -> Void) {
        post(after: 0, work)
    }

    func post(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
        let isFirst = mailbox.withLock { box in
            box.append(Work(milliseconds: max(0, milliseconds), run: work))
            return box.count == 1
        }
        if isFirst { wakeup.withLock { $0?.signal() } }
    }

    private func takeAll() -> [Work] {
        mailbox.withLock { box in
            defer { box = [] }
            return box
        }
    }
}
