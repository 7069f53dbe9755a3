package import Dispatch

/// The one thread on which folders, their sessions and their stores live. Events from other threads are posted to it.
package protocol ControlLoop: Sendable {
    /// Runs `work` on the loop, after everything that was posted before.
    func post(_ work: @escaping @Sendable () -> Void)
    /// Runs `work` on the loop after a delay.
    func post(after delay: Duration, _ work: @escaping @Sendable () -> Void)
}

/// A control loop on a serial dispatch queue, for programs that have no loop of their own.
package struct DispatchControlLoop: ControlLoop {
    /// The queue that everything runs on.
    package let queue: DispatchQueue

    /// A loop on a new queue.
    package init(label: String = "org.roundel.control") {
        queue = DispatchQueue(label: label)
    }

    /// Runs `work` on the queue.
    package func post(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs `work` on the queue after a delay.
    package func post(after delay: Duration, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + delay / .seconds(1), execute: work)
    }
}
