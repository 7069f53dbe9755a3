/// The limits that a person set for what a folder sends and receives, some of them for certain hours.
///
/// Pure: the caller gives the time.
package struct BandwidthPlan: Codable, Hashable, Sendable {
    /// Hours at which other limits hold, by the clock on the wall.
    package struct Period: Codable, Hashable, Sendable {
        /// Its first minute, since midnight: 0 to 1,439.
        package var from: UInt16
        /// The first minute after it: 1 to 1,440. What is not later than `from` is of the next day.
        package var until: UInt16
        /// The days on which it begins; none for every day.
        package var days: [Weekday]
        /// As ``BandwidthPlan/up``; nil for what holds otherwise.
        package var up: UInt64?
        /// As ``BandwidthPlan/down``; nil for what holds otherwise.
        package var down: UInt64?

        /// Certain hours, at which nothing else holds than otherwise.
        package init(from: UInt16, until: UInt16, days: [Weekday] = [], up: UInt64? = nil, down: UInt64? = nil) {
            self.from = from
            self.until = until
            self.days = days
            self.up = up
            self.down = down
        }

        /// Whether a minute is one of them.
        func holds(at time: LocalTime) -> Bool {
            let end = Int(until) + (until > from ? 0 : LocalTime.minutesOfADay)
            func began(_ day: Weekday, _ minute: Int) -> Bool {
                (days.isEmpty || days.contains(day)) && minute >= Int(from) && minute < end
            }
            return began(time.day, time.minute) || began(time.yesterday, time.minute + LocalTime.minutesOfADay)
        }
    }

    /// The limits that can be set, in bytes a second: with less, servers would end connections that seem dead to them;
    /// more is none.
    package static let range: ClosedRange<UInt64> = 20_000...1_000_000_000_000
    /// Periods at most.
    package static let mostPeriods = 24

    /// Bytes a second to the remote, within ``range``; 0 for as many as go.
    package var up: UInt64 = 0
    /// Bytes a second to this computer, within ``range``; 0 for as many as go.
    package var down: UInt64 = 0
    /// Other limits for certain hours; of several that hold at once the first counts.
    package var periods: [Period] = []

    /// No limits.
    package init() {}

    /// The limits that hold at a time.
    package func limits(at time: LocalTime) -> BandwidthLimits {
        let period = periods.first { $0.holds(at: time) }
        return BandwidthLimits(up: Self.limit(period?.up ?? up), down: Self.limit(period?.down ?? down))
    }

    /// In how many minutes other limits hold than at a time, by the clock on the wall; nil if the same hold at any
    /// time.
    package func change(after time: LocalTime) -> Int? {
        let now = limits(at: time)
        let day = LocalTime.minutesOfADay
        let ends = Set(periods.flatMap { [Int($0.from) % day, Int($0.until) % day] }).sorted()
        // A week and the rest of today: then everything comes again.
        for midnight in (0...Weekday.allCases.count).map({ $0 * day - time.minute }) {
            for minutes in ends.map({ midnight + $0 }) where minutes > 0 {
                if limits(at: time.later(by: minutes)) != now { return minutes }
            }
        }
        return nil
    }

    /// A number as it is enforced: what a person wrote into the settings by hand may be any.
    private static func limit(_ bytes: UInt64) -> UInt64? {
        bytes == 0 ? nil : min(max(bytes, range.lowerBound), range.upperBound)
    }
}
