/// Makes text from outside (names, messages) safe for a terminal: it cannot control the terminal, forge a line or
/// reorder the text around it.
package enum DisplayText {
    /// Decodes bytes for display; bytes that are not UTF-8 appear as `\xNN`.
    package static func decoding(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        var decoder = UTF8ByteDecoder(bytes)
        while let element = decoder.next() {
            switch element {
            case .scalar(let scalar): text.unicodeScalars.append(scalar)
            case .invalid(let byte): text += hexadecimal(byte)
            }
        }
        return text
    }

    /// Escapes control characters and the invisible characters that change the direction of text.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: needsEscape) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where !needsEscape(scalar): result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x80: result += hexadecimal(UInt8(scalar.value))
            default: result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return result
    }

    /// A byte as `\xNN`.
    static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return (digits.count == 1 ? "\\x0" : "\\x") + digits
    }

    /// Whether a character controls a terminal, breaks a line or changes the direction of the text around it.
    package static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F: true
        // Bidirectional embeddings, overrides and isolates, and the line separators.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

/// Decodes UTF-8 without losing invalid bytes.
struct UTF8ByteDecoder {
    enum Element: Equatable {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    mutating func next() -> Element? {
        guard position < bytes.count else { return nil }
        let lead = bytes[position]
        let length =
            switch lead {
            case 0..<0x80: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        let sequence = bytes[position..<min(position + length, bytes.count)]
        if length > 0, let text = String(validating: sequence, as: UTF8.self),
            let scalar = text.unicodeScalars.first
        {
            position += length
            return .scalar(scalar)
        }
        position += 1
        return .invalid(lead)
    }
}
