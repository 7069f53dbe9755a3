import Glibc

/// A past moment in the user's notation: `90s`, `30min`, `2h`, `3d`, `2w` ago, or a date with or without a time of day,
/// such as `2026-11-20`, `2026-11-20 14:00`, `2026-11-20T14:00:05` or, in UTC, `2026-11-20T14:00:05Z`.
struct PastMoment: Equatable, Sendable {
    /// Since 1970 in UTC.
    let microseconds: Int64

    /// Nil if the text is not such a moment, or it is not in the past.
    /// - Parameter now: Seconds since 1970.
    init?(_ text: String, now: Int64 = Int64(time(nil))) {
        guard let seconds = Self.ago(text).map({ now - $0 }) ?? WrittenDate(text)?.seconds, (0...now).contains(seconds)
        else {
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
}
