/// When a burst of changes is handed over: once nothing was added for a while, and at the latest some time after it began.
///
/// Times are nanoseconds of one monotonic clock.
struct QuietPeriod {
    /// A burst ends when nothing was added for this long.
    static let quiet: UInt64 = 100_000_000
    /// A burst is handed over this long after its first change even if it goes on.
    static let longest: UInt64 = 1_000_000_000

    private var first: UInt64
    private var last: UInt64

    init(at now: UInt64) {
        first = now
        last = now
    }

    mutating func extend(to now: UInt64) {
        last = max(last, now)
    }

    var deadline: UInt64 {
        min(last + Self.quiet, first + Self.longest)
    }
}
