package import SyncCore
package import SystemPackage

/// Removes what is below a directory and still as it was when it was looked at. No symbolic link is followed, so
/// nothing outside is removed. It blocks.
package struct UnchangedFiles {
    private let root: DirectoryHandle

    /// - Throws: The error of the system if the directory cannot be opened.
    package init(below root: FilePath) throws(Errno) { self.root = try DirectoryHandle(absolute: root) }

    /// Removes a file that still has this tag; gives whether it is gone. One that was changed stays, also if its size
    /// and time of modification are as before.
    package func remove(_ path: RelativePath, tag: Token) -> Bool {
        do throws(Errno) {
            let (parent, name) = try root.parent(of: path)
            let status = try parent.plainStatus(of: name)
            guard status.kind == .file, FileVersions.tag(of: status) == tag else { return false }
            try parent.removeFile(name)
            return true
        } catch {
            return false
        }
    }

    /// How many files there are, and the paths of the first of them. What Roundel keeps for itself and the desktop's
    /// trash do not count, and neither does what cannot be looked into.
    package func remaining(naming limit: Int) -> (count: Int, first: [RelativePath]) {
        var (count, first): (Int, [RelativePath]) = (0, [])
        var directories: [(DirectoryHandle, RelativePath)] = [(root, .root)]
        while let (directory, path) = directories.popLast() {
            var below: [(DirectoryHandle, RelativePath)] = []
            for name in ((try? directory.names()) ?? []).sorted() where !Self.isOfNobody(name) {
                let item = path.appending(name)
                switch (try? directory.plainStatus(of: name))?.kind {
                case .file:
                    count += 1
                    if first.count < limit { first.append(item) }
                case .directory:
                    if let inside = try? directory.directory(at: RelativePath([name])) { below.append((inside, item)) }
                case .symlink, .special, nil: break
                }
            }
            directories += below.reversed()
        }
        return (count, first)
    }

    private static func isOfNobody(_ name: EntryName) -> Bool {
        name == DesktopTrash.ownName || ExcludePatterns.isOwn(RelativePath([name]))
    }

    /// Removes a directory that holds nothing; gives whether it is gone.
    package func removeDirectory(_ path: RelativePath) -> Bool {
        do throws(Errno) {
            let (parent, name) = try root.parent(of: path)
            try parent.removeDirectory(name)
            return true
        } catch {
            return false
        }
    }
}
