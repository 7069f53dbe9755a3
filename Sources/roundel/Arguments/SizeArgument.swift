/// A number of bytes in the user's notation: `500k`, `1.5 GB`, `20G`, or `0`. The prefixes are decimal, as in all sizes
/// that this program prints.
struct SizeArgument: Equatable, Sendable {
    let bytes: UInt64

    private static let units: [String: UInt64] = [
        "": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000, "t": 1_000_000_000_000,
    ]
    /// The maximum number of digits after the decimal point.
    private static let decimals = 3

    /// Nil if the text is not such a number, or it is too large.
    init?(_ text: String) {
        var unit = text.lowercased()
        if unit.hasSuffix("b") { unit.removeLast() }
        let number = unit.prefix { "0123456789.".contains($0) }
        unit.removeFirst(number.count)
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let size = Self.units[unit.filter { $0 != " " }], let first = parts.first, let whole = UInt64(first)
        else { return nil }
        var thousandths: UInt64 = 0
        if parts.count == 2 {
            guard (1...Self.decimals).contains(parts[1].count), let rest = UInt64(parts[1]) else { return nil }
            thousandths = (parts[1].count..<Self.decimals).reduce(rest) { rest, _ in rest * 10 }
        }
        let (product, isTooMuch) = whole.multipliedReportingOverflow(by: size)
        let (share, isTooLong) = thousandths.multipliedReportingOverflow(by: size)
        let (sum, isTooLarge) = product.addingReportingOverflow(share / 1_000)
        guard !isTooMuch, !isTooLong, !isTooLarge else { return nil }
        bytes = sum
    }
}
