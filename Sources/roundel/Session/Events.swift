import Dispatch

/// Several sources of events in one stream, each event in the order in which its source gave it.
final class EventMerge<Event: Sendable>: Sendable {
    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    init() { (events, continuation) = AsyncStream.makeStream(of: Event.self) }

    deinit { continuation.finish() }

    /// Adds a source. Its end ends the whole stream: what the command watches is gone then.
    func add<Source: AsyncSequence & Sendable>(
        _ source: Source, _ convert: @escaping @Sendable (Source.Element) -> Event?
    ) where Source.Failure == Never {
        let continuation = continuation
        let task = Task {
            for await element in source {
                if let event = convert(element) { continuation.yield(event) }
            }
            continuation.finish()
        }
        let previous = continuation.onTermination
        continuation.onTermination = { reason in
            task.cancel()
            previous?(reason)
        }
    }

    /// Adds an event that comes once, after a time.
    func add(_ event: Event, after interval: Duration) {
        let (seconds, attoseconds) = interval.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        let continuation = continuation
        DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            continuation.yield(event)
        }
    }

    /// Adds an event now.
    func add(_ event: Event) { continuation.yield(event) }
}
