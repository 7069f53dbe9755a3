/// Decides when to retry something that has ended or failed: after 1 s at first, then after twice the previous time, at
/// most 5 minutes. If it had run for a minute, the delays start again at 1 s.
///
/// Pure: the caller passes the time.
package struct BackOff: Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(300)
    private static let healthyLife = Duration.seconds(60)

    private var delay = shortest
    private var startedAt: Instant?

    /// Creates the state before any failure.
    package init() {}

    /// Records that it runs.
    package mutating func started(at now: Instant) {
        startedAt = now
    }

    /// Records that it has ended or could not be started; returns when to try next.
    package mutating func stopped(at now: Instant) -> Instant {
        if let startedAt, startedAt.duration(to: now) >= Self.healthyLife { delay = Self.shortest }
        startedAt = nil
        let next = now + delay
        delay = min(delay * 2, Self.longest)
        return next
    }
}
