/// Patterns of names as fnmatch(3) reads them, of bytes: `*`, `?`, `[a-z]`, `[!a-z]` and `\` before a plain character.
///
/// Never takes longer than the product of both lengths, whatever the pattern is, and knows no locale.
enum Wildcards {
    static let star = UInt8(ascii: "*")

    /// Whether a pattern has anything but plain characters.
    static func areIn(_ pattern: ArraySlice<UInt8>) -> Bool {
        pattern.contains {
            $0 == star || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "\\")
        }
    }

    /// The bytes with ASCII letters in lower case.
    static func lowercased(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.map { (65...90).contains($0) ? $0 | 0x20 : $0 }[...]
    }

    /// Whether a pattern matches a whole name.
    static func match(_ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> Bool {
        var (rest, position) = (pattern, name.startIndex)
        // Where to go on if what follows the last star does not match: one more byte belongs to the star.
        var retry: (rest: ArraySlice<UInt8>, position: Int)?
        while position < name.endIndex || !rest.isEmpty {
            if rest.first == star {
                rest.removeFirst()
                retry = (rest, position)
            } else if position < name.endIndex, let after = matchOne(rest, name[position]) {
                rest = after
                position += 1
            } else if let last = retry, last.position < name.endIndex {
                retry = (last.rest, last.position + 1)
                (rest, position) = (last.rest, last.position + 1)
            } else {
                return false
            }
        }
        return true
    }

    /// What is left of a pattern after its first part has matched a byte; nil if it does not match.
    private static func matchOne(_ pattern: ArraySlice<UInt8>, _ byte: UInt8) -> ArraySlice<UInt8>? {
        switch pattern.first {
        case UInt8(ascii: "?"): return pattern.dropFirst()
        case UInt8(ascii: "["):
            // Without its end, a bracket is a plain character.
            guard let set = CharacterSet(pattern) else { return byte == UInt8(ascii: "[") ? pattern.dropFirst() : nil }
            return set.contains(byte) ? set.rest : nil
        case UInt8(ascii: "\\") where pattern.count > 1:
            return pattern.dropFirst().first == byte ? pattern.dropFirst(2) : nil
        case byte: return pattern.dropFirst()
        case _: return nil
        }
    }

    /// The bytes in brackets.
    private struct CharacterSet {
        private let members: ArraySlice<UInt8>
        private let isNegated: Bool
        /// What follows in the pattern.
        let rest: ArraySlice<UInt8>

        init?(_ pattern: ArraySlice<UInt8>) {
            var inside = pattern.dropFirst()
            isNegated = inside.first == UInt8(ascii: "!") || inside.first == UInt8(ascii: "^")
            if isNegated { inside.removeFirst() }
            // A bracket that comes first is a member.
            guard let end = inside.dropFirst().firstIndex(of: UInt8(ascii: "]")) else { return nil }
            members = inside[..<end]
            rest = inside[(end + 1)...]
        }

        func contains(_ byte: UInt8) -> Bool {
            var left = members
            while let first = left.popFirst() {
                if left.count >= 2, left.first == UInt8(ascii: "-"), let last = left.dropFirst().first {
                    left.removeFirst(2)
                    if first <= byte && byte <= last { return !isNegated }
                } else if first == byte {
                    return !isNegated
                }
            }
            return isNegated
        }
    }
}
