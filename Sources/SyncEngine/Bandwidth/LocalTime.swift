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

    /// Its place in the week, 0 for Monday.
    fileprivate var number: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The day that is so many days later, or earlier.
    fileprivate func later(by days: Int) -> Weekday {
        let count = Self.allCases.count
        return Self.allCases[((number + days) % count + count) % count]
    }
}

/// A minute of the week as the clock on the wall shows it.
package struct LocalTime: Hashable, Sendable {
    /// Minutes of a day on which the clock is not changed.
    package static let minutesOfADay = 1_440

    /// The day.
    package let day: Weekday
    /// Minutes since midnight, 0 to 1,439.
    package let minute: Int

    /// A minute of a day; one beyond its end, or before its beginning, is of another day.
    package init(_ day: Weekday, minute: Int) {
        let (days, rest) = minute.quotientAndRemainder(dividingBy: Self.minutesOfADay)
        self.day = day.later(by: rest < 0 ? days - 1 : days)
        self.minute = rest < 0 ? rest + Self.minutesOfADay : rest
    }

    /// The minute that is so many minutes later by the same clock.
    package func later(by minutes: Int) -> LocalTime { LocalTime(day, minute: minute + minutes) }

    /// The day before.
    var yesterday: Weekday { day.later(by: -1) }

    /// The time by this computer's clock and time zone.
    package static var now: LocalTime {
        let now = parts(of: time(nil))
        // C counts from Sunday.
        return LocalTime(Weekday.sunday.later(by: Int(now.tm_wday)), minute: Int(now.tm_hour * 60 + now.tm_min))
    }

    /// When the clock on the wall will show a time that is so many minutes later than it shows now, at most a million,
    /// in seconds since 1970: at the beginning of that minute.
    package static func seconds(whenShowing minutes: Int) -> Int64 {
        var then = parts(of: time(nil))
        // A week has some ten thousand; mktime(3) makes days of them.
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
