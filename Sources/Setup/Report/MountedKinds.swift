internal import Support
internal import SystemPackage

/// Which kinds of file systems are mounted where, from the kernel's list. Nothing is asked of the places themselves: one
/// that does not answer would keep the report waiting.
package struct MountedKinds: Sendable {
    private let mounts: [(place: String, kind: String)]

    /// The mounts of this process.
    package static func ofThisComputer() -> MountedKinds {
        let bytes = (try? SmallFile.read("/proc/self/mountinfo", limit: 4 << 20)) ?? nil
        return MountedKinds(mountinfo: String(decoding: bytes ?? [], as: UTF8.self))
    }

    /// From the text of `/proc/self/mountinfo` (proc(5)).
    init(mountinfo: String) {
        mounts = mountinfo.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 4, let mark = fields.firstIndex(of: "-"), mark + 1 < fields.count else { return nil }
            return (Self.unescaped(fields[4]), String(fields[mark + 1]))
        }
    }

    /// The kind below a path; a later mount covers those before it.
    package func kind(of path: String) -> String {
        let holders = mounts.filter { path == $0.place || $0.place == "/" || path.hasPrefix($0.place + "/") }
        let deepest = holders.map(\.place.utf8.count).max()
        guard let kind = holders.last(where: { $0.place.utf8.count == deepest })?.kind else { return "unknown" }
        if Self.kinds.contains(kind) { return kind }
        return kind.hasPrefix("fuse") ? "fuse (other)" : "other"
    }

    /// Blanks and the like stand as `\040` there.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) })
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let kinds: Set = [
        "ext2", "ext3", "ext4", "btrfs", "xfs", "f2fs", "zfs", "bcachefs", "vfat", "exfat", "ntfs", "ntfs3", "fuseblk",
        "tmpfs",
        "overlay", "nfs", "nfs4", "cifs", "smb3", "9p", "ecryptfs", "virtiofs", "fuse.sshfs", "fuse.rclone",
        "fuse.gvfsd-fuse",
        "fuse.gocryptfs", "fuse.cryfs", "fuse.encfs", "fuse.mergerfs", "fuse.portal", "fuse.roundel",
        "fuse.roundel-mount",
    ]
}
