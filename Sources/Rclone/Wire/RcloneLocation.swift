package import SyncCore

/// A directory of a remote that the person has configured in rclone: `rclone:NAME:PATH`.
package struct RcloneLocation: Hashable, Sendable {
    /// Why a text is no such place.
    package enum Mistake: Error, Hashable, Sendable {
        /// No name is given, or what stands there is none.
        case noName
        /// The path has a part that is no name of a directory.
        case badPath
    }

    /// The name of the remote, as `rclone listremotes` has it without the colon.
    package let remote: String
    /// The directories that lead to the place.
    package let names: [EntryName]
    /// Whether the path begins at the root of the file system behind the remote; SFTP, for one, otherwise begins in the
    /// directory of the account.
    package let isAbsolute: Bool

    private static let scheme = "rclone:"

    /// Reads `rclone:NAME:PATH`. Options within the name (`NAME,option=value`) and remotes without a name are refused:
    /// passwords would stand in them, and this text is kept and shown.
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

    /// What rclone takes for the name of a remote (its documentation, section “Valid remote names”).
    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first != "-", first != " ", text.last != " " else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || "_-.+@ ".unicodeScalars.contains(scalar)
        }
    }

    /// The place as it is written, in its canonical form.
    package var text: String { Self.scheme + fileSystem() }

    /// What rclone is told of the place, or of a directory in it.
    package func fileSystem(_ path: RelativePath = .root) -> String {
        remote + ":" + (isAbsolute ? "/" : "") + (names + path.names).map(\.description).joined(separator: "/")
    }

    /// Whether one of the two is the other, or lies in it. Two remotes of rclone may lead to one place; nobody can tell.
    package func overlaps(_ other: RcloneLocation) -> Bool {
        guard remote == other.remote else { return false }
        // Where a relative path begins is not known.
        if isAbsolute != other.isAbsolute { return true }
        return names.starts(with: other.names) || other.names.starts(with: names)
    }
}
