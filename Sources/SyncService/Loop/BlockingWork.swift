internal import Dispatch

/// Runs what asks disks on threads of their own, because a file system that does not answer must not hold the bus up.
///
/// @unchecked: confined to the control loop; the queues only hold the reference, to post it there.
final class BlockingWork: @unchecked Sendable {
    private let control: LoopControl
    private var waiting: [UInt64: (any Sendable) -> Void] = [:]
    private var last: UInt64 = 0

    /// Pieces of work at most. Beyond, as behind a file system that does not answer, none is begun.
    private static let limit = 32

    init(control: LoopControl) {
        self.control = control
    }

    /// Runs `work` elsewhere and then `answer`, with its result, on the loop; false, and nothing is done, where too
    /// much waits already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value, _ answer: @escaping (Value) -> Void) -> Bool {
        guard waiting.count < Self.limit else { return false }
        last += 1
        let number = last
        waiting[number] = { value in if let value = value as? Value { answer(value) } }
        // A thread for each: a concurrent queue's are few, and one that waits for a disk would keep it from the others.
        DispatchQueue(label: "org.roundel.blocking").async { [self] in
            let value = work()
            control.post { [self] in waiting.removeValue(forKey: number)?(value) }
        }
        return true
    }

    /// The same, with an answer in any case: nil where too much waits already, or after `patience`.
    func run<Value: Sendable>(
        within patience: Duration, _ work: @escaping @Sendable () -> Value, _ answer: @escaping (Value?) -> Void
    ) {
        var pending: ((Value?) -> Void)? = answer
        func finish(_ value: Value?) {
            pending?(value)
            pending = nil
        }
        guard run(work, { finish($0) }) else { return finish(nil) }
        // Runs on the loop, where it was made.
        nonisolated(unsafe) let overdue: () -> Void = { finish(nil) }
        control.post(after: patience) { overdue() }
    }
}
