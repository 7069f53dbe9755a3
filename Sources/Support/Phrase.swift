/// The texts for people of every program, in the form of a catalogue of gettext(3): a whole sentence in English (the
/// msgid; with a number also the form for other numbers, the msgid_plural), in which `{1}`, `{2}` and so on stand for the
/// arguments, so that a translation can have them in another order. There is only English yet; a translation would be
/// looked up here.
///
/// What an argument holds is never read as a placeholder: a folder called `{1}` stays what it is. Texts are literals, so
/// that a tool finds them in the source.
package enum Phrase {
    /// A text without a number that would change its form.
    ///
    /// - Parameters:
    ///   - text: a whole sentence, or a whole phrase where no sentence is shown.
    ///   - arguments: what `{1}`, `{2}` and so on stand for. A placeholder without an argument stays in the text.
    package static func text(_ text: StaticString, _ arguments: String...) -> String {
        filled(text, arguments)
    }

    /// The same with arguments of which somebody else knows how many there are.
    package static func text(_ text: StaticString, arguments: [String]) -> String {
        filled(text, arguments)
    }

    /// A text in the form that the language has for a number, as ngettext(3) chooses it.
    ///
    /// - Parameters:
    ///   - count: the number, which `{1}` stands for.
    ///   - one: the English text for 1.
    ///   - other: the English text for all other numbers.
    ///   - arguments: what `{2}`, `{3}` and so on stand for.
    package static func counted(
        _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: String...
    ) -> String {
        filled(count == 1 ? one : other, ["\(count)"] + arguments)
    }

    /// Puts the arguments into a text in one pass, so that they are not searched themselves.
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
