/// When something that has ended or failed is tried again: after 1 s at first, twice as long each further time, at most
/// 5 minutes; what had lived for a minute begins anew.
///
/// Pure: times are monotonic nanoseconds that the caller gives.
package struct BackOff: Sendable {
    private static let second: UInt64 = 1_000_000_000
    private static let longest = 300 * second
    private static let healthyLife = 60 * second

    private var delay = second
    private var startedAt: UInt64?

    /// Nothing has failed yet.
    package init() {}

    /// It runs.
    package mutating func started(at now: UInt64) {
        startedAt = now
    }

    /// It has ended or could not be started; returns when to try next.
    package mutating func stopped(at now: UInt64) -> UInt64 {
        if let startedAt, now &- startedAt >= Self.healthyLife { delay = Self.second }
        startedAt = nil
        let next = now + delay
        delay = min(delay * 2, Self.longest)
        return next
    }
}
