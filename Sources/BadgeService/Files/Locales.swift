internal import Support

/// The locales of a person, as localised keys of desktop entries name them.
///
/// Follows the Desktop Entry Specification, "Localized values for keys", and gettext(3) for the variables.
enum Locales {
    /// The locales of this process, best first.
    static var ofSession: [String] { preferred(environment: ProcessEnvironment.text) }

    /// The names to try, best first: for each language `lang_COUNTRY@MODIFIER`, `lang_COUNTRY`, `lang@MODIFIER`, `lang`.
    ///
    /// `LC_ALL`, `LC_MESSAGES` or `LANG`, the first that is not empty, names the locale. In the locale C there is none;
    /// in any other, `LANGUAGE` may name several languages, separated by colons. What follows English there is not
    /// tried: a value without a locale is in English, and whoever prefers English to German does not get German.
    static func preferred(environment: (String) -> String?) -> [String] {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].map { environment($0) ?? "" }
        guard let locale = values.first(where: { !$0.isEmpty }), !names(of: locale).isEmpty else { return [] }
        let listed = environment("LANGUAGE") ?? ""
        var result: [String] = []
        for language in (listed.isEmpty ? locale : listed).split(separator: ":") {
            let names = names(of: language)
            if names.isEmpty { break }
            result += names.filter { !result.contains($0) }
            if names.last == "en" { break }
        }
        return result
    }

    /// The value of the best locale that has one.
    static func best<Value>(of locales: [String], _ value: (String) -> Value?) -> Value? {
        locales.lazy.compactMap(value).first
    }

    /// The names to try for one locale; none for the locale C.
    private static func names(of locale: some StringProtocol) -> [String] {
        let parts = locale.split(separator: "@", maxSplits: 1)
        let modifier = parts.count == 2 ? String(parts[1]) : nil
        let base = parts.first?.split(separator: ".", maxSplits: 1).first.map { String($0) } ?? ""
        let language = base.split(separator: "_", maxSplits: 1).first.map { String($0) } ?? ""
        if language.isEmpty || language == "C" || language == "POSIX" { return [] }
        var result: [String] = []
        for name in base == language ? [base] : [base, language] {
            if let modifier { result.append("\(name)@\(modifier)") }
            result.append(name)
        }
        return result
    }
}
