internal import Support

/// The range of a file's bytes in a response (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
    /// The first and the last byte.
    let first: Int64
    let last: Int64
    /// The size of the whole file in bytes; nil if the server does not report it.
    let total: Int64?

    /// Parses a header; nil if it is not a range of bytes.
    init?(_ text: String) {
        let words = text.utf8.withoutBlanks().split(separator: UInt8(ascii: " "))
        guard words.count == 2, String(words[0])?.lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        (self.first, self.last) = (first, last)
        if parts[1].elementsEqual("*".utf8) {
            total = nil
        } else {
            guard let total = Self.number(parts[1]), last < total else { return nil }
            self.total = total
        }
    }

    /// Whether it is everything from a byte on, as far as the size is known.
    func isRest(from start: Int64) -> Bool { first == start && total.map { last == $0 - 1 } ?? true }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
