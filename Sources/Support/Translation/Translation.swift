internal import Glibc
package import SystemPackage

/// A sentence for a person, in the language of the session.
///
/// The sentence stands in the source as a literal, in English, where it is used: that is the msgid of gettext(3), and
/// what is shown where there is no translation. `{1}`, `{2}` and so on are the places of the arguments, in any order
/// and as often as a language needs them. Lines of the log, JSON and codes are not translated: they are no sentences
/// of this kind.
///
/// Arguments are never searched for places: a folder called `{1}` keeps its name.
///
/// - Parameters:
///   - text: A whole sentence, or a whole phrase if no sentence is shown.
///   - arguments: The values of `{1}`, `{2}` and so on. A place without an argument stays in the text.
package func tr(_ text: StaticString, _ arguments: String...) -> String {
    Translation.current.sentence(text, arguments)
}

/// The same with a list of arguments.
package func tr(_ text: StaticString, arguments: [String]) -> String {
    Translation.current.sentence(text, arguments)
}

/// A sentence in the form that the language has for a number, chosen as by ngettext(3).
///
/// - Parameters:
///   - count: The number, which is the value of `{1}`.
///   - one: The English sentence for 1.
///   - other: The English sentence for all other numbers.
///   - arguments: The values of `{2}`, `{3}` and so on.
package func tr(
    _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: String...
) -> String {
    Translation.current.sentence(count, one: one, other: other, arguments)
}

/// The catalogues of the languages that a person prefers.
package struct Translation: Sendable {
    /// The languages and installations of this process, looked for at the first sentence. With English, or without a
    /// language, no file is looked for.
    static let current = Translation(installation: Translation.installation)

    /// The best first. A sentence that one lacks is looked up in the next.
    private let catalogues: [Catalogue]

    /// - Parameters:
    ///   - variable: Returns the value of an environment variable, or nil if it is not set.
    ///   - installation: The directory below which the program is installed; nil if it is not known.
    package init(
        _ variable: (String) -> [UInt8]? = ProcessEnvironment.bytes, installation: @autoclosure () -> FilePath?
    ) {
        let languages = PreferredLanguages.catalogues(variable)
        guard !languages.isEmpty else {
            catalogues = []
            return
        }
        let directories = BaseDirectories(variable)
        let shared = [directories.data, installation()?.appending("share")].compactMap(\.self) + directories.systemData
        catalogues = languages.compactMap { names -> Catalogue? in
            for name in names {
                for directory in shared {
                    let path = directory.appending("locale/\(name)/LC_MESSAGES/roundel.mo")
                    if let catalogue = Self.catalogue(at: path) { return catalogue }
                }
            }
            return nil
        }
    }

    /// The sentence for these arguments; see ``tr(_:_:)``.
    package func sentence(_ text: StaticString, _ arguments: [String]) -> String {
        let translated = catalogues.lazy.compactMap { catalogue in
            text.withUTF8Buffer { catalogue.translation(of: $0) }
        }.first
        return Self.filled(translated ?? text.description, arguments)
    }

    /// The sentence for a number; see ``tr(_:one:other:_:)``.
    package func sentence(
        _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: [String]
    ) -> String {
        let number = UInt64(clamping: count.magnitude)
        let translated = catalogues.lazy.compactMap { catalogue in
            one.withUTF8Buffer { catalogue.translation(of: $0, for: number) }
        }.first
        return Self.filled(translated ?? (count == 1 ? one : other).description, ["\(count)"] + arguments)
    }

    /// Fills the places in one pass, so that the arguments themselves are not searched.
    private static func filled(_ text: String, _ arguments: [String]) -> String {
        if arguments.isEmpty { return text }
        var result = ""
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[rest.index(after: open)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits), arguments.indices.contains(number - 1), rest[digits.endIndex...].first == "}" {
                result += arguments[number - 1]
                rest = rest[digits.endIndex...].dropFirst()
            } else {
                result += "{"
            }
        }
        return result + rest
    }

    // MARK: Files

    /// The largest catalogue that is read, in bytes: thirty times that of all sentences there are.
    private static let mostBytes = 4 << 20

    private static func catalogue(at path: FilePath) -> Catalogue? {
        guard let bytes = try? SmallFile.read(path, limit: mostBytes) else { return nil }
        let catalogue = Catalogue(bytes)
        if catalogue == nil { log(.debug, "\(path) is no catalogue of translations in UTF-8, and is not used.") }
        return catalogue
    }

    /// `PREFIX` for a program that is `PREFIX/bin/NAME`.
    private static var installation: FilePath? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        return FilePath(platformString: program).removingLastComponent().removingLastComponent()
    }
}
