import CLinux
import Glibc
package import SyncCore
package import SystemPackage

/// Facts about an item that the file system knows and the trees do not store.
package struct ItemFacts: Hashable, Sendable {
    /// When a program last read the contents of a file, in microseconds since 1970. Nil for directories, which every
    /// listing reads, and if the file system does not record it.
    package var accessed: Int64?
    /// The tags in `user.xdg.tags`, in order. Tags that are not UTF-8 are left out.
    package var tags: [String] = []

    /// Reads the facts of an item below a directory, without following symbolic links; nil if it does not exist.
    ///
    /// Blocks as long as the file system does.
    package static func read(_ path: RelativePath, below root: FilePath) -> ItemFacts? {
        guard let item = try? DirectoryHandle(absolute: root).open(path, CLINUX_O_PATH | O_NOFOLLOW) else {
            return nil
        }
        return ItemFacts(accessed: accessTime(of: item), tags: tags(of: item))
    }

    private init(accessed: Int64?, tags: [String]) {
        self.accessed = accessed
        self.tags = tags
    }

    private static func accessTime(of item: Descriptor) -> Int64? {
        var status = stat()
        var fileSystem = statvfs()
        guard fstat(item.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            fstatvfs(item.raw, &fileSystem) == 0, fileSystem.f_flag & CLINUX_ST_NOATIME == 0
        else { return nil }
        return Int64(status.st_atim.tv_sec) * 1_000_000 + Int64(status.st_atim.tv_nsec) / 1000
    }

    /// The largest value of an extended attribute (xattr(7)).
    private static let longestValue = 65_536

    private static func tags(of item: Descriptor) -> [String] {
        var value = [UInt8](repeating: 0, count: longestValue)
        // fgetxattr(2) refuses a descriptor opened with `O_PATH`; its entry in /proc leads to the item itself, never
        // further.
        let length = getxattr("/proc/self/fd/\(item.raw)", "user.xdg.tags", &value, value.count)
        guard length > 0 else { return [] }
        return value.prefix(length).split(separator: UInt8(ascii: ",")).compactMap { part in
            guard let text = String(validating: part, as: UTF8.self), !part.contains(0) else { return nil }
            let tag = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            return tag.isEmpty ? nil : String(tag)
        }
    }
}
