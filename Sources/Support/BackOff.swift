/// When something that has ended or failed is tried again: after 1 s at first, twice as long each further time, at most
/// 5 minutes; what had lived for a minute begins anew.
///
/// Pure: the caller gives the time.
package struct BackOff: Sendable {
    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(300)
    private static let healthyLife = Duration.seconds(60)

    private var delay = shortest
    private var startedAt: Instant?

    /// Nothing has failed yet.
    package init() {}

    /// It runs.
    package mutating func started(at now: Instant) {
        startedAt = now
    }

    /// It has ended or could not be started; returns when to try next.
    package mutating func stopped(at now: Instant) -> Instant {
        if let startedAt, startedAt.duration(to: now) >= Self.healthyLife { delay = Self.shortest }
        startedAt = nil
        let next = now + delay
        delay = min(delay * 2, Self.longest)
        return next
    }
}
