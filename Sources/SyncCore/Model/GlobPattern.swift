/// One exclude pattern, matched against bytes in time proportional to pattern times text at worst.
struct GlobPattern: Hashable, Sendable {
    private enum Element: Hashable, Sendable {
        case byte(UInt8)
        case anyByte
        case set([ClosedRange<UInt8>], isNegated: Bool)
        case run
        case deepRun
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
    func matches(_ text: [UInt8]) -> Bool {
        var reachable = [Bool](repeating: false, count: elements.count + 1)
        reachable[0] = true
        closeOverRuns(&reachable)
        for byte in text {
            var next = [Bool](repeating: false, count: elements.count + 1)
            var any = false
            for (index, element) in elements.enumerated() where reachable[index] {
                switch element {
                case .byte(let wanted): if wanted == byte { next[index + 1] = true; any = true }
                case .anyByte: if byte != 0x2F { next[index + 1] = true; any = true }
                case .set(let ranges, let isNegated):
                    if byte != 0x2F && ranges.contains(where: { $0.contains(byte) }) != isNegated {
                        next[index + 1] = true; any = true
                    }
                case .run: if byte != 0x2F { next[index] = true; any = true }
                case .deepRun: next[index] = true; any = true
                }
            }
            if !any { return false }
            reachable = next
            closeOverRuns(&reachable)
        }
        return reachable[elements.count]
    }

    /// A run may match nothing: what stands before it reaches past it.
    private func closeOverRuns(_ reachable: inout [Bool]) {
        for (index, element) in elements.enumerated() where reachable[index] && (element == .run || element == .deepRun)
        {
            reachable[index + 1] = true
        }
    }
}
