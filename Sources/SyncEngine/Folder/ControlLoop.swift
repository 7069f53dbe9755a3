public import Dispatch

/// The one thread on which folders, their sessions and their stores live. Whatever happens elsewhere is posted to it.
public protocol ControlLoop: Sendable {
    /// Runs `work` on the loop, after what was posted before.
    func post(_ work: @escaping @Sendable () -> Void)
    /// Posts `work` after this many milliseconds.
    func post(after milliseconds: Int, _ work: @escaping @Sendable () -> Void)
}

/// A control loop on a serial dispatch queue, for programs that have no loop of their own.
public struct DispatchControlLoop: ControlLoop {
    /// The queue that everything runs on.
    public let queue: DispatchQueue

    /// A loop on a new queue.
    public init(label: String = "org.roundel.control") {
        queue = DispatchQueue(label: label)
    }

    /// Runs `work` on the queue.
    public func post(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Runs `work` on the queue after a while.
    public func post(after milliseconds: Int, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: work)
    }
}
