internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// Finds the placeholders in a directory that keeps contents, and removes them. It blocks.
///
/// A file that was emptied or written since it was a placeholder has another size than its mark says: what it holds is
/// all there is of it, and it stays.
///
/// Whoever relies on there being none must not be told so by mistake: what cannot be looked through is an error. Only
/// what is gone meanwhile is not.
struct PlaceholderSweep {
    private let root: FilePath

    init(_ root: FilePath) { self.root = root }

    /// How many placeholders there are; looks no further after so many.
    ///
    /// - Throws: The error of the system; `EBADMSG` for a mark that this program does not write.
    func count(atMost limit: Int) throws(Errno) -> Int {
        var found = 0
        let top = try SweptDirectory(root)
        _ = try walk(top, seenAs: top) { _, _ throws(Errno) in
            found += 1
            return found < limit
        } emptied: { _, _ throws(Errno) in
        }
        return found
    }

    /// Removes all placeholders, and the directories that hold nothing but those; returns how many placeholders there
    /// were.
    ///
    /// - Parameter folder: Where the directory is mounted now; nil if it is not.
    /// - Throws: As ``count(atMost:)``. What was removed until then is gone.
    func remove(seenAt folder: FilePath? = nil) throws(Errno) -> Int {
        var removed = 0
        let top = try SweptDirectory(root)
        let seen: SweptDirectory
        if let folder { seen = try SweptDirectory(folder) } else { seen = top }
        _ = try walk(top, seenAs: seen) { directory, name throws(Errno) in
            if try directory.remove(name, isDirectory: false) { removed += 1 }
            return true
        } emptied: { directory, name throws(Errno) in
            _ = try directory.remove(name, isDirectory: true)
        }
        return removed
    }

    /// - Parameters:
    ///   - seen: The same directory where it is mounted; `directory` itself if it is not.
    ///   - body: Is told each placeholder; false ends the walk.
    ///   - emptied: Is told each directory in which there was a placeholder, after what is in it.
    private func walk(
        _ directory: SweptDirectory, seenAs seen: SweptDirectory,
        _ body: (SweptDirectory, FilePath) throws(Errno) -> Bool,
        emptied: (SweptDirectory, FilePath) throws(Errno) -> Void
    ) throws(Errno) -> (goesOn: Bool, hadAny: Bool) {
        var hadAny = false
        for name in try directory.names() {
            guard let status = try directory.status(name) else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard let below = try walkBelow(name, directory, seenAs: seen, body, emptied: emptied) else { continue }
                hadAny = hadAny || below.hadAny
                if !below.goesOn { return (false, hadAny) }
                if below.hadAny { try emptied(seen, name) }
            case S_IFREG:
                guard let mark = try directory.mark(name, status) else { continue }
                guard mark.placeholder(ofSize: UInt64(clamping: status.st_size)) != nil else {
                    try directory.removeMark(name, status)
                    continue
                }
                hadAny = true
                if try !body(seen, name) { return (false, true) }
            case _: continue
            }
        }
        return (true, hadAny)
    }

    /// Nil if the directory is gone.
    private func walkBelow(
        _ name: FilePath, _ directory: SweptDirectory, seenAs seen: SweptDirectory,
        _ body: (SweptDirectory, FilePath) throws(Errno) -> Bool,
        emptied: (SweptDirectory, FilePath) throws(Errno) -> Void
    ) throws(Errno) -> (goesOn: Bool, hadAny: Bool)? {
        guard let below = try directory.directory(name) else { return nil }
        if seen === directory { return try walk(below, seenAs: below, body, emptied: emptied) }
        guard let seenBelow = try seen.directory(name) else { return nil }
        return try walk(below, seenAs: seenBelow, body, emptied: emptied)
    }
}
