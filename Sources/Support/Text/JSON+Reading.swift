/// Reading JSON (RFC 8259) of other programs, which may be anything.
///
/// Foundation's decoder would do as well. It would bring Foundation, and the data of ICU, into programs that need
/// nothing else of it.
extension JSON {
    /// The deepest nesting that is read.
    private static let mostLevels = 64

    /// The value that a whole text consists of; nil if the text is not JSON in UTF-8, or is nested too deeply.
    package init?(parsing bytes: some Collection<UInt8>) {
        let parsed = bytes.withContiguousStorageIfAvailable { Self.parse($0) }
        let copy = parsed == nil ? Array(bytes).withUnsafeBufferPointer { Self.parse($0) } : nil
        guard let value = parsed ?? copy else { return nil }
        self = value
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> JSON? {
        var reader = Reader(bytes)
        guard let value = reader.value(levels: mostLevels) else { return nil }
        reader.skipBlanks()
        return reader.isAtEnd ? value : nil
    }

    private struct Reader {
        private let bytes: UnsafeBufferPointer<UInt8>
        private var position = 0

        init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        var isAtEnd: Bool { position == bytes.count }
        private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

        mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
        }

        mutating func value(levels: Int) -> JSON? {
            skipBlanks()
            guard levels > 0, let byte = next else { return nil }
            switch byte {
            case UInt8(ascii: "{"): return object(levels: levels)
            case UInt8(ascii: "["): return array(levels: levels)
            case UInt8(ascii: "\""): return text().map(JSON.string)
            case UInt8(ascii: "t"): return word("true") ? .bool(true) : nil
            case UInt8(ascii: "f"): return word("false") ? .bool(false) : nil
            case UInt8(ascii: "n"): return word("null") ? .null : nil
            default: return number()
            }
        }

        private mutating func take(_ byte: Character) -> Bool {
            guard next == byte.asciiValue else { return false }
            position += 1
            return true
        }

        private mutating func word(_ word: StaticString) -> Bool {
            let end = position + word.utf8CodeUnitCount
            guard end <= bytes.count else { return false }
            for (offset, byte) in word.description.utf8.enumerated() where bytes[position + offset] != byte {
                return false
            }
            position = end
            return true
        }

        private mutating func object(levels: Int) -> JSON? {
            position += 1
            var members: [Member] = []
            skipBlanks()
            if take("}") { return .object(members) }
            repeat {
                skipBlanks()
                guard next == UInt8(ascii: "\""), let key = text() else { return nil }
                skipBlanks()
                guard take(":"), let value = value(levels: levels - 1) else { return nil }
                members.append(Member(key, value))
                skipBlanks()
            } while take(",")
            return take("}") ? .object(members) : nil
        }

        private mutating func array(levels: Int) -> JSON? {
            position += 1
            var values: [JSON] = []
            skipBlanks()
            if take("]") { return .array(values) }
            repeat {
                guard let value = value(levels: levels - 1) else { return nil }
                values.append(value)
                skipBlanks()
            } while take(",")
            return take("]") ? .array(values) : nil
        }

        private mutating func number() -> JSON? {
            let start = position
            while let byte = next, (0x30...0x39).contains(byte) || "+-.eE".utf8.contains(byte) { position += 1 }
            let digits = String(decoding: bytes[start..<position], as: UTF8.self)
            guard let last = digits.utf8.last, (0x30...0x39).contains(last), !digits.hasPrefix("+") else { return nil }
            if let integer = Int64(digits) { return .integer(integer) }
            if let unsigned = UInt64(digits) { return .unsigned(unsigned) }
            return Double(digits).map(JSON.fraction)
        }

        private mutating func text() -> String? {
            position += 1
            var text: [UInt8] = []
            while let byte = next {
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
                case UInt8(ascii: "\\"): guard escape(into: &text) else { return nil }
                case ..<0x20: return nil
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func escape(into text: inout [UInt8]) -> Bool {
            guard let byte = next else { return false }
            position += 1
            switch byte {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
            case UInt8(ascii: "u"):
                guard let scalar = scalar() else { return false }
                text += Array(String(Character(scalar)).utf8)
            default: return false
            }
            return true
        }

        /// The character of one escape, or of two that are a pair of surrogates.
        private mutating func scalar() -> Unicode.Scalar? {
            guard let first = unit() else { return nil }
            guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
            guard take("\\"), take("u"), let second = unit(), (0xDC00..<0xE000).contains(second) else { return nil }
            return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        }

        private mutating func unit() -> UInt32? {
            guard position + 4 <= bytes.count else { return nil }
            let digits = bytes[position..<position + 4]
            guard digits.allSatisfy({ ($0 | 0x20) >= 0x61 || (0x30...0x39).contains($0) }) else { return nil }
            position += 4
            return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        }
    }

    // MARK: What a value holds

    /// The value of a key of an object; null if there is none, or if this is no object.
    package subscript(key: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members.first { $0.key == key }?.value ?? .null
    }

    /// The members of an object; none of anything else.
    package var entries: [Member] { if case .object(let members) = self { members } else { [] } }
    /// The values of an array; none of anything else.
    package var values: [JSON] { if case .array(let values) = self { values } else { [] } }
    /// A text; nil for anything else.
    package var string: String? { if case .string(let text) = self { text } else { nil } }
    /// A truth value; nil for anything else.
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// A whole number; nil for anything else, and for one that does not fit.
    package var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value)
        case .fraction(let value): Int64(exactly: value)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    /// A number that counts something; 0 for anything else and for negative numbers.
    package var count: UInt64 {
        switch self {
        case .integer(let value): UInt64(clamping: value)
        case .unsigned(let value): value
        case .fraction(let value): UInt64(exactly: value.rounded(.towardZero)) ?? 0
        case .null, .bool, .string, .array, .object: 0
        }
    }
}
