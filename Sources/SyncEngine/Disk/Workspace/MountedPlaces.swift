import Glibc
import SyncCore
package import SystemPackage

/// The mounts, from `/proc/self/mountinfo` (proc_pid_mountinfo(5)): reading it does not access the mounted file
/// systems.
package enum MountedPlaces {
    /// One line of the table.
    package struct Mount: Hashable, Sendable {
        /// Identifies the file system: `major:minor`.
        package var device: String
        /// The directory of the file system that is mounted.
        package var root: FilePath
        /// The mount point.
        package var point: FilePath
    }

    /// Every mount, in the order of the table: the later of two at one place hides the earlier.
    package static func mounts() -> [Mount] {
        guard let text = try? text() else { return [] }
        return text.split(separator: UInt8(ascii: "\n")).compactMap(mount)
    }

    /// The places below a directory at which something is mounted.
    static func points(below path: FilePath) -> [RelativePath] {
        let all = mounts().map(\.point).filter { $0 != path && $0.starts(with: path) }
        let paths = all.compactMap { RelativePath(bytes: $0.bytes.dropFirst(path.bytes.count)) }
        return Set(paths).sorted { $0.names.count < $1.names.count }
    }

    /// The type of the file system of a mount, as `fuse.NAME` for one of another program; nil if there is no such mount.
    static func type(ofMount id: UInt64) -> String? {
        guard let text = try? text() else { return nil }
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "))
            guard let first = fields.first, UInt64(String(decoding: first, as: UTF8.self)) == id,
                let end = fields.firstIndex(of: [UInt8(ascii: "-")]), end + 1 < fields.count
            else { continue }
            return String(decoding: fields[end + 1], as: UTF8.self)
        }
        return nil
    }

    private static func text() throws(Errno) -> [UInt8] {
        let raw = try SystemCall.value { Glibc.open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC) }
        let file = Descriptor(owning: raw)
        return try file.readAll(limit: 64 << 20)
    }

    private static func mount(_ line: Array<UInt8>.SubSequence) -> Mount? {
        let fields = line.split(separator: UInt8(ascii: " "))
        guard fields.count > 4 else { return nil }
        return Mount(
            device: String(decoding: fields[2], as: UTF8.self), root: path(fields[3]), point: path(fields[4]))
    }

    /// Spaces, tabs, newlines and backslashes are written as three octal digits.
    private static func path(_ field: Array<UInt8>.SubSequence) -> FilePath {
        var bytes: [CChar] = []
        var rest = field
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3).compactMap { (48...55).contains($0) ? Int($0) - 48 : nil }
            if byte == UInt8(ascii: "\\") && digits.count == 3 {
                bytes.append(CChar(truncatingIfNeeded: digits[0] * 64 + digits[1] * 8 + digits[2]))
                rest = rest.dropFirst(3)
            } else {
                bytes.append(CChar(bitPattern: byte))
            }
        }
        return FilePath(platformString: bytes + [0])
    }
}
