/// A JSON value whose objects keep the order in which their keys were written (RFC 8259).
///
/// Foundation's encoder would work too, but without Foundation every command starts faster.
package enum JSON: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    /// A number with a fraction or an exponent. It is read from others, and never written by this program.
    case fraction(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One key of an object with its value.
    package struct Member: Sendable, Equatable {
        /// The key.
        package let key: String
        /// The value.
        package let value: JSON

        /// Creates a key with its value.
        package init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }
    }

    /// A string.
    package init(stringLiteral value: String) { self = .string(value) }
    /// A truth value.
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An integer of any width.
    package static func number(_ value: some BinaryInteger) -> JSON {
        Int64(exactly: value).map(JSON.integer) ?? .unsigned(UInt64(clamping: value))
    }

    /// The value, or `null`.
    package static func optional<Value>(_ value: Value?, _ convert: (Value) -> JSON) -> JSON {
        value.map(convert) ?? .null
    }

    /// An array of strings.
    package static func strings(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }

    /// The text on one line.
    package var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        case .fraction(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): JSON.quote(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                JSON.quote(member.key, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Escapes what RFC 8259 section 7 requires, and what must not reach a terminal, so that a line of output stays one
    /// line everywhere and looks as it is written.
    private static func quote(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where DisplayText.needsEscape(scalar):
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
