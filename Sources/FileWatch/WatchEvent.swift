public import SystemPackage

/// Names a registered folder towards the watcher; the caller chooses the values.
public struct FolderID: RawRepresentable, Hashable, Sendable {
    /// The caller's number.
    public let rawValue: UInt32

    /// Wraps the caller's number.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// What changed below one recursively watched folder since the last batch.
///
/// Paths are relative to the folder; the empty path is the folder itself.
public struct TreeChanges: Sendable, Equatable {
    /// The folder that the paths are relative to.
    public var folder: FolderID
    /// Directories to list again, each by itself and not what is below it. Sorted, without repetition.
    public var directories: [FilePath]
    /// Items that appeared, went, or changed in contents or attributes. None lies directly in one of `directories`.
    public var items: [FilePath]
    /// Everything in the folder may have changed; `directories` and `items` are empty then.
    public var overflow: Bool

    /// A batch of changes.
    public init(folder: FolderID, directories: [FilePath] = [], items: [FilePath] = [], overflow: Bool = false) {
        self.folder = folder
        self.directories = directories
        self.items = items
        self.overflow = overflow
    }
}

/// How many watches are in use, and which folders are not (or not wholly) watched.
public struct WatchStatus: Sendable, Equatable {
    /// Watch descriptors that this watcher holds.
    public var used: Int
    /// The most that the system gives to one user (`fs.inotify.max_user_watches`), shared with the user's other programs.
    public var limit: Int
    /// Folders that must be rescanned on a schedule: on a network or FUSE file system, or beyond the limit. Sorted.
    public var unreliable: [FolderID]

    /// A status.
    public init(used: Int = 0, limit: Int = 0, unreliable: [FolderID] = []) {
        self.used = used
        self.limit = limit
        self.unreliable = unreliable
    }
}

/// What the watcher reports, by ``FileWatcher/takeEvents()`` in the order in which it came to know.
public enum WatchEvent: Sendable, Equatable {
    /// Something changed below a folder that is watched recursively.
    case changed(TreeChanges)
    /// Every watch of the folder is in place for the first time: what changes from now on is reported.
    case established(FolderID)
    /// The root of the folder was missing and is a directory now. For a recursive folder `changed` with overflow follows.
    case rootAppeared(FolderID)
    /// The root of the folder was deleted, moved away or unmounted, or was never there when the folder was set.
    /// For a recursive folder that was established `changed` with overflow follows.
    case rootLost(FolderID)
    /// Something else stands at the root's path now. Another directory is watched in its place; for anything else
    /// the folder counts as missing until `rootAppeared`.
    case rootReplaced(FolderID, by: RootKind)
    /// An observed directory, named as it was observed, is watched from now on, for the first time or again. What
    /// vanished before is not reported: see ``FileWatcher/verify(_:_:)``.
    case observing(FilePath)
    /// An observed directory, named as it was observed, is gone, or something else is at its place. It stays observed.
    case directoryVanished(FilePath)
    /// At the place of an observed directory that had vanished, named as it was observed, a directory is again: the same
    /// one or another.
    case directoryReturned(FilePath)
    /// A link that was followed does not lead any more where it led; it is not followed any more.
    case linkChanged(FilePath)
    /// Items of an observed directory are gone (deleted or moved away) and have not come back.
    case itemsVanished(directory: FilePath, names: [FilePath.Component])
    /// Events of an observed directory were lost: these names are in it now, every other one has vanished.
    case itemsPresent(directory: FilePath, names: [FilePath.Component])
    /// The answer to ``FileWatcher/resolve(_:token:)``.
    case resolved(token: UInt64, PathResolution)
    /// The answer to ``FileWatcher/locate(_:token:)``: the paths without symbolic links that lead to the directory, first
    /// the one on the mount that the asked path leads to, then those on other mounts of the file system. None if there is
    /// no directory, or its file system does not answer. `links` are the symbolic links on the way.
    case located(token: UInt64, [FilePath], links: [PathAlias])
    /// The answer to ``FileWatcher/flush(_:token:)``: every change made before the request is in an event before this one.
    case flushed(token: UInt64)
    /// The use of watches, or the set of unreliable folders, changed.
    case status(WatchStatus)
}
