import Synchronization

/// Holds the watcher's thread so that a test can fill the kernel's queue.
package final class PauseGate: Sendable {
    private let state = Mutex((reached: false, open: false))

    package init() {}

    /// Whether the watcher's thread has come to the gate.
    package var isReached: Bool { state.withLock { $0.reached } }

    /// Lets the watcher's thread go on.
    package func open() {
        state.withLock { $0.open = true }
    }

    func reach() {
        state.withLock { $0.reached = true }
    }

    var isOpen: Bool { state.withLock { $0.open } }
}
