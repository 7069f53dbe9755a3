/// The bytes that a bracket expression of a pattern matches: `[abc]`, `[a-z]`, `[!a-z]`, `[[:digit:]]`.
struct ByteSet: Hashable, Sendable {
    private var ranges: [ClosedRange<UInt8>] = []
    private let isNegated: Bool

    /// Parses an expression up to its closing bracket; the opening one was consumed already.
    ///
    /// Nil if it is not closed, or contains an unknown class.
    init?(parsing pattern: inout ArraySlice<UInt8>) {
        isNegated = pattern.first == UInt8(ascii: "!") || pattern.first == UInt8(ascii: "^")
        if isNegated { pattern = pattern.dropFirst() }
        // The byte with which a `-` would form a range; nil after a range or a class.
        var low: UInt8?
        var isFirst = true
        while let byte = pattern.popFirst() {
            if byte == UInt8(ascii: "]") && !isFirst { return }
            isFirst = false
            if byte == UInt8(ascii: "-"), let start = low, let next = pattern.first, next != UInt8(ascii: "]") {
                guard let high = Self.plainByte(of: &pattern) else { return nil }
                if start <= high { ranges.append(start...high) }
                low = nil
            } else if byte == UInt8(ascii: "["), pattern.first == UInt8(ascii: ":"),
                let name = Self.className(in: pattern)
            {
                guard let named = Self.classes[name] else { return nil }
                ranges += named
                pattern = pattern.dropFirst(name.utf8.count + 3)
                low = nil
            } else {
                guard let plain = byte == UInt8(ascii: "\\") ? pattern.popFirst() : byte else { return nil }
                ranges.append(plain...plain)
                low = plain
            }
        }
        return nil
    }

    /// Whether the set contains the byte.
    func contains(_ byte: UInt8) -> Bool {
        ranges.contains { $0.contains(byte) } != isNegated
    }

    private static func plainByte(of pattern: inout ArraySlice<UInt8>) -> UInt8? {
        let byte = pattern.popFirst()
        return byte == UInt8(ascii: "\\") ? pattern.popFirst() : byte
    }

    /// The name of a class at the beginning of the rest of an expression, such as `:digit:]`; nil if there is none.
    private static func className(in pattern: ArraySlice<UInt8>) -> String? {
        guard let end = pattern.firstIndex(of: UInt8(ascii: "]")), end >= pattern.startIndex + 2,
            pattern[end - 1] == UInt8(ascii: ":")
        else { return nil }
        return String(decoding: pattern[(pattern.startIndex + 1)..<(end - 1)], as: UTF8.self)
    }

    private static func range(_ low: Unicode.Scalar, _ high: Unicode.Scalar) -> ClosedRange<UInt8> {
        UInt8(ascii: low)...UInt8(ascii: high)
    }

    private static let upper = range("A", "Z")
    private static let lower = range("a", "z")
    private static let digit = range("0", "9")
    private static let punctuation = [range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~")]
    /// The POSIX classes for ASCII bytes.
    private static let classes: [String: [ClosedRange<UInt8>]] = [
        "alnum": [upper, lower, digit], "alpha": [upper, lower], "blank": [0x20...0x20, 0x09...0x09],
        "cntrl": [0...0x1F, 0x7F...0x7F], "digit": [digit], "graph": [0x21...0x7E], "lower": [lower],
        "print": [0x20...0x7E], "punct": punctuation, "space": [0x20...0x20, 0x09...0x0D], "upper": [upper],
        "xdigit": [digit, range("A", "F"), range("a", "f")],
    ]
}
