import SyncCore
import SystemPackage

/// What was seen of an item: the names, kinds, sizes and dates of everything in it, as one sum, in any order.
struct ItemSum: Equatable {
    private var value = 0

    /// What the engine writes for itself, and what is neither a file, a directory nor a symbolic link, does not count.
    ///
    /// - Parameter path: From the item on.
    mutating func add(_ path: RelativePath, _ status: FileStatus) {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(status.kind)
        switch status.kind {
        // The entries of a directory tell more than its date.
        case .directory: break
        case .file, .symlink:
            hasher.combine(status.size)
            hasher.combine(status.modified)
        case .special: return
        }
        value &+= hasher.finalize()
    }

    /// Adds an item with everything in it, as it is now.
    mutating func add(_ name: EntryName, of parent: DirectoryHandle, at path: RelativePath) throws(Errno) {
        let status = try parent.status(of: name)
        add(path, status)
        guard status.kind == .directory else { return }
        let inside = try parent.directory(at: RelativePath([name]))
        for entry in try inside.names() where !ExcludePatterns.isOwn(RelativePath([entry])) {
            try add(entry, of: inside, at: path.appending(entry))
        }
    }
}

/// The original of a copy that is durable, which may go unless somebody has changed it since.
struct CopiedOriginal {
    let name: EntryName
    let parent: DirectoryHandle
    /// The path of the item that the sum begins with.
    let shown: RelativePath
    /// What was copied.
    let copied: ItemSum

    /// Puts the original into the trash. It is looked at there, where no program finds it any more by its path, and comes
    /// back if it is not what was copied.
    ///
    /// - Returns: Whether it is in the trash.
    func moveToTrash(dataHome: FilePath) -> Bool {
        guard let place = parent.place else { return false }
        do throws(Errno) {
            let trash = try DesktopTrash(for: parent, at: place, dataHome: dataHome)
            let trashed = try trash.take(
                name, from: parent, path: RelativePath([name]), date: Moment.now.unixSeconds, isOwn: false)
            var now = ItemSum()
            if (try? now.add(trashed, of: trash.files, at: shown)) != nil, now == copied { return true }
            try trash.restore(trashed, to: name, in: parent)
        } catch {
            // It could not be taken, or another item has its place by now and it is safe in the trash.
        }
        return false
    }
}
