/// A text, for example a share link, that an action passes to the host where it was chosen, for the user's clipboard.
///
/// It is a single line, because a text pasted into a terminal must not be a command that runs immediately.
public struct ClipboardText: Hashable, Sendable {
    /// The largest text, in bytes of UTF-8.
    public static let largest = 8_192

    /// The text: 1 to ``largest`` bytes of UTF-8, without control characters, line separators and paragraph separators.
    public let text: String

    /// Checks a text; nil if it is empty, too large, or contains forbidden characters.
    public init?(_ text: String) {
        guard (1...Self.largest).contains(text.utf8.count), text.unicodeScalars.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return category != .control && category != .lineSeparator && category != .paragraphSeparator
    }
}
