import Support

/// Decides when a burst of changes is reported: once nothing was added for a while, and at the latest some time after
/// it began.
struct QuietPeriod {
    /// A burst ends when nothing was added for this long.
    static let quiet = Duration.milliseconds(100)
    /// A burst is reported this long after its first change even if it continues.
    static let longest = Duration.seconds(1)

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
        min(last + Self.quiet, first + Self.longest)
    }
}
