package import DBus

/// Merges several sources of events into one stream and keeps the order of each source.
package final class EventMerge<Event: Sendable>: Sendable {
    /// The events of all sources.
    package let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// Creates a stream without sources.
    package init() { (events, continuation) = AsyncStream.makeStream(of: Event.self) }

    deinit { continuation.finish() }

    /// Adds a source. When it ends, the whole stream ends, because the followed object is gone.
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

    /// Adds a single event after a time.
    package func add(_ event: Event, after interval: Duration, on bus: AsyncConnection) {
        bus.after(interval) { [continuation] in continuation.yield(event) }
    }

    /// Adds an event immediately.
    package func add(_ event: Event) { continuation.yield(event) }
}
