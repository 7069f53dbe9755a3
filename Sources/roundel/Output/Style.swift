/// A text style; without colour support, the text is written unchanged (ECMA-48, select graphic rendition).
enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case blue = "34"
    case magenta = "35"
    case cyan = "36"
    case directory = "1;34"

    func apply(to text: String, on terminal: Terminal) -> String {
        guard terminal.hasColour, self != .plain, !text.isEmpty else { return text }
        return "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
    }
}
