import Support

/// Decides when a burst of changes is reported: once nothing was added for a while, and at the latest some time after
/// it began.
struct QuietPeriod {
    private var first: Instant
    private var last: Instant

    init(at now: Instant) {
        first = now
        last = now
    }

    mutating func extend(to now: Instant) {
        last = max(last, now)
    }

    var deadline: Instant {
        min(last + Patience.Watching.quiet, first + Patience.Watching.longestBurst)
    }
}
