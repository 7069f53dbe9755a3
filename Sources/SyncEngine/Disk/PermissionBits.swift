import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Whether a file system keeps the permission bits that it is given: FAT, many network mounts and programs show the
/// same ones for every file.
enum PermissionBits {
    /// Asked with a file made in `directory` for the purpose.
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

    /// What is to be expected where nothing can be tried out.
    static func areKept(on kind: DiskKind) -> Bool { kind == .local }
}

extension Descriptor {
    /// Sets the mode of what is open, which may be a mere place (`O_PATH`), its set-id and sticky bits included.
    func setMode(_ mode: UInt32) throws(Errno) {
        // fchmod(2) refuses a mere place; its entry in /proc leads to the item itself, never further.
        try SystemCall.value { chmod("/proc/self/fd/\(raw)", mode & 0o7777) }
    }
}
