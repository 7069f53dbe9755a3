/// One exclude pattern, matched against bytes.
struct GlobPattern: Hashable, Sendable {
    private enum Element: Hashable, Sendable {
        case byte(UInt8)
        case anyByte
        case set([ClosedRange<UInt8>], isNegated: Bool)
        case run
        case deepRun

        /// Whether this element, which is no run, takes the byte.
        func matches(_ byte: UInt8) -> Bool {
            switch self {
            case .byte(let wanted): byte == wanted
            case .anyByte: byte != UInt8(ascii: "/")
            case .set(let ranges, let isNegated):
                byte != UInt8(ascii: "/") && ranges.contains { $0.contains(byte) } != isNegated
            case .run, .deepRun: false
            }
        }
    }

    private var elements: [Element] = []
    /// Whether the pattern holds a `/` and is matched against the path.
    let matchesWholePath: Bool
    /// Whether it is for directories alone.
    let isDirectoryOnly: Bool

    /// Nil for a pattern that matches nothing: empty, or only slashes.
    init?(_ source: [UInt8]) {
        var pattern = source[...]
        isDirectoryOnly = pattern.last == 0x2F
        while pattern.last == 0x2F { pattern = pattern.dropLast() }
        matchesWholePath = pattern.contains(0x2F)
        while pattern.first == 0x2F { pattern = pattern.dropFirst() }
        if pattern.isEmpty { return nil }
        while let byte = pattern.first {
            pattern = pattern.dropFirst()
            switch byte {
            case UInt8(ascii: "*"):
                let isDeep = pattern.first == UInt8(ascii: "*")
                if isDeep { pattern = pattern.dropFirst() }
                elements.append(isDeep ? .deepRun : .run)
            case UInt8(ascii: "?"): elements.append(.anyByte)
            case UInt8(ascii: "["):
                if let (set, rest) = Self.parseSet(pattern) {
                    elements.append(set)
                    pattern = rest
                } else {
                    elements.append(.byte(byte))
                }
            case UInt8(ascii: "\\"):
                elements.append(.byte(pattern.popFirst() ?? byte))
            default: elements.append(.byte(byte))
            }
        }
    }

    private static func parseSet(_ source: ArraySlice<UInt8>) -> (Element, ArraySlice<UInt8>)? {
        var rest = source
        var ranges: [ClosedRange<UInt8>] = []
        let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
        if isNegated { rest = rest.dropFirst() }
        while let low = rest.popFirst() {
            if low == UInt8(ascii: "]") && !ranges.isEmpty { return (.set(ranges, isNegated: isNegated), rest) }
            if rest.first == UInt8(ascii: "-"), let high = rest.dropFirst().first, high != UInt8(ascii: "]"),
                high >= low
            {
                rest = rest.dropFirst(2)
                ranges.append(low...high)
            } else {
                ranges.append(low...low)
            }
        }
        return nil
    }

    /// Whether the whole text matches.
    ///
    /// A run first matches nothing and grows only when what follows does not match: the last run, or the last one
    /// that crosses directories where the last stops at a `/`.
    func matches(_ text: [UInt8]) -> Bool {
        if case .byte(let first)? = elements.first, text.first != first { return false }
        if case .byte(let last)? = elements.last, text.last != last { return false }
        var (index, position) = (0, 0)
        var run: (index: Int, position: Int)?
        var deepRun: (index: Int, position: Int)?
        while true {
            if index == elements.count && position == text.count { return true }
            if index < elements.count {
                if elements[index] == .run || elements[index] == .deepRun {
                    if elements[index] == .run {
                        run = (index, position)
                    } else {
                        (deepRun, run) = ((index, position), nil)
                    }
                    index += 1
                    continue
                }
                if position < text.count && elements[index].matches(text[position]) {
                    (index, position) = (index + 1, position + 1)
                    continue
                }
            }
            if let last = run, last.position < text.count, text[last.position] != UInt8(ascii: "/") {
                run = (last.index, last.position + 1)
                (index, position) = (last.index + 1, last.position + 1)
            } else if let last = deepRun, last.position < text.count {
                (deepRun, run) = ((last.index, last.position + 1), nil)
                (index, position) = (last.index + 1, last.position + 1)
            } else {
                return false
            }
        }
    }
}
