/// The user-visible texts of all programs, in the form of a gettext(3) catalogue: a whole English sentence (the msgid;
/// with a number also the form for other numbers, the msgid_plural), in which `{1}`, `{2}` and so on are placeholders
/// for the arguments, so that a translation can use another order. So far there is only English; a translation would be
/// looked up here.
///
/// Arguments are never searched for placeholders: a folder called `{1}` keeps its name. Texts are literals, so that
/// tools find them in the source.
package enum Phrase {
    /// A text whose form does not depend on a number.
    ///
    /// - Parameters:
    ///   - text: A whole sentence, or a whole phrase if no sentence is shown.
    ///   - arguments: The values of `{1}`, `{2}` and so on. A placeholder without an argument stays in the text.
    package static func text(_ text: StaticString, _ arguments: String...) -> String {
        filled(text, arguments)
    }

    /// The same with a list of arguments.
    package static func text(_ text: StaticString, arguments: [String]) -> String {
        filled(text, arguments)
    }

    /// A text in the form that the language has for a number, chosen as by ngettext(3).
    ///
    /// - Parameters:
    ///   - count: The number, which is the value of `{1}`.
    ///   - one: The English text for 1.
    ///   - other: The English text for all other numbers.
    ///   - arguments: The values of `{2}`, `{3}` and so on.
    package static func counted(
        _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: String...
    ) -> String {
        filled(count == 1 ? one : other, ["\(count)"] + arguments)
    }

    /// Replaces the placeholders in one pass, so that the arguments themselves are not searched.
    private static func filled(_ text: StaticString, _ arguments: [String]) -> String {
        var result = ""
        var rest = Substring(text.description)
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
}
