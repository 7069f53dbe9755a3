extension String {
    /// The text if it has at most this many characters, otherwise its beginning with an ellipsis.
    package func shortened(to limit: Int) -> String {
        // Counting characters is slow, and a text has at most as many characters as bytes.
        if utf8.count <= limit { return self }
        // A single character can have any number of bytes.
        guard let end = index(startIndex, offsetBy: limit, limitedBy: endIndex) else {
            return utf8.count <= 16 * limit ? self : "\u{2026}"
        }
        guard end < endIndex else { return utf8.count <= 16 * limit ? self : "\u{2026}" }
        let start = prefix(max(0, limit - 1))
        return (start.utf8.count <= 16 * limit ? start : "") + "\u{2026}"
    }

    /// Whether the text has at most this many characters, of at most sixteen bytes each on average.
    package func isWithin(_ limit: Int) -> Bool {
        utf8.count <= limit || utf8.count <= 16 * limit && count <= limit
    }

    /// Whether the text can be the name of an icon in a theme, or empty. With a path, its author could make every file
    /// manager open a file.
    package var isIconName: Bool { !utf8.contains(UInt8(ascii: "/")) && isWithin(Limits.providerText) }
}
