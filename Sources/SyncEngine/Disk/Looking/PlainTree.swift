package import SyncCore
package import SystemPackage

/// A directory tree that no folder syncs yet: it is only looked at, and nothing of the engine's own is made there.
package struct PlainTree: Sendable {
    private let path: FilePath

    /// Opens nothing yet.
    package init(at path: FilePath) { self.path = path }

    /// The entries of a directory, without the engine's own. Their versions say nothing but the size.
    package func list(_ path: RelativePath) throws(EffectFailure) -> [ListedEntry] {
        try EffectFailure.attempt(path, on: .remote) { () throws(Errno) in
            let directory = try DirectoryHandle(absolute: self.path).directory(at: path)
            var entries: [ListedEntry] = []
            for name in try directory.names() where !ExcludePatterns.isOwn(RelativePath([name])) {
                do throws(Errno) {
                    let status = try directory.status(of: name)
                    let version = Version(identity: .none, tag: .none, size: Int64(clamping: status.size))
                    entries.append(ListedEntry(name: name, kind: status.kind, version: version))
                } catch .noSuchFileOrDirectory {
                    // It was removed after the names were read.
                }
            }
            return entries
        }
    }
}
