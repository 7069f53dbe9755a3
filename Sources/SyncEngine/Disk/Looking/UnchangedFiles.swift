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
    /// trash do not count. What cannot be looked at or into counts as a file.
    package func remaining(naming limit: Int) -> (count: Int, first: [RelativePath]) {
        var (count, first): (Int, [RelativePath]) = (0, [])
        func add(_ path: RelativePath) {
            count += 1
            if first.count < limit { first.append(path) }
        }
        // One directory is open at a time, however many there are.
        var directories = [RelativePath.root]
        while let path = directories.popLast() {
            do throws(Errno) {
                let (files, below) = try content(of: path)
                for file in files { add(file) }
                directories += below.reversed()
            } catch {
                if error != .noSuchFileOrDirectory { add(path) }
            }
        }
        return (count, first)
    }

    /// The files and directories in a directory, sorted by name.
    private func content(of path: RelativePath) throws(Errno) -> (files: [RelativePath], directories: [RelativePath]) {
        var (files, directories): ([RelativePath], [RelativePath]) = ([], [])
        let directory = try root.directory(at: path)
        for name in try directory.names().sorted() where !Self.isOfNobody(name) {
            let item = path.appending(name)
            do throws(Errno) {
                switch try directory.plainStatus(of: name).kind {
                case .file: files.append(item)
                case .directory: directories.append(item)
                case .symlink, .special: break
                }
            } catch {
                if error != .noSuchFileOrDirectory { files.append(item) }
            }
        }
        return (files, directories)
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
