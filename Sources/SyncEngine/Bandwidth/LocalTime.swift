internal import Glibc

/// A day of the week.
package enum Weekday: String, Codable, CaseIterable, Hashable, Sendable {
    case monday = "mon"
    case tuesday = "tue"
    case wednesday = "wed"
    case thursday = "thu"
    case friday = "fri"
    case saturday = "sat"
    case sunday = "sun"

    /// Its position in the week, 0 for Monday.
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The day this many days later, or earlier if negative.
    fileprivate func later(by days: Int) -> Weekday {
        let count = Self.allCases.count
        return Self.allCases[((number + days) % count + count) % count]
    }
}

/// A minute of the week in local time.
package struct LocalTime: Hashable, Sendable {
    /// The minutes of a day on which the clock does not change.
    package static let minutesOfADay = 1_440

    /// The day.
    package let day: Weekday
    /// Minutes since midnight, 0 to 1,439.
    package let minute: Int

    /// A minute of a day; a minute past its end or before its beginning belongs to another day.
    package init(_ day: Weekday, minute: Int) {
        let (days, rest) = minute.quotientAndRemainder(dividingBy: Self.minutesOfADay)
        self.day = day.later(by: rest < 0 ? days - 1 : days)
        self.minute = rest < 0 ? rest + Self.minutesOfADay : rest
    }

    /// The time this many minutes later by the same clock.
    package func later(by minutes: Int) -> LocalTime { LocalTime(day, minute: minute + minutes) }

    /// The day before.
    var yesterday: Weekday { day.later(by: -1) }

    /// The time by this computer's clock and time zone.
    package static var now: LocalTime {
        let now = parts(of: time(nil))
        // C counts from Sunday.
        return LocalTime(Weekday.sunday.later(by: Int(now.tm_wday)), minute: Int(now.tm_hour * 60 + now.tm_min))
    }

    /// When the local time will be this many minutes, at most a million, later than it is now, in seconds since 1970,
    /// at the beginning of that minute.
    package static func seconds(whenShowing minutes: Int) -> Int64 {
        var then = parts(of: time(nil))
        // A week has about ten thousand minutes; mktime(3) converts them to days.
        then.tm_min += Int32(clamping: min(max(minutes, 0), 1 << 20))
        then.tm_sec = 0
        then.tm_isdst = -1
        return Int64(mktime(&then))
    }

    private static func parts(of seconds: time_t) -> tm {
        var (seconds, parts) = (seconds, tm())
        localtime_r(&seconds, &parts)
        return parts
    }
}
