/// A text that an action hands to the host where it was chosen, for the clipboard of the person; a share link, say.
///
/// It is one line: what is pasted into a terminal must not be a command that runs at once.
public struct ClipboardText: Hashable, Sendable {
    /// The largest text, in bytes of UTF-8.
    public static let largest = 8_192

    /// The text: 1 to ``largest`` bytes of UTF-8, without control characters and without what ends a line or a paragraph.
    public let text: String

    /// Checks a text; nil if it is empty, too large, or has characters that such a text must not have.
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
