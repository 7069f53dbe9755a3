/// A day of the calendar, without a time of day.
package struct CalendarDay: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    private let number: Int64

    private static let last: Int64 = 2_932_896

    /// The day in a text like `2026-11-28`; nil for any other text, and for a day that does not exist.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, zip(parts, [4, 2, 2]).allSatisfy({ $0.utf8.count == $1 }),
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
            (1...12).contains(month), (1...31).contains(day), year >= 1_970
        else { return nil }
        number = Self.days(year: year, month: month, day: day)
        // A day that does not exist would be another one.
        guard self.text == String(text) else { return nil }
    }

    private init(number: Int64) { self.number = min(max(number, 0), Self.last) }

    /// The day of a moment by the local clock.
    ///
    /// - Parameter microseconds: Since 1970 in UTC.
    package init?(local microseconds: Int64) { self.init(TimeText.text(microseconds, "%Y-%m-%d", in: .local)) }

    /// The day so many days later, between 1970 and 9999.
    package func adding(days: Int64) -> CalendarDay { CalendarDay(number: number.addingClamped(days)) }

    /// How many days later another day is; negative if it is earlier.
    package func days(until other: CalendarDay) -> Int64 { other.number - number }

    package static func < (one: CalendarDay, other: CalendarDay) -> Bool { one.number < other.number }

    /// The day as `2026-11-28`.
    package var text: String {
        let (year, month, day) = parts
        func digits(_ value: Int64, _ width: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }

    // The year begins in March, so that the leap day is its last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let (era, ofEra) = (shifted / 400, shifted % 400)
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private var parts: (year: Int64, month: Int64, day: Int64) {
        let shifted = number + 719_468
        let (era, ofEra) = (shifted / 146_097, shifted % 146_097)
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let march = (5 * ofYear + 2) / 153
        let month = march < 10 ? march + 3 : march - 9
        return (year + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * march + 2) / 5 + 1)
    }
}
