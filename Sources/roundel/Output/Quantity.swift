/// Numbers as a person reads them.
enum Quantity {
    /// A size in bytes with decimal prefixes (ISO 80000-1), as file managers show it: `4.2 kB`.
    static func bytes(_ count: UInt64) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var divisor: UInt64 = 1000
        var unit = 0
        // 999,950 and more would round to "1000.0 kB".
        while unit + 1 < units.count, count / divisor >= 1000 || count >= divisor / 20 * 19_999 {
            divisor *= 1000
            unit += 1
        }
        let tenths = count / (divisor / 10) + (count % (divisor / 10) >= divisor / 20 ? 1 : 0)
        return tenths >= 1000 ? "\(tenths / 10) \(units[unit])" : "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }

    /// A number of things with its noun: `1 conflict`, `2 conflicts`.
    static func count(_ number: some BinaryInteger, _ singular: String, _ plural: String? = nil) -> String {
        number == 1 ? "1 \(singular)" : "\(number) \(plural ?? singular + "s")"
    }

    /// A time span in seconds: `8 s`, `3 min`, `2 h 5 min`.
    static func duration(seconds: UInt64) -> String {
        switch seconds {
        case 0..<90: "\(seconds) s"
        case 90..<5400: "\((seconds + 30) / 60) min"
        default: "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        }
    }
}
