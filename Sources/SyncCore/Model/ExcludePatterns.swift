/// Which names are not synced.
///
/// A pattern is matched against bytes: `*` is any run of bytes without `/`, `?` one byte, `[a-z]` and `[!a-z]` one of a
/// set, `\` takes the next byte as it is. A pattern without `/` is matched against the name at any depth, one with `/`
/// against the path below the root (a leading `/` is dropped, `**` crosses directories). A trailing `/` means
/// directories alone. What is below an excluded directory is excluded with it.
public struct ExcludePatterns: Hashable, Sendable {
    /// The patterns of this folder, besides the defaults.
    public let custom: [[UInt8]]
    private let globs: [GlobPattern]
    private let hasPathPatterns: Bool

    /// Files that programs write for themselves alone: editors' swap and backup files, partial downloads, locks.
    public static let defaults: [String] = [
        "*~", "~$*", ".~lock.*#", "*.part", "*.crdownload", ".*.sw?", ".*.swpx", "*.tmp", ".#*", ".nfs*",
        ".fuse_hidden*",
        ".directory", ".Trash-*", ".goutputstream-*", "lost+found", ".DS_Store", "Thumbs.db", "desktop.ini",
        ".roundel", ".roundel-stage-*",
    ]

    /// The defaults and these patterns; nil entries cannot be: every byte sequence is a pattern.
    public init(_ custom: [[UInt8]] = []) {
        self.custom = custom
        globs = (Self.defaults.map { Array($0.utf8) } + custom).compactMap(GlobPattern.init)
        hasPathPatterns = globs.contains { $0.matchesWholePath }
    }

    /// Whether an entry is excluded by itself; its directory is known not to be.
    public func excludes(_ path: RelativePath, kind: EntryKind) -> Bool {
        guard let name = path.name else { return false }
        let joined = hasPathPatterns ? Array(path.names.map(\.bytes).joined(separator: [0x2F])) : []
        return globs.contains { glob in
            if glob.isDirectoryOnly && kind != .directory { return false }
            return glob.matches(glob.matchesWholePath ? joined : name.bytes)
        }
    }
}
