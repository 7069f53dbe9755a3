internal import Support
package import SystemPackage

/// The file of environment variables for the user's sessions, see environment.d(5).
package struct SessionVariables: Sendable, Equatable {
    /// The directory that is added to each variable.
    package internal(set) var directories: [String: FilePath] = [:]

    private static let heading =
        "# Written by `roundel setup`, and taken away by `roundel setup --remove`: where file managers find its plugins.\n"

    /// The path of the file; nil without a home directory.
    static func file(_ environment: (String) -> String?) -> FilePath? {
        configuration(environment)?.appending("environment.d").appending("60-roundel.conf")
    }

    /// The user's configuration directory; nil without a home directory.
    static func configuration(_ environment: (String) -> String?) -> FilePath? {
        BaseDirectories { name in environment(name).map { Array($0.utf8) } }.configuration
    }

    /// Whether programs of a session get these variables, as on desktops that pass on the environment of the systemd
    /// user manager. Other desktops start programs with the environment from the display manager, which does not read
    /// the file.
    static func reachPrograms(ofDesktop desktop: String?, hasUserManager: Bool) -> Bool {
        hasUserManager && (desktop ?? "").split(separator: ":").contains { ["GNOME", "KDE"].contains($0) }
    }

    /// Whether a directory can be written to the file and to a list of directories: it contains no characters with a
    /// special meaning there.
    static func canHold(_ directory: FilePath) -> Bool {
        // A path that is not UTF-8 has no such text.
        String(validating: directory)?.utf8.allSatisfy { byte in
            byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || "/._-+@ ".utf8.contains(byte)
        } ?? false
    }

    var text: String {
        directories.sorted { $0.key < $1.key }.reduce(SessionVariables.heading) { text, entry in
            text + "\(entry.key)=\"${\(entry.key):+$\(entry.key):}\(entry.value.string)\"\n"
        }
    }

    init() {}

    /// Parses the text that ``text`` returns; nil for any other text.
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
    /// Reads the file; empty if it does not exist.
    /// - Throws: ``SetupFailure/foreignVariables(_:)`` if this program did not write the file.
    static func read(_ file: FilePath) throws(SetupFailure) -> SessionVariables {
        let contents = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) }
        guard let contents else { return SessionVariables() }
        guard let variables = SessionVariables(contents) else {
            throw .foreignVariables(file)
        }
        return variables
    }

    /// Writes the file; without variables, removes it.
    /// - Throws: ``SetupFailure``.
    func write(_ file: FilePath) throws(SetupFailure) {
        guard !directories.isEmpty else { return try OwnFiles.remove(file) }
        try OwnFiles.write(text, to: file)
    }
}
