/// A text in the person's language. There is only English yet; this file is where a catalogue of gettext(3) is asked.
///
/// - Parameters:
///   - text: a whole sentence, or a whole phrase where no sentence is shown.
///   - arguments: what `%1`, `%2` and so on stand for, in any order.
func translated(_ text: StaticString, _ arguments: String...) -> String { filled("\(text)", arguments) }

/// A text that has a number in it, in the form that the person's language has for that number, as ngettext(3) gives it.
///
/// - Parameters:
///   - count: the number, which `%1` stands for.
///   - one: the English text for 1.
///   - other: the English text for all other numbers.
///   - arguments: what `%2`, `%3` and so on stand for.
func translated(
    _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: String...
) -> String {
    filled(count == 1 ? "\(one)" : "\(other)", ["\(count)"] + arguments)
}

/// Puts the arguments into a text, in one pass: what they hold themselves is left as it is.
private func filled(_ text: String, _ arguments: [String]) -> String {
    var result = ""
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
        result += rest[..<percent]
        let digit = rest[rest.index(after: percent)...].first?.wholeNumberValue ?? 0
        if arguments.indices.contains(digit - 1) {
            result += arguments[digit - 1]
            rest = rest[percent...].dropFirst(2)
        } else {
            result += "%"
            rest = rest[percent...].dropFirst()
        }
    }
    return result + rest
}
