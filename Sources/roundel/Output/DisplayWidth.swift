/// Computes how many columns of a terminal a text takes. The tables of the C library depend on the locale of the
/// process; these do not (Unicode Standard Annex 11, and the general categories of the standard library).
enum DisplayWidth {
    /// The columns that `text` takes; it contains no control characters (``DisplayText/escaped(_:)``).
    static func of(_ text: some StringProtocol) -> Int {
        var width = 0
        for character in text {
            width += ofCharacter(character)
        }
        return width
    }

    /// The longest beginning of `text` that fits, with an ellipsis if something was left out.
    static func truncate(_ text: String, to columns: Int, ellipsis: String) -> String {
        if of(text) <= columns { return text }
        let room = columns - of(ellipsis)
        guard room > 0 else { return String(repeating: ".", count: max(0, columns)) }
        var used = 0
        var result = ""
        for character in text {
            used += ofCharacter(character)
            if used > room { break }
            result.append(character)
        }
        return result + ellipsis
    }

    /// The beginning and the end of `text` that fit, with an ellipsis between them if something was left out: of a path, the
    /// end says most.
    static func truncateMiddle(_ text: String, to columns: Int, ellipsis: String) -> String {
        if of(text) <= columns { return text }
        let room = columns - of(ellipsis)
        guard room > 1 else { return truncate(text, to: columns, ellipsis: ellipsis) }
        var (used, end) = (0, "")
        for character in text.reversed() {
            used += ofCharacter(character)
            if used > room - room / 3 { break }
            end = String(character) + end
        }
        return truncate(text, to: columns - of(end), ellipsis: ellipsis) + end
    }

    private static func ofCharacter(_ character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            // An emoji with variation selector 16 is two columns wide, whatever its own width.
            width = scalar.value == 0xFE0F ? max(width, 2) : max(width, ofScalar(scalar))
        }
        return width
    }

    private static func ofScalar(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // The vowels and finals of decomposed Hangul join the syllable before them.
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        return isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
