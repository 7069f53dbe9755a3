internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// How paths are shown to people.
enum ShownPath {
    /// The home directory of the user.
    private static let home = FilePath(getenv("HOME").map { String(cString: $0) } ?? "/")

    /// A path in short form: `~/Documents`.
    static func short(_ path: FilePath) -> String {
        guard !home.components.isEmpty, path != home, path.starts(with: home) else { return "\(path)" }
        return "~/" + path.components.dropFirst(home.components.count).map(\.string).joined(separator: "/")
    }

    /// A path, or the URI of one, as given by a caller, in short form.
    static func given(_ text: String) -> String { (try? ItemURI(text)).map { short($0.filePath) } ?? text }
}
