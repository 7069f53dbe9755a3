/// A span of time in the user's notation: `90s`, `30m`, `30 min`, `1h`, `1h30`, `1.5 hours`, `2d`, `1d 12h`, `2 weeks`.
struct SpanArgument: Equatable, Sendable {
    /// Its length in seconds, at least one.
    let seconds: Int64

    /// Longer than anybody waits, and short enough for every computation.
    private static let longest: Double = 100 * 366 * 86_400

    private static let units: [(names: Set<Substring>, length: Double)] = [
        (["s", "sec", "secs", "second", "seconds"], 1), (["m", "min", "mins", "minute", "minutes"], 60),
        (["h", "hr", "hrs", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
        (["w", "week", "weeks"], 7 * 86_400),
    ]

    /// Nil if the text is not such a span.
    init?(_ text: String) {
        var rest = Substring(text.lowercased().replacing(",", with: "."))
        var (total, last) = (0.0, Double.infinity)
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count).drop { $0 == " " }
            // As in 1h30, the unit below the last one may be left out at the end.
            let isLast = name.isEmpty && rest.isEmpty
            guard let count = Double(number), count.isFinite,
                let length = Self.units.first(where: { $0.names.contains(name) })?.length
                    ?? (isLast && last == 3_600 ? 60 : nil),
                length < last
            else { return nil }
            total += count * length
            last = length
        }
        guard total >= 1, total <= Self.longest else { return nil }
        seconds = Int64(total)
    }
}
