import Glibc
import Support

/// A moment to come in the user's notation: `18:00`, `18`, `6pm`, `noon`, `midnight`, `tomorrow`, `tomorrow 9:00`,
/// `monday`, `fri 18:00`, `2026-12-01` or `2026-12-01 18:00`. A time of day that is past today is one of tomorrow.
struct ComingMoment: Equatable, Sendable {
    /// Since 1970 in UTC.
    let microseconds: Int64

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let lastYear: Int64 = 253_402_300_800

    /// Nil if the text is not such a moment, or it is past.
    /// - Parameter now: Seconds since 1970.
    init?(_ text: String, now: Int64 = Int64(time(nil))) {
        guard let seconds = WrittenDate(text)?.seconds ?? Self.day(text.lowercased(), now), seconds > now,
            seconds < Self.lastYear
        else { return nil }
        microseconds = seconds * 1_000_000
    }

    /// The seconds since 1970 of a time of day, or of a day that has a name, with a time of day or without.
    private static func day(_ text: String, _ now: Int64) -> Int64? {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard let first = words.first else { return nil }
        guard let days = daysUntil(first, now) else {
            guard let minute = minuteOfDay(text) else { return nil }
            let today = moment(now, days: 0, minute: minute)
            return today > now ? today : moment(now, days: 1, minute: minute)
        }
        let minute = words.count == 2 ? minuteOfDay(words[1]) : 0
        return minute.map { moment(now, days: days, minute: $0) }
    }

    /// How many days it is from today until a day that has a name; nil for any other text.
    private static func daysUntil(_ name: String, _ now: Int64) -> Int32? {
        if ["today", tr("today").lowercased()].contains(name) { return 0 }
        if ["tomorrow", tr("tomorrow").lowercased()].contains(name) { return 1 }
        guard name.count >= 3, let number = weekdays.firstIndex(where: { $0.hasPrefix(name) }) else { return nil }
        let days = (Int32(number) - local(now).tm_wday + 7) % 7
        return days == 0 ? 7 : days
    }

    /// The minutes since midnight of `18:00`, `18`, `6pm`, `6:30 pm`, `noon` or `midnight`.
    private static func minuteOfDay(_ text: String) -> Int32? {
        switch text {
        case "noon": return 720
        case "midnight": return 1_440
        default: break
        }
        let isMorning = text.hasSuffix("am")
        let isTwelveHours = isMorning || text.hasSuffix("pm")
        let digits = isTwelveHours ? text.dropLast(2).prefix { $0 != " " } : Substring(text)
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let hour = number(parts[0], 1...2) else { return nil }
        guard let minute = parts.count == 2 ? number(parts[1], 2...2) : 0, minute < 60 else { return nil }
        guard isTwelveHours else { return hour * 60 + minute <= 1_440 ? hour * 60 + minute : nil }
        guard (1...12).contains(hour) else { return nil }
        return (hour % 12 + (isMorning ? 0 : 12)) * 60 + minute
    }

    private static func number(_ text: Substring, _ digits: ClosedRange<Int>) -> Int32? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int32(text)
    }

    private static func local(_ seconds: Int64) -> tm {
        var (seconds, parts) = (time_t(seconds), tm())
        localtime_r(&seconds, &parts)
        return parts
    }

    /// The time by the local clock so many days after today.
    private static func moment(_ now: Int64, days: Int32, minute: Int32) -> Int64 {
        var parts = local(now)
        parts.tm_mday += days
        (parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (minute / 60, minute % 60, 0, -1)
        return Int64(mktime(&parts))
    }
}
