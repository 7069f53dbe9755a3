import Glibc

/// A past moment in the user's notation: `90s`, `30min`, `2h`, `3d`, `2w` ago, or a date with or without a time of day,
/// such as `2026-11-20`, `2026-11-20 14:00`, `2026-11-20T14:00:05` or, in UTC, `2026-11-20T14:00:05Z`.
struct PastMoment: Equatable, Sendable {
    /// Since 1970 in UTC.
    let microseconds: Int64

    /// Nil if the text is not such a moment, or it is not in the past.
    /// - Parameter now: Seconds since 1970.
    init?(_ text: String, now: Int64 = Int64(time(nil))) {
        guard let seconds = Self.ago(text).map({ now - $0 }) ?? Self.date(text), (0...now).contains(seconds) else {
            return nil
        }
        microseconds = seconds * 1_000_000
    }

    private static let units: [String: Int64] = [
        "s": 1, "m": 60, "min": 60, "h": 3_600, "d": 86_400, "w": 7 * 86_400,
    ]

    /// The seconds of a time span.
    private static func ago(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard let count = Int64(digits), let length = units[String(unit)], count <= 1 << 32 else { return nil }
        return count * length
    }

    /// The seconds since 1970 of a date.
    private static func date(_ text: String) -> Int64? {
        let isUTC = text.hasSuffix("Z")
        let parts = (isUTC ? text.dropLast() : Substring(text)).split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "T" })
        guard let day = numbers(parts[0], "-", widths: [4, 2, 2]), day.count == 3 else { return nil }
        var time: [Int32] = [0, 0, 0]
        if parts.count == 2 {
            guard let found = numbers(parts[1], ":", widths: [2, 2, 2]), found.count >= 2 else { return nil }
            time = found + [Int32](repeating: 0, count: 3 - found.count)
        }
        guard time[0] < 24, time[1] < 60, time[2] < 60 else { return nil }
        var value = tm()
        (value.tm_year, value.tm_mon, value.tm_mday) = (day[0] - 1_900, day[1] - 1, day[2])
        (value.tm_hour, value.tm_min, value.tm_sec) = (time[0], time[1], time[2])
        value.tm_isdst = -1
        let seconds = isUTC ? timegm(&value) : mktime(&value)
        // A day that does not exist would have become another one.
        guard value.tm_mon == day[1] - 1, value.tm_mday == day[2] else { return nil }
        return Int64(seconds)
    }

    /// The numbers in a text, each with the given number of digits; nil if the text is different.
    private static func numbers(_ text: Substring, _ separator: Character, widths: [Int]) -> [Int32]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= widths.count else { return nil }
        var numbers: [Int32] = []
        for (part, width) in zip(parts, widths) {
            guard part.utf8.count == width, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int32(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
