/// Decides when to retry something that has ended or failed: after 1 s at first, then after twice the previous time, at
/// most 5 minutes. If it had run for a minute, the delays start again at 1 s.
///
/// Pure: the caller passes the time.
package struct BackOff: Sendable {
    private var delay = Patience.Restart.first
    private var startedAt: Instant?

    /// Creates the state before any failure.
    package init() {}

    /// Records that it runs.
    package mutating func started(at now: Instant) {
        startedAt = now
    }

    /// Records that it has ended or could not be started; returns when to try next.
    package mutating func stopped(at now: Instant) -> Instant {
        if let startedAt, startedAt.duration(to: now) >= Patience.Restart.healthyLife { delay = Patience.Restart.first }
        startedAt = nil
        let next = now + delay
        delay = min(delay * 2, Patience.Restart.longest)
        return next
    }
}
