/// The bytes of a catalogue in gettext's binary form, as msgfmt(1) writes them.
public struct MoFile {
    /// The translations by the English text; that of a plural is its singular and its plural, with a NUL between them.
    public var messages: [String: String]
    /// The rule of the header for the form that goes with a number.
    public var plural = "nplurals=2; plural=(n != 1);"
    /// What the header says of the encoding, which is UTF-8 whatever it says.
    public var charset = "UTF-8"
    /// The order of the bytes of numbers.
    public var isBigEndian = false

    /// - Parameter messages: The translations by the English text.
    public init(_ messages: [String: String]) { self.messages = messages }

    /// The whole file.
    public var bytes: [UInt8] {
        var messages = messages
        messages[""] = "Content-Type: text/plain; charset=\(charset)\nPlural-Forms: \(plural)\n"
        let sorted = messages.map { (original: Array($0.key.utf8), translation: Array($0.value.utf8)) }
            .sorted { $0.original.lexicographicallyPrecedes($1.original) }
        let header = 28
        let tables = 16 * sorted.count
        var (strings, originals, translations): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        func entry(_ text: [UInt8]) -> [UInt8] { number(text.count) + number(header + tables + strings.count) }
        for message in sorted {
            originals += entry(message.original)
            strings += message.original + [0]
            translations += entry(message.translation)
            strings += message.translation + [0]
        }
        let fields = [0x9504_12DE, 0, sorted.count, header, header + tables / 2, 0, header + tables]
        return fields.flatMap(number) + originals + translations + strings
    }

    private func number(_ value: Int) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }
}
