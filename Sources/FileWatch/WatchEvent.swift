public import SystemPackage

/// Identifies a registered folder; the caller chooses the values.
public struct FolderID: RawRepresentable, Hashable, Sendable {
    /// The caller's number.
    public let rawValue: UInt32

    /// Wraps the caller's number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// The changes below one recursively watched folder since the last batch.
///
/// Paths are relative to the folder; the empty path is the folder itself.
public struct TreeChanges: Sendable, Equatable {
    /// The folder that the paths are relative to.
    public var folder: FolderID
    /// Directories to list again, without their subdirectories. Sorted, without duplicates.
    public var directories: [FilePath]
    /// Items that appeared, disappeared, or changed in contents or attributes. None is directly in one of
    /// `directories`.
    public var items: [FilePath]
    /// Whether everything in the folder may have changed; `directories` and `items` are empty then.
    public var overflow: Bool

    /// Creates a batch of changes.
    public init(folder: FolderID, directories: [FilePath] = [], items: [FilePath] = [], overflow: Bool = false) {
        self.folder = folder
        self.directories = directories
        self.items = items
        self.overflow = overflow
    }
}

/// The number of watches in use, and the folders that are not, or not completely, watched.
public struct WatchStatus: Sendable, Equatable {
    /// Watch descriptors that this watcher holds.
    public var used: Int
    /// The maximum number of watches for one user (`fs.inotify.max_user_watches`), shared with the user's other
    /// programs.
    public var limit: Int
    /// Folders that must be rescanned on a schedule: on a network or FUSE file system, or beyond the limit. Sorted.
    public var unreliable: [FolderID]

    /// Creates a status.
    public init(used: Int = 0, limit: Int = 0, unreliable: [FolderID] = []) {
        self.used = used
        self.limit = limit
        self.unreliable = unreliable
    }
}

/// An event from the watcher; ``FileWatcher/takeEvents()`` returns them in the order in which they were detected.
public enum WatchEvent: Sendable, Equatable {
    /// Something changed below a folder that is watched recursively.
    case changed(TreeChanges)
    /// Every watch of the folder is in place for the first time: changes from now on are reported.
    case established(FolderID)
    /// The root of the folder was missing and is now a directory. For a recursive folder, `changed` with overflow
    /// follows.
    case rootAppeared(FolderID)
    /// The root of the folder was deleted, moved away or unmounted, or did not exist when the folder was set. For a
    /// recursive folder that was established, `changed` with overflow follows.
    case rootLost(FolderID)
    /// Another item is at the root's path now. Another directory is watched in its place; for anything else the folder
    /// counts as missing until `rootAppeared`.
    case rootReplaced(FolderID, by: RootKind)
    /// An observed directory, with the path used to observe it, is watched from now on, for the first time or again.
    /// Items that vanished before are not reported: see ``FileWatcher/verify(_:_:)``.
    case observing(FilePath)
    /// An observed directory, with the path used to observe it, is gone, or another item is at its place. It stays
    /// observed.
    case directoryVanished(FilePath)
    /// An observed directory that had vanished, with the path used to observe it, exists again: the same directory or
    /// another one.
    case directoryReturned(FilePath)
    /// A followed link no longer leads to its directory; it is not followed any more.
    case linkChanged(FilePath)
    /// Items of an observed directory were deleted or moved away, and have not come back.
    case itemsVanished(directory: FilePath, names: [FilePath.Component])
    /// Events of an observed directory were lost: these names exist in it now, and every other one has vanished.
    case itemsPresent(directory: FilePath, names: [FilePath.Component])
    /// The answer to ``FileWatcher/resolve(_:token:)``.
    case resolved(token: UInt64, PathResolution)
    /// The answer to ``FileWatcher/locate(_:token:)``: the paths without symbolic links that lead to the directory,
    /// first the one on the mount of the requested path, then those on other mounts of the file system. Empty if there
    /// is no directory, or its file system does not respond. `links` are the symbolic links on the way.
    case located(token: UInt64, [FilePath], links: [PathAlias])
    /// The answer to ``FileWatcher/flush(_:token:)``: every change made before the request is in an event before this one.
    case flushed(token: UInt64)
    /// The number of watches in use, or the set of unreliable folders, changed.
    case status(WatchStatus)
}
