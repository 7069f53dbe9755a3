/// The languages that a person wants to read, as the environment names them for gettext(3).
enum PreferredLanguages {
    /// The names of the catalogues that may be used: for each language, the best first, those that serve it, the most
    /// exact first. Empty where everything is English.
    ///
    /// `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that is not empty, names the locale. In the locale C nothing is
    /// translated; in any other, `LANGUAGE` may name several languages, separated by colons. Other than with gettext,
    /// English needs no catalogue: who prefers English to German does not get German because there is no English
    /// catalogue.
    static func catalogues(_ variable: (String) -> [UInt8]?) -> [[String]] {
        func text(_ name: String) -> String { variable(name).map { String(decoding: $0, as: UTF8.self) } ?? "" }
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].map { text($0) }.first { !$0.isEmpty } ?? ""
        if locale.isEmpty || isUntranslated(locale) { return [] }
        let listed = text("LANGUAGE")
        var result: [[String]] = []
        for language in (listed.isEmpty ? locale : listed).split(separator: ":") {
            if isUntranslated(language) { break }
            let names = Self.names(for: language)
            let translated = names.filter { !source.contains($0) }
            if !translated.isEmpty { result.append(translated) }
            // What the catalogues of a kind of English lack is English.
            if names.last == "en" { break }
        }
        return result
    }

    /// The English of the sentences in the source.
    private static let source = ["en", "en_US"]

    /// Whether a locale is that of the C standard, in whatever encoding.
    private static func isUntranslated(_ locale: some StringProtocol) -> Bool {
        locale == "C" || locale == "POSIX" || locale.hasPrefix("C.")
    }

    /// `language_TERRITORY@modifier`, `language@modifier`, `language_TERRITORY` and `language`, as far as a locale has
    /// these parts. The encoding does not matter: every catalogue is in UTF-8. A name that is none of a locale, and
    /// might lead out of the directory of catalogues, has none.
    private static func names(for locale: Substring) -> [String] {
        let parts = locale.split(separator: "@", maxSplits: 1)
        let modifier = parts.count == 2 ? "@" + parts[1] : ""
        let place = parts.first?.prefix { $0 != "." } ?? ""
        let language = place.prefix { $0 != "_" }
        func isPlain(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber || "_-@+".contains(character))
        }
        guard language.first?.isLetter == true, (place + modifier).allSatisfy(isPlain) else { return [] }
        var names: [String] = []
        for name in [place + modifier, language + modifier, place, language].map({ String($0) })
        where !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
