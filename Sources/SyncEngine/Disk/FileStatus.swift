import CLinux
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

/// The status of a file, as statx(2) gives it. Times are nanoseconds since 1970 by the clock of the machine that
/// keeps the file.
struct FileStatus: Sendable, Hashable {
    var kind: EntryKind
    var size: UInt64
    /// Bytes that the file system keeps for it: fewer than its size where it has holes.
    var stored: UInt64
    var modified: Int64
    var changed: Int64
    /// 0 where the file system does not tell.
    var born: Int64
    var inode: UInt64
    var device: UInt64
    var mode: UInt32
    var links: UInt32
    var owner: UInt32
    var group: UInt32
    var isMountRoot: Bool
    /// Tells mounts apart, several of one file system as well; 0 where the kernel does not tell.
    var mount: UInt64

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

    /// Whether an entry can be renamed from the place of one to that of the other.
    func isOnSameMount(as other: FileStatus) -> Bool { mount == other.mount && device == other.device }

    /// Whether both describe the same contents of the same file. The time of the last status change is left out,
    /// because a rename of our own sets it.
    func hasSameContents(as other: FileStatus) -> Bool {
        kind == other.kind && inode == other.inode && size == other.size && modified == other.modified
    }

    /// Whether nobody changed what the other status describes since, neither its contents nor who may do what with it.
    func isUntouched(since other: FileStatus) -> Bool { hasSameContents(as: other) && mode == other.mode }

    /// Whether both describe the same item: of a directory itself, of anything else the same contents.
    func isSameItem(as other: FileStatus) -> Bool {
        kind == .directory ? other.kind == .directory && inode == other.inode : hasSameContents(as: other)
    }
}
