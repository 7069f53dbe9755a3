import Glibc

/// The event masks that directories are watched with (inotify(7)).
///
/// IN_MODIFY is left out everywhere: a download of 10 GB is one event, when it is closed. So a file that is kept open,
/// or changed by truncate(2) on its path, is reported when it is next closed or touched.
enum WatchMask {
    /// A directory on the way to a root: only its own disappearance.
    static let itself = UInt32(IN_DELETE_SELF | IN_MOVE_SELF)
    /// A directory whose entries matter, but not their contents.
    static let names = itself | UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
    /// A directory of a recursively watched folder.
    static let everything = names | UInt32(IN_CLOSE_WRITE | IN_ATTRIB)
    /// Refuses items that are not directories, and ignores files that were deleted while open.
    static let flags = UInt32(IN_ONLYDIR | IN_EXCL_UNLINK)
    /// Keeps the events for which the directory is already watched.
    static let adding = UInt32(IN_MASK_ADD)
}
