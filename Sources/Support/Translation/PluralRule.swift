/// Which form of a sentence goes with a number: the rule in the header of a catalogue, an expression of C over `n`.
struct PluralRule: Sendable {
    private let expression: [UInt8]

    /// One form for 1 and one for all others, as in English.
    static let germanic = PluralRule(expression: Array("n != 1".utf8))

    /// - Parameter field: The value of the header's field, such as `nplurals=2; plural=(n != 1);`.
    /// - Returns: Nil if it is not understood.
    init?(_ field: some StringProtocol) {
        let settings = field.split(separator: ";").map { $0.drop { $0 == " " } }
        guard let plural = settings.first(where: { $0.hasPrefix("plural=") }) else { return nil }
        self.init(expression: Array(plural.dropFirst("plural=".count).utf8))
        // Whether an expression can be read does not depend on the number.
        guard expression.count <= Self.longest, value(for: 0) != nil else { return nil }
    }

    private init(expression: [UInt8]) { self.expression = expression }

    /// The number of the form, from 0; it may be more than a translation has.
    func form(for number: UInt64) -> Int { value(for: number).map { Int(clamping: $0) } ?? 0 }

    /// The longest expression that is read, in bytes; the longest of any language has about 150.
    private static let longest = 1_000

    private func value(for number: UInt64) -> UInt64? {
        var reader = PluralExpression(text: expression.filter { $0 != UInt8(ascii: " ") }, n: number)
        return reader.result()
    }
}

/// Computes an expression while it reads it. No expression can make it fail: a division by 0 gives 0, what is too large
/// wraps around as in C, and what is nested too deeply is not read.
private struct PluralExpression {
    private struct Unreadable: Error {}

    private var rest: ArraySlice<UInt8>
    private let n: UInt64
    private var depth = 0

    init(text: [UInt8], n: UInt64) {
        rest = text[...]
        self.n = n
    }

    /// The value; nil if this is no expression.
    mutating func result() -> UInt64? {
        guard let value = try? conditional(), rest.isEmpty else { return nil }
        return value
    }

    private mutating func conditional() throws -> UInt64 {
        try nested { reader in
            let condition = try reader.binary(above: 0)
            guard reader.skip("?") else { return condition }
            let whenTrue = try reader.conditional()
            guard reader.skip(":") else { throw Unreadable() }
            let otherwise = try reader.conditional()
            return condition != 0 ? whenTrue : otherwise
        }
    }

    /// The operators with two operands and how strongly they bind; of two that begin alike, the longer first.
    private static let operators: [(sign: String, strength: Int, apply: @Sendable (UInt64, UInt64) -> UInt64)] = [
        ("||", 1, { $0 != 0 || $1 != 0 ? 1 : 0 }),
        ("&&", 2, { $0 != 0 && $1 != 0 ? 1 : 0 }),
        ("==", 3, { $0 == $1 ? 1 : 0 }), ("!=", 3, { $0 != $1 ? 1 : 0 }),
        ("<=", 4, { $0 <= $1 ? 1 : 0 }), (">=", 4, { $0 >= $1 ? 1 : 0 }),
        ("<", 4, { $0 < $1 ? 1 : 0 }), (">", 4, { $0 > $1 ? 1 : 0 }),
        ("+", 5, { $0 &+ $1 }), ("-", 5, { $0 &- $1 }),
        ("*", 6, { $0 &* $1 }), ("/", 6, { $1 == 0 ? 0 : $0 / $1 }), ("%", 6, { $1 == 0 ? 0 : $0 % $1 }),
    ]

    /// Operands joined by operators that bind more strongly than `strength`.
    private mutating func binary(above strength: Int) throws -> UInt64 {
        var value = try operand()
        while let next = Self.operators.first(where: { rest.starts(with: $0.sign.utf8) }), next.strength > strength {
            rest.removeFirst(next.sign.utf8.count)
            value = next.apply(value, try binary(above: next.strength))
        }
        return value
    }

    private mutating func operand() throws -> UInt64 {
        if skip("!") { return try nested { try $0.operand() == 0 ? 1 : 0 } }
        if skip("n") { return n }
        if skip("(") {
            let value = try conditional()
            guard skip(")") else { throw Unreadable() }
            return value
        }
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        guard let value = UInt64(String(decoding: digits, as: UTF8.self)) else { throw Unreadable() }
        rest = rest[digits.endIndex...]
        return value
    }

    private mutating func skip(_ sign: String) -> Bool {
        guard rest.starts(with: sign.utf8) else { return false }
        rest.removeFirst(sign.utf8.count)
        return true
    }

    /// The rules of languages nest seven levels at most.
    private mutating func nested(_ read: (inout PluralExpression) throws -> UInt64) throws -> UInt64 {
        guard depth < 64 else { throw Unreadable() }
        depth += 1
        defer { depth -= 1 }
        return try read(&self)
    }
}
