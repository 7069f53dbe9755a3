internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The texts of the worker. All texts for users are in this directory, except those that a kind of remote says in its
/// own terms. They are whole sentences with numbered arguments, and pass through ``Phrase.text(_:_:)``, which could look
/// up a translation.
enum Words {
    /// A number of items in words.
    static func items(_ count: Int) -> String { Phrase.counted(count, one: "1 item", other: "{1} items") }

    /// The home directory of the user.
    private static let home = FilePath(getenv("HOME").map { String(cString: $0) } ?? "/")

    /// A path in short form: `~/Documents`.
    static func path(_ path: FilePath) -> String {
        guard !home.components.isEmpty, path != home, path.starts(with: home) else { return "\(path)" }
        return "~/" + path.components.dropFirst(home.components.count).map(\.string).joined(separator: "/")
    }

    /// A path, or the URI of one, as given by a caller, in short form.
    static func name(_ text: String) -> String { (try? ItemURI(text)).map { path($0.filePath) } ?? text }

    /// A path as a word in a shell command.
    static func word(_ path: FilePath) -> String {
        let shown = Self.path(path)
        let isPlain = shown.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-~".utf8.contains(byte)
        }
        if isPlain, !shown.dropFirst().contains("~") { return shown }
        return "'" + "\(path)".split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// The local time of day of a moment given in microseconds since 1970.
    static func clock(_ microseconds: Int64) -> String {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        localtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return two(parts.tm_hour) + ":" + two(parts.tm_min)
    }
}
