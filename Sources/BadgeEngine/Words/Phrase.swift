/// Makes sentences from the patterns of ``Texts``. A pattern is a whole sentence, as a catalogue of gettext holds it; the
/// one place where a translation would be looked up.
enum Phrase {
    /// A pattern with `{1}`, `{2}` and so on replaced by the arguments.
    static func text(_ pattern: String, _ arguments: String...) -> String { filled(pattern, arguments) }

    /// One of two patterns, as a number wants it, which is `{1}`; the arguments follow.
    static func counted(_ count: Int, one: String, other: String, _ arguments: String...) -> String {
        filled(count == 1 ? one : other, ["\(count)"] + arguments)
    }

    private static func filled(_ pattern: String, _ arguments: [String]) -> String {
        var result = ""
        var rest = pattern[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            // What an argument holds is not looked at again.
            if let number = Int(rest[rest.index(after: open)..<close]), arguments.indices.contains(number - 1) {
                result += arguments[number - 1]
            } else {
                result += rest[open...close]
            }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
