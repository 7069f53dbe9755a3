internal import Dispatch

/// Runs what asks disks on threads of their own, and what asks servers in tasks, because one that does not answer must not
/// hold the bus up.
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
        guard let number = begin(answer) else { return false }
        // A thread for each: a concurrent queue's are few, and one that waits for a disk would keep it from the others.
        DispatchQueue(label: "org.roundel.blocking").async { [self] in
            let value = work()
            control.post { [self] in waiting.removeValue(forKey: number)?(value) }
        }
        return true
    }

    /// The same for what asks a network: no thread waits for that.
    func ask<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value, answer: @escaping (Value) -> Void
    ) -> Bool {
        guard let number = begin(answer) else { return false }
        Task { [self] in
            let value = await work()
            control.post { [self] in waiting.removeValue(forKey: number)?(value) }
        }
        return true
    }

    private func begin<Value: Sendable>(_ answer: @escaping (Value) -> Void) -> UInt64? {
        guard waiting.count < Self.limit else { return nil }
        last += 1
        waiting[last] = { value in if let value = value as? Value { answer(value) } }
        return last
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
