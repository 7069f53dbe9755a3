import Glibc
import SystemPackage

/// A file that another library opens and that is for its owner alone: the database holds the names of private files.
enum PrivateFile {
    /// Makes an empty file at `path` if there is none, and closes one that is open to others. SQLite gives the journal
    /// beside it the same permissions.
    ///
    /// What is wrong with the path is told by whoever opens it next.
    static func prepare(_ path: FilePath) {
        let raw = path.withPlatformString { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600) }
        guard raw >= 0 else { return }
        let file = Descriptor(owning: raw)
        guard let status = try? file.status(), status.owner == geteuid(), status.mode & 0o077 != 0 else { return }
        try? file.setPermissions(0o600)
    }
}
