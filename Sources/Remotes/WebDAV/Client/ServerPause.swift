import Support
import Synchronization

/// Makes no requests to a server that asked to be left alone for a while (429, or 503 with `Retry-After`): they would
/// only increase its load.
final class ServerPause: Sendable {
    private struct State {
        var end: ContinuousClock.Instant?
        /// How many requests in a row it refused without giving a time.
        var refusals = 0
    }

    private let state = Mutex(State())

    /// Fails while the server must be left alone.
    func check() throws(DAVFailure) {
        let rest = state.withLock { $0.end.map { $0 - .now } } ?? .zero
        if rest > .zero { throw DAVFailure(.throttled(seconds: rest.components.seconds + 1)) }
    }

    /// The server refused a request.
    ///
    /// - Parameter seconds: How long to wait; nil if the server did not say. The waits then grow, each with a random
    ///   variation, so that those of many clients do not end at the same time.
    func begin(seconds: Int64?) {
        state.withLock { state in
            let length: Duration
            if let seconds {
                length = .seconds(max(1, seconds))
            } else {
                let usual = min(
                    Patience.Server.longestThrottled, Patience.Server.throttled * (1 << min(state.refusals, 7)))
                length = usual * Double.random(in: 0.75...1.25)
                state.refusals += 1
            }
            state.end = max(state.end ?? .now, .now + length)
        }
    }

    /// The server did what was requested. A request that was in progress when it refused another one does not count.
    func noteSuccess() {
        state.withLock { state in
            if state.end.map({ $0 <= .now }) ?? true { state = State() }
        }
    }

    /// Ends the pause, whatever the server said.
    func end() { state.withLock { $0 = State() } }
}
