package import Support
package import SyncEngine
import Synchronization

/// A clock that stands still, and goes on when somebody waits, by as much as that.
package final class SteppedClock: Sendable {
    private struct State {
        var now = Instant(nanoseconds: 1_000_000_000_000)
        var localTime: LocalTime
        var waits = 0
    }

    private let state: Mutex<State>
    /// When it began.
    package let start: Instant

    /// - Parameter localTime: What the clock on the wall shows, until it is set.
    package init(at localTime: LocalTime = LocalTime(.monday, minute: 0)) {
        let state = State(localTime: localTime)
        start = state.now
        self.state = Mutex(state)
    }

    /// The time by it.
    package var now: Instant { state.withLock { $0.now } }
    /// How often somebody waited.
    package var waits: Int { state.withLock { $0.waits } }

    /// What was waited for in all, in seconds.
    package var waited: Double { start.duration(to: now) / .seconds(1) }

    /// Goes on.
    package func go(_ duration: Duration) { state.withLock { $0.now = $0.now + duration } }

    /// Sets what the clock on the wall shows.
    package func setLocalTime(_ time: LocalTime) { state.withLock { $0.localTime = time } }

    /// It as those take it that wait.
    package var clock: TransferPace.Clock {
        TransferPace.Clock(now: { self.now }, localTime: { self.state.withLock { $0.localTime } }) { duration in
            try Task.checkCancellation()
            self.state.withLock { state in
                state.now = state.now + duration
                state.waits += 1
            }
        }
    }
}
