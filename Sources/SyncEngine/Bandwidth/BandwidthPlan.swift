/// The limits that the user set for what a folder sends and receives, some of them for certain hours.
///
/// Pure: the caller passes the time.
package struct BandwidthPlan: Codable, Hashable, Sendable {
    /// Hours with other limits, in local time.
    package struct Period: Codable, Hashable, Sendable {
        /// Its first minute, since midnight: 0 to 1,439.
        package var from: UInt16
        /// The first minute after it: 1 to 1,440. If it is not after `from`, it is on the next day.
        package var until: UInt16
        /// The days on which it begins; empty for every day.
        package var days: [Weekday]
        /// Like ``BandwidthPlan/up``; nil for the limit that applies otherwise.
        package var up: UInt64?
        /// Like ``BandwidthPlan/down``; nil for the limit that applies otherwise.
        package var down: UInt64?

        /// A period that changes no limits unless some are given.
        package init(from: UInt16, until: UInt16, days: [Weekday] = [], up: UInt64? = nil, down: UInt64? = nil) {
            self.from = from
            self.until = until
            self.days = days
            self.up = up
            self.down = down
        }

        /// Whether a time is within the period.
        func holds(at time: LocalTime) -> Bool {
            let end = Int(until) + (until > from ? 0 : LocalTime.minutesOfADay)
            func began(_ day: Weekday, _ minute: Int) -> Bool {
                (days.isEmpty || days.contains(day)) && minute >= Int(from) && minute < end
            }
            return began(time.day, time.minute) || began(time.yesterday, time.minute + LocalTime.minutesOfADay)
        }
    }

    /// The limits that can be set, in bytes per second. With less, servers would close connections that seem dead; more
    /// has no effect.
    package static let range: ClosedRange<UInt64> = 20_000...1_000_000_000_000
    /// The most periods in a plan.
    package static let mostPeriods = 24

    /// Bytes per second to the remote, within ``range``; 0 for unlimited.
    package var up: UInt64 = 0
    /// Bytes per second to this computer, within ``range``; 0 for unlimited.
    package var down: UInt64 = 0
    /// Periods with other limits; the first of several that overlap counts.
    package var periods: [Period] = []

    /// No limits.
    package init() {}

    /// The limits that apply at a time.
    package func limits(at time: LocalTime) -> BandwidthLimits {
        let period = periods.first { $0.holds(at: time) }
        return BandwidthLimits(up: Self.limit(period?.up ?? up), down: Self.limit(period?.down ?? down))
    }

    /// The number of minutes, in local time, until the limits differ from those at the given time; nil if they never
    /// do.
    package func change(after time: LocalTime) -> Int? {
        let now = limits(at: time)
        let day = LocalTime.minutesOfADay
        let ends = Set(periods.flatMap { [Int($0.from) % day, Int($0.until) % day] }).sorted()
        // The rest of today and a week: after that, everything repeats.
        for midnight in (0...Weekday.allCases.count).map({ $0 * day - time.minute }) {
            for minutes in ends.map({ midnight + $0 }) where minutes > 0 {
                if limits(at: time.later(by: minutes)) != now { return minutes }
            }
        }
        return nil
    }

    /// The limit to enforce for a number, which may be out of range because users can edit the settings by hand.
    private static func limit(_ bytes: UInt64) -> UInt64? {
        bytes == 0 ? nil : min(max(bytes, range.lowerBound), range.upperBound)
    }
}
