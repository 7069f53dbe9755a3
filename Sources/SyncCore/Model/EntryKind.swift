/// What an entry of a directory is.
package enum EntryKind: UInt8, Hashable, Sendable {
    /// An ordinary file.
    case file = 0
    /// A directory.
    case directory = 1
    /// A symbolic link: not synced, and said so.
    case symlink = 2
    /// A device, socket or pipe: not synced, and said so.
    case special = 3
}
