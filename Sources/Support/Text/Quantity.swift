/// Formats numbers for display.
package enum Quantity {
    /// A size in bytes with decimal prefixes (ISO 80000-1), as file managers show it: `4.2 kB`, or `4,2 kB` in a
    /// language with another decimal mark. It is for people to read: JSON has the number of bytes.
    package static func bytes(_ count: UInt64) -> String {
        guard count >= 1000 else { return tr(count, one: "1 byte", other: "{1} bytes") }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var divisor: UInt64 = 1000
        var unit = 0
        // 999,500 and more would round to "1000 kB".
        while unit + 1 < units.count, count >= divisor / 2 * 1_999 {
            divisor *= 1000
            unit += 1
        }
        let tenths = rounded(count, to: divisor / 10)
        let number = tenths >= 1000 ? "\(rounded(count, to: divisor))" : decimal(tenths / 10, tenths % 10)
        return "\(number) \(units[unit])"
    }

    /// A time in the largest unit of which it has at least two: `90 seconds`, `3 hours`.
    package static func time(_ seconds: UInt64) -> String {
        switch seconds {
        case ..<120: tr(seconds, one: "1 second", other: "{1} seconds")
        case ..<7_200: tr(rounded(seconds, to: 60), one: "1 minute", other: "{1} minutes")
        case ..<172_800: tr(rounded(seconds, to: 3_600), one: "1 hour", other: "{1} hours")
        case _: tr(rounded(seconds, to: 86_400), one: "1 day", other: "{1} days")
        }
    }

    /// How much of the work in hand is done, how fast it goes and how long it still takes.
    /// - Parameters:
    ///   - rate: Bytes per second; nil if unknown.
    ///   - remaining: The seconds that are left; nil if unknown.
    package static func work(done: UInt64, of total: UInt64, rate: UInt64?, remaining: UInt64?) -> String {
        guard let rate else { return tr("{1} of {2}", bytes(done), bytes(total)) }
        let speed = bytes(rate)
        let pace = remaining.map { tr("{1}/s, about {2} left", speed, time($0)) } ?? tr("{1}/s", speed)
        // Translators: {1} and {2} are sizes, {3} is the speed with the time that is left.
        return tr("{1} of {2}, {3}", bytes(done), bytes(total), pace)
    }

    /// A share of a whole.
    package static func percent(_ share: some BinaryInteger) -> String { tr("{1} %", "\(share)") }

    /// The end of a list of which not all is shown.
    package static func more(_ count: some BinaryInteger) -> String {
        tr(count, one: "and 1 more", other: "and {1} more")
    }

    private static func decimal(_ whole: UInt64, _ tenths: UInt64) -> String {
        // Translators: a number such as 4.2, with the decimal mark of the language.
        tr("{1}.{2}", "\(whole)", "\(tenths)")
    }

    /// The number of units, with halves rounded up.
    private static func rounded(_ count: UInt64, to unit: UInt64) -> UInt64 {
        count / unit + (count % unit >= unit / 2 ? 1 : 0)
    }
}
