import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Whether a file system stores the permission bits that are set: FAT, many network mounts and FUSE programs show the
/// same ones for every file.
enum PermissionBits {
    /// Tries it out with a temporary file in `directory`.
    static func areKept(in directory: DirectoryHandle, name: EntryName) -> Bool {
        guard let file = try? directory.open(name, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600) else {
            return false
        }
        defer { try? directory.removeFile(name) }
        let samples: [UInt32] = [0o600, 0o755, 0o440]
        return samples.allSatisfy { mode in
            guard (try? file.setPermissions(mode)) != nil, let status = try? file.status() else { return false }
            return status.mode & 0o777 == mode
        }
    }

    /// The usual answer, for when it cannot be tried out.
    static func areKept(on kind: DiskKind) -> Bool { kind.isLocal }
}

extension Descriptor {
    /// Sets the mode of an open item, including set-id and sticky bits. The item may be opened with `O_PATH`.
    func setMode(_ mode: UInt32) throws(Errno) {
        // fchmod(2) refuses a descriptor opened with `O_PATH`; its entry in /proc leads to the item itself, never
        // further.
        try SystemCall.value { chmod("/proc/self/fd/\(raw)", mode & 0o7777) }
    }
}
