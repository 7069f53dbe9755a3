/// An SVG, as far as it can be judged without drawing it: shapes and gradients alone, which refer to nothing outside and
/// run nothing. What a drawing program adds beyond that is not accepted.
struct SVGFile {
    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var elements = 0
    private var uses = 0

    private static let shapes: Set<String> = [
        "svg", "g", "defs", "symbol", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon",
        "linearGradient", "radialGradient", "stop", "clipPath", "mask", "title", "desc",
    ]
    /// Each may multiply what it refers to, and refer to another one.
    private static let mostUses = 16
    private static let mostElements = 2_000
    private static let deepest = 32

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether every program may be given it to draw.
    mutating func isHarmless() -> Bool {
        guard String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes), !bytes.contains(0) else { return false }
        _ = skip("\u{FEFF}")
        if skip("<?xml ") {
            guard let declaration = text(before: "?>")?.lowercased(), !declaration.contains("<"),
                !declaration.contains("encoding") || declaration.contains("utf-8")
            else { return false }
        }
        repeat {
            guard readPart() else { return false }
        } while !open.isEmpty || elements == 0
        while position < bytes.count {
            skipSpace()
            guard position == bytes.count || readComment() else { return false }
        }
        return true
    }

    /// Reads text, a comment, or a tag.
    private mutating func readPart() -> Bool {
        guard readText() else { return false }
        if starts(with: "<!") { return readComment() }
        if skip("</") {
            guard let name = readName(), open.popLast() == name else { return false }
            skipSpace()
            return skip(">")
        }
        return skip("<") && readElement()
    }

    private mutating func readElement() -> Bool {
        guard let name = readName(), Self.shapes.contains(name), (name == "svg") == open.isEmpty,
            open.count < Self.deepest, elements < Self.mostElements
        else { return false }
        elements += 1
        if name == "use" { uses += 1 }
        guard uses <= Self.mostUses else { return false }
        while true {
            skipSpace()
            if skip("/>") { return true }
            if skip(">") {
                open.append(name)
                return true
            }
            guard readAttribute() else { return false }
        }
    }

    private mutating func readAttribute() -> Bool {
        guard let name = readName()?.lowercased() else { return false }
        skipSpace()
        guard skip("=") else { return false }
        skipSpace()
        let quote = skip("\"") ? "\"" : skip("'") ? "'" : nil
        guard let quote, let value = text(before: quote)?.lowercased(), Self.isPlain(value) else { return false }
        if name == "xmlns" || name.hasPrefix("xmlns:") { return true }
        if name == "href" || name.hasSuffix(":href") { return value.hasPrefix("#") }
        return !name.hasPrefix("on") && name != "xml:base" && name != "filter" && Self.staysInside(value)
    }

    /// Whether nothing in a text stands for something else.
    private static func isPlain(_ text: String) -> Bool {
        guard !text.contains("<"), !text.contains("\\") else { return false }
        return text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { rest in
            ["amp;", "lt;", "gt;", "quot;", "apos;"].contains { rest.hasPrefix($0) }
        }
    }

    /// Whether a value, as one of styles, names nothing but parts of the drawing itself.
    private static func staysInside(_ value: String) -> Bool {
        guard !value.contains("//"), !value.contains("@"), !value.contains("/*"), !value.contains("filter"),
            !value.contains("image"), !value.contains("src(")
        else { return false }
        return !parts(of: value, after: "url").contains { !$0.hasPrefix("(#") }
    }

    private static func parts(of text: String, after word: String) -> [Substring] {
        var found: [Substring] = []
        var rest = text[...]
        while let first = rest.firstIndex(of: word.first!) {
            rest = rest[first...]
            if rest.hasPrefix(word) { found.append(rest.dropFirst(word.count)) }
            rest = rest.dropFirst()
        }
        return found
    }

    // MARK: Reading

    private mutating func readText() -> Bool {
        let begin = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let text = String(decoding: bytes[begin..<position], as: UTF8.self)
        return Self.isPlain(text) && (!open.isEmpty || text.allSatisfy(\.isWhitespace))
    }

    private mutating func readComment() -> Bool { skip("<!--") && text(before: "-->") != nil }

    private mutating func readName() -> String? {
        let begin = position
        while position < bytes.count, Self.isNamePart(bytes[position]) { position += 1 }
        return position == begin ? nil : String(decoding: bytes[begin..<position], as: UTF8.self)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_:.".utf8.contains(byte)
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func skip(_ text: String) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8.count
        return true
    }

    /// The text up to an end, behind which reading goes on; nil without that end.
    private mutating func text(before end: String) -> String? {
        let begin = position
        while position < bytes.count {
            if starts(with: end) {
                defer { position += end.utf8.count }
                return String(decoding: bytes[begin..<position], as: UTF8.self)
            }
            position += 1
        }
        return nil
    }
}
