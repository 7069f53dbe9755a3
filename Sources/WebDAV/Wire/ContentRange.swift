internal import Support

/// Which bytes of a file an answer holds (RFC 9110, section 14.4).
struct ContentRange: Hashable, Sendable {
    /// The first byte and the last.
    let first: Int64
    let last: Int64
    /// Bytes of the whole file; nil where the server does not say.
    let total: Int64?

    /// What a header says; nil if that is no part of a file.
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

    /// Whether it is all that follows a byte, as far as the server says how much there is.
    func isRest(from start: Int64) -> Bool { first == start && total.map { last == $0 - 1 } ?? true }

    private static func number(_ digits: Substring.UTF8View) -> Int64? {
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(Substring(digits))
    }
}
