internal import Dispatch

/// Runs disk access on separate threads and server requests in tasks, so that one that does not respond cannot block
/// the bus.
///
/// @unchecked: confined to the control loop; the queues only hold a reference, to post it to the loop.
final class BlockingWork: @unchecked Sendable {
    private let control: LoopControl
    private var waiting: [UInt64: (any Sendable) -> Void] = [:]
    private var last: UInt64 = 0

    /// The most pieces of work at a time. Beyond that, for example if a file system does not respond, none is started.
    private static let limit = 32

    init(control: LoopControl) {
        self.control = control
    }

    /// Runs `work` elsewhere, then `answer` with its result on the loop; false, without doing anything, if too much is
    /// waiting already.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value, _ answer: @escaping (Value) -> Void) -> Bool {
        guard let number = begin(answer) else { return false }
        // One thread each: a concurrent queue has few threads, and a blocked one would be missing for the others.
        DispatchQueue(label: "org.roundel.blocking").async { [self] in
            let value = work()
            control.post { [self] in waiting.removeValue(forKey: number)?(value) }
        }
        return true
    }

    /// The same for network requests, which block no thread.
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

    /// The same, but always calls `answer`: with nil if too much is waiting already, or after `patience`.
    func run<Value: Sendable>(
        within patience: Duration, _ work: @escaping @Sendable () -> Value, _ answer: @escaping (Value?) -> Void
    ) {
        var pending: ((Value?) -> Void)? = answer
        func finish(_ value: Value?) {
            pending?(value)
            pending = nil
        }
        guard run(work, { finish($0) }) else { return finish(nil) }
        // It runs on the loop, where it was created.
        nonisolated(unsafe) let overdue: () -> Void = { finish(nil) }
        control.post(after: patience) { overdue() }
    }
}
