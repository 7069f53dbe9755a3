/// Which names are not synced.
///
/// Patterns are those of gitignore(5), matched against bytes: the last one that matches decides, and one that begins with
/// `!` takes a match back. A pattern without a `/` before its end is matched against the name at any depth, another one
/// against the path below the root. What is below an excluded directory is excluded with it, whatever matches there.
///
/// One difference: git lets the two asterisks in `a**/b` cross directories where nothing before them is a wildcard. Here
/// they are one asterisk, as the manual has it.
package struct ExcludePatterns: Hashable, Sendable {
    /// The patterns of this folder, besides the defaults.
    package let custom: [[UInt8]]
    private let globs: [GlobPattern]
    private let hasPathPatterns: Bool

    /// Files that programs write for themselves alone: editors' swap and backup files, partial downloads, locks. They come
    /// before a folder's own patterns, which can take them back.
    package static let defaults: [String] = [
        "*~", "~$*", ".~lock.*#", "*.part", "*.crdownload", ".*.sw?", ".*.swpx", "*.tmp", ".#*", ".nfs*",
        ".fuse_hidden*",
        ".directory", ".Trash-*", ".goutputstream-*", "lost+found", ".DS_Store", "Thumbs.db", "desktop.ini",
    ]

    /// What the sync engine writes for itself. No pattern takes these back.
    package static let own: [String] = [".roundel", ".roundel-stage-*"]
    private static let ownGlobs = own.compactMap { GlobPattern(Array($0.utf8)) }

    /// Whether a path leads to something that the sync engine keeps for itself, or into it.
    static func isOwn(_ path: RelativePath) -> Bool {
        path.names.contains { name in ownGlobs.contains { $0.matches(name.bytes) } }
    }

    /// The defaults and these patterns. What is no pattern matches nothing.
    package init(_ custom: [[UInt8]] = []) {
        self.custom = custom
        globs = (Self.defaults.map { Array($0.utf8) } + custom).compactMap(GlobPattern.init)
        hasPathPatterns = globs.contains { $0.matchesWholePath }
    }

    /// Whether this is a pattern that can match something, and not a comment, or one without an end.
    package static func isPattern(_ text: [UInt8]) -> Bool {
        GlobPattern(text) != nil
    }

    /// Whether an entry is excluded by itself; its directory is known not to be.
    package func excludes(_ path: RelativePath, kind: EntryKind) -> Bool {
        guard let name = path.name else { return false }
        return excludes(name, in: path.parent, kind: kind)
    }

    /// Whether an entry of a directory is excluded by itself.
    func excludes(_ name: EntryName, in directory: RelativePath, kind: EntryKind) -> Bool {
        if Self.ownGlobs.contains(where: { $0.matches(name.bytes) }) { return true }
        let joined =
            hasPathPatterns ? Array((directory.names + [name]).map(\.bytes).joined(separator: [0x2F])) : []
        let last = globs.last { glob in
            if glob.isDirectoryOnly && kind != .directory { return false }
            return glob.matches(glob.matchesWholePath ? joined : name.bytes)
        }
        return last.map { !$0.isNegated } ?? false
    }
}
