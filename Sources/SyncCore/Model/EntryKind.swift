/// The kind of a directory entry.
package enum EntryKind: UInt8, Hashable, Sendable {
    /// An ordinary file.
    case file = 0
    /// A directory.
    case directory = 1
    /// A symbolic link: not synced, which is shown.
    case symlink = 2
    /// A device, socket or pipe: not synced, which is shown.
    case special = 3
}
