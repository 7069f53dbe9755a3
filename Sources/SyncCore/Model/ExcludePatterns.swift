/// The names that are not synced.
///
/// Patterns are those of gitignore(5), matched against bytes: the last matching pattern decides, and one that begins
/// with `!` includes the entry again. A pattern without a `/` before its end is matched against the name at any depth,
/// any other against the path below the root. Everything below an excluded directory is excluded with it, whatever
/// matches there.
///
/// One difference: git lets the two asterisks in `a**/b` cross directories if nothing before them is a wildcard. Here
/// they count as one asterisk, as the manual says.
package struct ExcludePatterns: Hashable, Sendable {
    /// The patterns of this folder, in addition to the defaults.
    package let custom: [[UInt8]]
    /// Places below the root that are never synced, whatever the patterns say.
    package let guarded: Set<RelativePath>
    private let globs: [GlobPattern]
    private let hasPathPatterns: Bool

    /// Files that programs write only for themselves: editors' swap and backup files, partial downloads, locks. They
    /// come before a folder's own patterns, which can include them again.
    package static let defaults: [String] = [
        "*~", "~$*", ".~lock.*#", "*.part", "*.crdownload", ".*.sw?", ".*.swpx", "*.tmp", ".#*", ".nfs*",
        ".fuse_hidden*",
        ".directory", ".Trash-*", ".goutputstream-*", "lost+found", ".DS_Store", "Thumbs.db", "desktop.ini",
    ]

    /// Files that the sync engine writes for itself. No pattern includes these.
    package static let own: [String] = [".roundel", ".roundel-stage-*"]
    private static let ownGlobs = own.compactMap { GlobPattern(Array($0.utf8)) }

    /// Whether a path leads to, or into, the sync engine's own files.
    package static func isOwn(_ path: RelativePath) -> Bool {
        path.names.contains { name in ownGlobs.contains { $0.matches(name.bytes) } }
    }

    /// The defaults and these patterns. Invalid patterns match nothing.
    ///
    /// - Parameter guarded: Places below the root that no pattern includes.
    package init(_ custom: [[UInt8]] = [], guarding guarded: [RelativePath] = []) {
        self.custom = custom
        self.guarded = Set(guarded)
        globs = (Self.defaults.map { Array($0.utf8) } + custom).compactMap(GlobPattern.init)
        hasPathPatterns = globs.contains { $0.matchesWholePath }
    }

    /// Whether this is a valid pattern that can match something, not a comment or an unclosed bracket.
    package static func isPattern(_ text: [UInt8]) -> Bool {
        GlobPattern(text) != nil
    }

    /// Whether an entry itself is excluded, given that its directory is not.
    package func excludes(_ path: RelativePath, kind: EntryKind) -> Bool {
        guard let name = path.name else { return false }
        return excludes(name, in: path.parent, kind: kind)
    }

    /// Whether an entry of a directory itself is excluded.
    func excludes(_ name: EntryName, in directory: RelativePath, kind: EntryKind) -> Bool {
        if Self.ownGlobs.contains(where: { $0.matches(name.bytes) }) { return true }
        if !guarded.isEmpty && guarded.contains(directory.appending(name)) { return true }
        let joined =
            hasPathPatterns ? Array((directory.names + [name]).map(\.bytes).joined(separator: [0x2F])) : []
        let last = globs.last { glob in
            if glob.isDirectoryOnly && kind != .directory { return false }
            return glob.matches(glob.matchesWholePath ? joined : name.bytes)
        }
        return last.map { !$0.isNegated } ?? false
    }
}
