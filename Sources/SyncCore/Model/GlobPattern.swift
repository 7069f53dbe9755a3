/// An exclude pattern of gitignore(5), matched against bytes.
struct GlobPattern: Hashable, Sendable {
    private enum Element: Hashable, Sendable {
        case byte(UInt8)
        case anyByte
        case set(ByteSet)
        /// Any bytes up to the next `/`.
        case run
        /// Any bytes.
        case deepRun
        /// Nothing, or any bytes and a `/`: any number of directories.
        case directories

        /// Whether this element, which must not be a run, matches the byte.
        func matches(_ byte: UInt8) -> Bool {
            switch self {
            case .byte(let wanted): byte == wanted
            case .anyByte: byte != slash
            case .set(let set): byte != slash && set.contains(byte)
            case .run, .deepRun, .directories: false
            }
        }
    }

    private var elements: [Element] = []
    /// Whether the pattern contains a `/` other than its last byte: it is then matched against the path, otherwise the
    /// name.
    let matchesWholePath: Bool
    /// Whether it matches only directories.
    let isDirectoryOnly: Bool
    /// Whether it begins with `!`: entries that it matches are not excluded.
    let isNegated: Bool

    /// Nil for a line that matches nothing: a comment, an empty line, an unclosed bracket, or a lone `\` at the end.
    init?(_ line: [UInt8]) {
        if line.first == UInt8(ascii: "#") { return nil }
        var pattern = Self.withoutTrailingSpaces(line)
        isNegated = pattern.first == UInt8(ascii: "!")
        if isNegated { pattern = pattern.dropFirst() }
        isDirectoryOnly = pattern.last == slash
        if isDirectoryOnly { pattern = pattern.dropLast() }
        matchesWholePath = pattern.contains(slash)
        if pattern.first == slash { pattern = pattern.dropFirst() }
        if pattern.isEmpty { return nil }
        while !pattern.isEmpty {
            guard let element = Self.nextElement(of: &pattern, isFirst: elements.isEmpty, after: elements.last) else {
                return nil
            }
            elements.append(element)
        }
    }

    /// The line without spaces at its end, unless a `\` quotes the last one.
    private static func withoutTrailingSpaces(_ line: [UInt8]) -> ArraySlice<UInt8> {
        var (end, index) = (0, 0)
        while index < line.count {
            let isQuoted = line[index] == backslash && index + 1 < line.count
            index += isQuoted ? 2 : 1
            if isQuoted || line[index - 1] != UInt8(ascii: " ") { end = index }
        }
        return line[..<end]
    }

    /// Takes one element from the front of a pattern; nil if the pattern cannot match.
    private static func nextElement(
        of pattern: inout ArraySlice<UInt8>, isFirst: Bool, after last: Element?
    ) -> Element? {
        guard let byte = pattern.popFirst() else { return nil }
        switch byte {
        case UInt8(ascii: "*"):
            let others = pattern.prefix { $0 == UInt8(ascii: "*") }.count
            pattern = pattern.dropFirst(others)
            // Two asterisks cross directories if they are a whole component of the path; otherwise they count as one.
            let isComponent = isFirst || last == .byte(slash) || last == .directories
            guard others > 0, isComponent else { return .run }
            if pattern.isEmpty || pattern.starts(with: [backslash, slash]) { return .deepRun }
            guard pattern.first == slash else { return .run }
            pattern = pattern.dropFirst()
            return .directories
        case UInt8(ascii: "?"): return .anyByte
        case UInt8(ascii: "["): return ByteSet(parsing: &pattern).map { .set($0) }
        case backslash: return pattern.popFirst().map { .byte($0) }
        default: return .byte(byte)
        }
    }

    /// Whether the whole text matches.
    ///
    /// A run first matches nothing, and grows only if what follows does not match: the last run, or if that stops at a
    /// `/`, the last one that crosses directories.
    func matches(_ text: [UInt8]) -> Bool {
        if case .byte(let first)? = elements.first, text.first != first { return false }
        if case .byte(let last)? = elements.last, text.last != last { return false }
        var (index, position) = (0, 0)
        var run: (index: Int, position: Int)?
        var deepRun: (index: Int, position: Int)?
        while true {
            if index == elements.count && position == text.count { return true }
            if index < elements.count {
                switch elements[index] {
                case .run:
                    run = (index, position)
                    index += 1
                    continue
                case .deepRun, .directories:
                    (deepRun, run) = ((index, position), nil)
                    index += 1
                    continue
                case .byte, .anyByte, .set:
                    if position < text.count && elements[index].matches(text[position]) {
                        (index, position) = (index + 1, position + 1)
                        continue
                    }
                }
            }
            if let last = run, last.position < text.count, text[last.position] != slash {
                run = (last.index, last.position + 1)
                (index, position) = (last.index + 1, last.position + 1)
            } else if let last = deepRun, let next = longer(last, text) {
                (deepRun, run) = ((last.index, next), nil)
                (index, position) = (last.index + 1, next)
            } else {
                return false
            }
        }
    }

    /// Where a run that crosses directories ends if it grows; nil if no text is left.
    private func longer(_ run: (index: Int, position: Int), _ text: [UInt8]) -> Int? {
        guard run.position < text.count else { return nil }
        guard elements[run.index] == .directories else { return run.position + 1 }
        return text[run.position...].firstIndex(of: slash).map { $0 + 1 }
    }
}

private let slash = UInt8(ascii: "/")
private let backslash = UInt8(ascii: "\\")
