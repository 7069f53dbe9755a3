import Glibc

/// A date with or without a time of day in the user's notation: `2026-11-20`, `2026-11-20 14:00`, `2026-11-20T14:00:05`
/// or, in UTC, `2026-11-20T14:00:05Z`.
struct WrittenDate: Equatable, Sendable {
    /// Since 1970 in UTC.
    let seconds: Int64

    /// Nil if the text is not such a date.
    init?(_ text: String) {
        let isUTC = text.hasSuffix("Z")
        let parts = (isUTC ? text.dropLast() : Substring(text)).split(
            maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == " " || $0 == "T" })
        guard let day = Self.numbers(parts[0], "-", widths: [4, 2, 2]), day.count == 3 else { return nil }
        var time: [Int32] = [0, 0, 0]
        if parts.count == 2 {
            guard let found = Self.numbers(parts[1], ":", widths: [2, 2, 2]), found.count >= 2 else { return nil }
            time = found + [Int32](repeating: 0, count: 3 - found.count)
        }
        guard time[0] < 24, time[1] < 60, time[2] < 60 else { return nil }
        var value = tm()
        (value.tm_year, value.tm_mon, value.tm_mday) = (day[0] - 1_900, day[1] - 1, day[2])
        (value.tm_hour, value.tm_min, value.tm_sec) = (time[0], time[1], time[2])
        value.tm_isdst = -1
        seconds = Int64(isUTC ? timegm(&value) : mktime(&value))
        // A day that does not exist would have become another one.
        guard value.tm_mon == day[1] - 1, value.tm_mday == day[2] else { return nil }
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
