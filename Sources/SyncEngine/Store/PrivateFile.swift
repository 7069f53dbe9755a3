import Glibc
import SystemPackage

/// A file that another library opens and that only its owner may access: the database holds the names of private files.
enum PrivateFile {
    /// Creates an empty file at `path` if there is none, and removes other users' access from an existing one. SQLite
    /// gives the journal beside it the same permissions.
    ///
    /// Errors are ignored: opening the file reports what is wrong with the path.
    static func prepare(_ path: FilePath) {
        let raw = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600) }
        guard raw >= 0 else { return }
        let file = Descriptor(owning: raw)
        guard let status = try? file.status(), status.owner == geteuid(), status.mode & 0o077 != 0 else { return }
        try? file.setPermissions(0o600)
    }
}
