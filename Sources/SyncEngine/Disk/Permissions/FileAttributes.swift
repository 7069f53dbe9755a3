import CLinux
import Glibc
import SyncCore
import SystemPackage

/// What a file carries besides its contents and its mode: extended attributes, and its access control list.
///
/// Privileges that the kernel grants a program for its contents (`security.capability`) are never copied to other
/// contents.
enum FileAttributes {
    /// The access control list, as acl(5) describes it.
    static let accessList = "system.posix_acl_access"
    /// The system's labels for files; the new file's own label is as good.
    private static let labels: Set<String> = ["security.selinux", "security.SMACK64", "btrfs.compression"]
    /// The largest value of an extended attribute, and the largest list of names (xattr(7)).
    private static let longest = 65_536

    /// Gives `new` the attributes of `old`, and removes an access control list that `old` does not have.
    ///
    /// - Returns: The names of the attributes that could not be kept.
    static func copy(from old: Descriptor, to new: Descriptor) -> [String] {
        let names = names(of: old)
        if !names.contains(accessList) {
            // A directory may give new files in it a list of its own.
            _ = fremovexattr(new.raw, accessList)
        }
        return names.filter { name in
            guard let value = value(name, of: old) else { return !labels.contains(name) }
            let isKept = (try? new.setAttribute(name, to: value)) != nil
            return !isKept && !labels.contains(name)
        }
    }

    /// The names of a file's attributes that are copied. The file may be opened with `O_PATH`.
    static func names(of file: Descriptor) -> [String] {
        withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return [] }
            let length = listxattr(place(file), base.assumingMemoryBound(to: CChar.self), buffer.count)
            guard length > 0 else { return [] }
            return buffer.prefix(length).split(separator: 0).compactMap { bytes in
                guard let name = String(validating: bytes, as: UTF8.self) else { return nil }
                return name.hasPrefix("user.") || name == accessList || labels.contains(name) ? name : nil
            }
        }
    }

    private static func value(_ name: String, of file: Descriptor) -> [UInt8]? {
        withUnsafeTemporaryAllocation(byteCount: longest, alignment: 1) { buffer in
            let length = getxattr(place(file), name, buffer.baseAddress, buffer.count)
            return length < 0 ? nil : Array(buffer.prefix(length))
        }
    }

    private static func place(_ file: Descriptor) -> String { "/proc/self/fd/\(file.raw)" }

    /// The permissions of a file's group: with an access control list, the group's bits of the mode are the most that
    /// any of its entries grants.
    ///
    /// - Returns: Bits at the position of the group's (`0o070`); nil if no list differs from the mode.
    static func groupBits(of file: Descriptor) -> UInt32? {
        guard let list = value(accessList, of: file) else { return nil }
        return groupBits(inList: list)
    }

    /// The list begins with its version in four bytes; each entry has a tag and permissions of two bytes each, and an
    /// id of four.
    static func groupBits(inList list: [UInt8]) -> UInt32? {
        let group: UInt8 = 0x04
        for start in stride(from: 4, to: list.count - 7, by: 8) where list[start] == group && list[start + 1] == 0 {
            return UInt32(list[start + 2] & 7) << 3
        }
        return nil
    }
}
