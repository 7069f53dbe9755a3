import Synchronization

/// A server that asked to be left alone for a while (429, or 503 with `Retry-After`) is asked nothing until then: each
/// request more would make its trouble greater.
final class ServerPause: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        /// Requests that it refused in a row without saying until when.
        var refusals = 0
    }

    private static let first = Duration.seconds(5)
    private static let longest = Duration.seconds(600)

    private let state = Mutex(State())

    /// Fails while the server is left alone.
    func check() throws(DAVFailure) {
        let rest = state.withLock { $0.end.map { $0 - .now } } ?? .zero
        if rest > .zero { throw DAVFailure(.throttled(seconds: rest.components.seconds + 1)) }
    }

    /// The server refused a request.
    ///
    /// - Parameter seconds: After how many it is to be asked again; nil if it did not say. Then the times grow, each by
    ///   chance longer or shorter: those of many clients are not to end at once.
    func begin(seconds: Int64?) {
        state.withLock { state in
            let length: Duration
            if let seconds {
                length = .seconds(max(1, seconds))
            } else {
                let usual = min(Self.longest, Self.first * (1 << min(state.refusals, 7)))
                length = usual * Double.random(in: 0.75...1.25)
                state.refusals += 1
            }
            state.end = max(state.end ?? .now, .now + length)
        }
    }

    /// The server did what it was asked. What was on its way already when it refused something else does not count.
    func noteSuccess() {
        state.withLock { state in
            if state.end.map({ $0 <= .now }) ?? true { state = State() }
        }
    }

    /// The server is to be asked, whatever it said.
    func end() { state.withLock { $0 = State() } }
}
