import CLinux
import MountProtocol
import SyncCore

extension EntryKind {
    /// The kind in the mode that stat(2) gives.
    init(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .file
        case 0o040000: self = .directory
        case 0o120000: self = .symlink
        default: self = .special
        }
    }
}

/// The status of a file from statx(2). Times are nanoseconds since 1970 by the clock of the machine that stores the
/// file.
struct FileStatus: Sendable, Hashable {
    var kind: EntryKind
    var size: UInt64
    /// Bytes that the file system stores for it: less than its size if it has holes.
    var stored: UInt64
    var modified: Int64
    var changed: Int64
    /// 0 if the file system does not report it.
    var born: Int64
    var inode: UInt64
    var device: UInt64
    var mode: UInt32
    var links: UInt32
    var owner: UInt32
    var group: UInt32
    var isMountRoot: Bool
    /// Identifies the mount, also among several mounts of one file system; 0 if the kernel does not report it.
    var mount: UInt64
    /// What stands in the place of its contents; nil if they are here, or if that was not looked at.
    var placeholder: Placeholder?

    init(_ status: clinux_status) {
        kind = EntryKind(mode: status.mode)
        size = status.size
        stored = status.stored
        modified = status.modified
        changed = status.changed
        born = status.born
        inode = status.inode
        device = status.device
        mode = status.mode
        links = status.links
        owner = status.owner
        group = status.group
        isMountRoot = status.mount_root != 0
        mount = status.mount
    }

    /// The room that its contents take: holes take none.
    var room: UInt64 { min(size, stored) }

    /// Whether an entry can be renamed from one place to the other.
    func isOnSameMount(as other: FileStatus) -> Bool { mount == other.mount && device == other.device }

    /// Whether both describe the same contents of the same file. The time of the last status change is ignored, because
    /// the engine's own renames set it.
    func hasSameContents(as other: FileStatus) -> Bool {
        kind == other.kind && inode == other.inode && size == other.size && modified == other.modified
    }

    /// Whether neither contents nor permissions have changed since the other status.
    func isUntouched(since other: FileStatus) -> Bool { hasSameContents(as: other) && mode == other.mode }

    /// Whether both describe the same item: the same directory, or the same contents of anything else.
    func isSameItem(as other: FileStatus) -> Bool {
        kind == .directory ? other.kind == .directory && inode == other.inode : hasSameContents(as: other)
    }
}
