package import DBus

/// Several sources of events in one stream, each event in the order in which its source gave it.
package final class EventMerge<Event: Sendable>: Sendable {
    /// The events of all sources.
    package let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// No sources yet.
    package init() { (events, continuation) = AsyncStream.makeStream(of: Event.self) }

    deinit { continuation.finish() }

    /// Adds a source. Its end ends the whole stream: what is followed is gone then.
    package func add<Source: AsyncSequence & Sendable>(
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
    package func add(_ event: Event, after interval: Duration, on bus: AsyncConnection) {
        bus.after(interval) { [continuation] in continuation.yield(event) }
    }

    /// Adds an event now.
    package func add(_ event: Event) { continuation.yield(event) }
}
