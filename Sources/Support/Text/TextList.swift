/// Parts that were translated one by one, put together as the language does it.
package enum TextList {
    /// Names, or the phrases of one sentence.
    package static func of(_ parts: [String]) -> String {
        // Translators: between two members of a list, which are names or phrases such as “2 uploaded”.
        parts.joined(separator: tr(", "))
    }

    /// Whole sentences, one after the other.
    package static func ofSentences(_ sentences: [String]) -> String {
        // Translators: two whole sentences, one after the other.
        sentences.dropFirst().reduce(sentences.first ?? "") { tr("{1} {2}", $0, $1) }
    }
}
