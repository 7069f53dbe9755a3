package import SyncCore

/// A directory on a remote that the user has configured in rclone: `rclone:NAME:PATH`.
package struct RcloneLocation: Hashable, Sendable {
    /// Why a text is not a valid location.
    package enum Mistake: Error, Hashable, Sendable {
        /// The name is missing or invalid.
        case noName
        /// The path contains an invalid directory name.
        case badPath
    }

    /// The name of the remote, as `rclone listremotes` prints it, without the colon.
    package let remote: String
    /// The directories on the path.
    package let names: [EntryName]
    /// Whether the path begins at the root of the file system behind the remote; with SFTP, for example, it otherwise
    /// begins in the directory of the account.
    package let isAbsolute: Bool

    private static let scheme = "rclone:"

    /// Parses `rclone:NAME:PATH`. Options within the name (`NAME,option=value`) and remotes without a name are refused:
    /// they could contain passwords, and this text is stored and displayed.
    package init(_ text: String) throws(Mistake) {
        guard text.hasPrefix(Self.scheme) else { throw .noName }
        let rest = text.dropFirst(Self.scheme.count)
        guard let colon = rest.firstIndex(of: ":") else { throw .noName }
        let name = String(rest[..<colon])
        guard Self.isName(name) else { throw .noName }
        remote = name
        let path = rest[rest.index(after: colon)...]
        isAbsolute = path.hasPrefix("/")
        var names: [EntryName] = []
        for part in path.split(separator: "/") {
            guard let name = EntryName(String(part)) else { throw .badPath }
            names.append(name)
        }
        self.names = names
    }

    /// Whether rclone accepts the name for a remote (its documentation, section “Valid remote names”).
    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first != "-", first != " ", text.last != " " else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "_-.+@ ".unicodeScalars.contains(scalar)
        }
    }

    /// The canonical text of the location.
    package var text: String { Self.scheme + fileSystem() }

    /// rclone's notation for the place, or for a directory in it.
    package func fileSystem(_ path: RelativePath = .root) -> String {
        remote + ":" + (isAbsolute ? "/" : "") + (names + path.names).map(\.description).joined(separator: "/")
    }

    /// Whether one of the two contains or equals the other. Two remotes of rclone may refer to one place, which cannot
    /// be detected.
    package func overlaps(_ other: RcloneLocation) -> Bool {
        guard remote == other.remote else { return false }
        // It is unknown where a relative path begins.
        if isAbsolute != other.isAbsolute { return true }
        return names.starts(with: other.names) || other.names.starts(with: names)
    }
}
