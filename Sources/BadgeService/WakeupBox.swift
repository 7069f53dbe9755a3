internal import DBus
internal import Synchronization

/// Lets the watcher's thread wake the loop, although the watcher is made before its wake-up is.
final class WakeupBox: Sendable {
    private let wakeup = Mutex<(wakeup: Wakeup?, wasSignalled: Bool)>((nil, false))

    /// Wakes the loop, or will as soon as it can.
    func signal() {
        wakeup.withLock { state in
            state.wakeup?.signal()
            state.wasSignalled = true
        }
    }

    /// Says what wakes the loop.
    func fill(_ wakeup: Wakeup) {
        self.wakeup.withLock { state in
            state.wakeup = wakeup
            if state.wasSignalled { wakeup.signal() }
        }
    }
}
