/// Makes a word of a command for a shell: bash, zsh and every shell that supports the `$'…'` of POSIX 2024.
package enum ShellWord {
    /// The word, quoted if a shell would otherwise change it.
    package static func quoted(_ word: String) -> String { quoted(bytes: word.utf8) }

    /// A word of any bytes. Characters that must not reach a terminal are written as escapes, which the shell decodes.
    package static func quoted(bytes: some Sequence<UInt8>) -> String {
        let given = Array(bytes)
        // A word that begins with a dash would be taken for an option.
        let word = given.first == UInt8(ascii: "-") ? Array("./".utf8) + given : given
        if !word.isEmpty, word.allSatisfy(isPlain) { return String(decoding: word, as: UTF8.self) }
        return singleQuoted(word) ?? escaped(word)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+,:@%".utf8.contains(byte)
        }
    }

    /// The word in single quotes; nil if it contains what must not reach a terminal.
    private static func singleQuoted(_ word: [UInt8]) -> String? {
        var text = "'"
        var decoder = UTF8ByteDecoder(word)
        while let element = decoder.next() {
            switch element {
            case .scalar("'"): text += "'\\''"
            case .scalar(let scalar) where !DisplayText.needsEscape(scalar): text.unicodeScalars.append(scalar)
            case .scalar, .invalid: return nil
            }
        }
        return text + "'"
    }

    private static func escaped(_ word: [UInt8]) -> String {
        var text = "$'"
        var decoder = UTF8ByteDecoder(word)
        while let element = decoder.next() {
            switch element {
            case .scalar("'"): text += "\\'"
            case .scalar("\\"): text += "\\\\"
            case .scalar(let scalar) where !DisplayText.needsEscape(scalar): text.unicodeScalars.append(scalar)
            case .scalar(let scalar): text += String(scalar).utf8.map(DisplayText.hexadecimal).joined()
            case .invalid(let byte): text += DisplayText.hexadecimal(byte)
            }
        }
        return text + "'"
    }
}
