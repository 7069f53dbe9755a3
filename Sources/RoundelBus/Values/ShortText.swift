extension String {
    /// The text if it has at most this many characters, of at most four bytes each on average, otherwise its beginning
    /// with an ellipsis.
    package func shortened(to limit: Int) -> String {
        // Counting characters is slow, and a text has at most as many characters as bytes.
        if utf8.count <= limit { return self }
        let most = 4 * limit
        var kept = startIndex
        var position = startIndex
        var characters = 0
        var bytes = 0
        while position < endIndex {
            let next = index(after: position)
            characters += 1
            // A single character can have any number of bytes.
            bytes += self[position..<next].utf8.count
            guard characters <= limit, bytes <= most else { return self[..<kept] + Self.ellipsis }
            if characters < limit, bytes + Self.ellipsis.utf8.count <= most { kept = next }
            position = next
        }
        return self
    }

    private static var ellipsis: String { "\u{2026}" }

    /// Whether the text has at most this many characters, of at most sixteen bytes each on average.
    package func isWithin(_ limit: Int) -> Bool {
        utf8.count <= limit || utf8.count <= 16 * limit && count <= limit
    }

    /// Whether the text can be the name of an icon in a theme, or empty. With a path, its author could make every file
    /// manager open a file.
    package var isIconName: Bool { !utf8.contains(UInt8(ascii: "/")) && isWithin(Limits.providerText) }
}
