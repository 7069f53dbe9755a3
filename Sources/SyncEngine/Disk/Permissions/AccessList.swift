import CLinux
import Glibc
import SyncCore

/// The list of what the new files of a directory grant: its default access control list, as acl(5) describes it.
struct AccessList {
    /// Whom an entry is about, by its tag in the list.
    private enum Tag {
        static let owner: UInt8 = 0x01
        static let group: UInt8 = 0x04
        static let mask: UInt8 = 0x10
        static let others: UInt8 = 0x20
    }

    private static let name = "system.posix_acl_default"
    /// The largest value of an extended attribute (xattr(7)).
    private static let longest = 65_536
    private static let headLength = 4
    private static let entryLength = 8

    private let bytes: [UInt8]

    /// The list of a directory; nil if it has none.
    init?(defaultOf directory: Descriptor) {
        guard let value = try? directory.attribute(Self.name, limit: Self.longest),
            value.count >= Self.headLength + 3 * Self.entryLength
        else { return nil }
        bytes = value
    }

    private static func entries(of bytes: [UInt8]) -> StrideTo<Int> {
        stride(from: headLength, to: bytes.count - entryLength + 1, by: entryLength)
    }

    /// The list of a new file.
    struct Granted {
        let bytes: [UInt8]

        /// Gives it to an entry that cannot be opened. Where it cannot be, the file is as closed as its mode.
        func set(onEntry name: EntryName, of directory: DirectoryHandle) {
            let place = Array("/proc/self/fd/\(directory.descriptor.raw)/".utf8) + name.bytes + [0]
            place.withUnsafeBytes { path in
                guard let path = path.assumingMemoryBound(to: CChar.self).baseAddress else { return }
                _ = lsetxattr(path, FileAttributes.accessList, bytes, bytes.count, 0)
            }
        }
    }

    /// What a file would get if it were created in the directory with this mode. Without a mask the mode says it all.
    func granted(_ mode: UInt32) -> (mode: UInt32, list: Granted?) {
        var list = bytes
        let hasMask = Self.entries(of: list).contains { list[$0] == Tag.mask }
        var granted: UInt32 = 0
        for start in Self.entries(of: list) {
            let shift: UInt32
            switch list[start] {
            case Tag.owner: shift = 6
            // With a mask, that limits the group's entry, which stays as it is.
            case Tag.mask: shift = 3
            case Tag.group where !hasMask: shift = 3
            case Tag.others: shift = 0
            default: continue
            }
            let left = UInt32(list[start + 2]) & (mode >> shift) & 7
            list[start + 2] = UInt8(left)
            granted |= left << shift
        }
        return hasMask ? (granted & 0o707, Granted(bytes: list)) : (granted, nil)
    }
}
