/// A number of bytes per second in the user's notation: `500k`, `1.5M`, `2 MB/s`, or `0` for no limit. The prefixes are
/// decimal, as in all sizes that this program prints.
struct RateArgument: Equatable, Sendable {
    /// Bytes per second.
    let bytes: UInt64

    private static let units: [String: UInt64] = ["": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000]
    /// The maximum number of digits after the decimal point.
    private static let decimals = 3

    /// Nil if the text is not such a number, or it is too large.
    init?(_ text: String) {
        var unit = text.lowercased()
        if unit.hasSuffix("/s") { unit.removeLast(2) }
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
        let (sum, isTooLarge) = product.addingReportingOverflow(thousandths * size / 1_000)
        guard !isTooMuch, !isTooLarge else { return nil }
        bytes = sum
    }
}
