/// The time at which an event is handled, by two clocks: intervals are measured with the one that cannot be set.
package struct Moment: Hashable, Sendable {
    /// By a clock that never goes back and keeps running while the machine sleeps.
    package var instant: ContinuousClock.Instant
    /// Seconds since 1970, UTC.
    package var unixSeconds: Int64
    /// The offset of the time zone from UTC, in seconds; conflict names contain local time.
    package var utcOffset: Int

    /// A moment.
    package init(instant: ContinuousClock.Instant, unixSeconds: Int64, utcOffset: Int = 0) {
        self.instant = instant
        self.unixSeconds = unixSeconds
        self.utcOffset = utcOffset
    }
}
