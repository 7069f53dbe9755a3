/// Synced items that disappeared one after the other, and the wait until no more do.
struct RecentLosses {
    /// How long to wait for further ones; longer than a watcher takes to report them.
    private let quiet: Duration
    /// How many there were without a longer pause.
    private var count = 0
    /// When the last of them disappeared; nil if none did.
    private(set) var last: ContinuousClock.Instant?
    /// Whether the decision on missing rows waits because more may disappear.
    private(set) var isAwaitingQuiet = false
    /// When the timer for the end of that wait is due, if it is set.
    private var due: ContinuousClock.Instant?

    init(quiet: Duration) { self.quiet = quiet }

    /// Whether there was more than one.
    var areMany: Bool { count > 1 }

    /// A synced item disappeared, or a file returned to an older version.
    mutating func note(at now: Moment) {
        let isOneOfMany = last.map { now.instant - $0 < quiet } ?? false
        count = isOneOfMany ? count + 1 : 1
        last = now.instant
    }

    /// Whether to wait because the latest of these moments is not long ago.
    mutating func awaitQuiet(
        after moments: [ContinuousClock.Instant], at now: Moment, _ outbox: inout Outbox
    ) -> Bool {
        let end = moments.max().map { $0 + quiet }
        isAwaitingQuiet = end.map { now.instant < $0 } ?? false
        guard let end, isAwaitingQuiet else { return false }
        if due != end {
            due = end
            outbox.setTimer(.settle, after: end - now.instant)
        }
        return true
    }

    /// The timer for the end of the wait has fired.
    mutating func timerFired() { due = nil }
}
