internal import Glibc
internal import RoundelBus
internal import SystemPackage

/// The words of the worker: every text for a person stands in this folder, as a whole sentence with numbered arguments,
/// and goes through ``say(_:_:)``, where a translation can be looked up.
enum Words {
    /// A sentence with `%1$s`, `%2$s` and so on in it, which its arguments take the place of.
    static func say(_ sentence: String, _ arguments: String...) -> String { filled(sentence, arguments) }

    /// The sentence for this number, as ngettext(3) chooses it.
    static func say(_ one: String, _ other: String, _ count: Int, _ arguments: String...) -> String {
        filled(count == 1 ? one : other, arguments)
    }

    /// A number of items in words.
    static func items(_ count: Int) -> String { say("1 item", "%1$s items", count, "\(count)") }

    /// The home directory of whom the worker works for.
    private static let home = FilePath(getenv("HOME").map { String(cString: $0) } ?? "/")

    /// A path as a person writes it: `~/Documents`.
    static func path(_ path: FilePath) -> String {
        guard !home.components.isEmpty, path != home, path.starts(with: home) else { return "\(path)" }
        return "~/" + path.components.dropFirst(home.components.count).map(\.string).joined(separator: "/")
    }

    /// What a caller named, by a path or the URI of one, as a person writes it.
    static func name(_ text: String) -> String { (try? ItemURI(text)).map { path($0.filePath) } ?? text }

    /// A path as a shell takes it.
    static func word(_ path: FilePath) -> String {
        let shown = Self.path(path)
        let isPlain = shown.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-~".utf8.contains(byte)
        }
        if isPlain, !shown.dropFirst().contains("~") { return shown }
        return "'" + "\(path)".split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The time of day of a moment given in microseconds since 1970, as the person's clock shows it.
    static func clock(_ microseconds: Int64) -> String {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(parts.tm_hour) + ":" + two(parts.tm_min)
    }

    /// What is between the marks of arguments is taken as it is, and so are the arguments.
    static func filled(_ sentence: String, _ arguments: [String]) -> String {
        var text = ""
        var rest = Substring(sentence)
        while let mark = rest.firstIndex(of: "%") {
            text += rest[..<mark]
            let tail = rest[mark...].prefix(4)
            if tail.count == 4, tail.hasSuffix("$s"), let number = tail.dropFirst().first?.wholeNumberValue,
                arguments.indices.contains(number - 1)
            {
                text += arguments[number - 1]
                rest = rest[tail.endIndex...]
            } else {
                text += "%"
                rest = rest[rest.index(after: mark)...]
            }
        }
        return text + rest
    }
}
