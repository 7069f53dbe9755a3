import Glibc
import Support
import SystemPackage

/// The file of variables that the person's sessions begin with, as environment.d(5) describes it.
struct SessionVariables: Sendable, Equatable {
    /// Which directory each variable names, besides whatever else it holds.
    var directories: [String: FilePath] = [:]

    private static let heading =
        "# Written by `roundel setup`, and taken away by `roundel setup --remove`: where file managers find its plugins.\n"

    /// Where the file is; nil without a home.
    static func file(_ environment: (String) -> String?) -> FilePath? {
        configuration(environment)?.appending("environment.d").appending("60-roundel.conf")
    }

    /// The person's directory of settings; nil without a home.
    static func configuration(_ environment: (String) -> String?) -> FilePath? {
        BaseDirectories { name in environment(name).map { Array($0.utf8) } }.configuration
    }

    /// Whether a session's programs get these variables: the desktops that hand on what the user manager of systemd
    /// has. The others start their programs with what the display manager gave them, which does not read the file.
    static func reachPrograms(ofDesktop desktop: String?, hasUserManager: Bool) -> Bool {
        hasUserManager && (desktop ?? "").split(separator: ":").contains { ["GNOME", "KDE"].contains($0) }
    }

    /// Whether a directory can stand in the file and in a list of directories: nothing in it has a meaning there.
    static func canHold(_ directory: FilePath) -> Bool {
        directory.string.utf8.elementsEqual(directory.bytes)
            && directory.bytes.allSatisfy { byte in
                byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                    || "/._-+@ ".utf8.contains(byte)
            }
    }

    var text: String {
        directories.sorted { $0.key < $1.key }.reduce(SessionVariables.heading) { text, entry in
            text + "\(entry.key)=\"${\(entry.key):+$\(entry.key):}\(entry.value.string)\"\n"
        }
    }

    init() {}

    /// Reads the text that ``text`` gives; nil for every other.
    init?(_ text: String) {
        guard text.hasPrefix(SessionVariables.heading) else { return nil }
        for line in text.dropFirst(SessionVariables.heading.count).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let end = parts[1].firstIndex(of: "}"), parts[1].hasSuffix("\"") else { return nil }
            directories[String(parts[0])] = FilePath(String(parts[1][parts[1].index(after: end)...].dropLast()))
        }
    }
}

extension SessionVariables {
    /// What the file says now; empty where there is none.
    /// - Throws: ``CommandFailure`` where the file is somebody else's.
    static func read(_ file: FilePath) throws -> SessionVariables {
        let contents = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) }
        guard let contents else { return SessionVariables() }
        guard let variables = SessionVariables(contents) else {
            throw CommandFailure(Text.foreignVariables(DisplayText.decoding(file.bytes)))
        }
        return variables
    }

    /// Makes the file say this; without variables there is none.
    /// - Throws: ``CommandFailure``.
    func write(_ file: FilePath) throws {
        guard !directories.isEmpty else { return try OwnFiles.remove(file) }
        try OwnFiles.write(text, to: file)
    }
}
