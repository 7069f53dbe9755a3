import SyncCore
import SystemPackage

/// Opens a folder's database, or makes a new one in the place of a damaged one.
enum StoreFile {
    /// The store at `path`, and the sentence to say if the database there had to be set aside.
    ///
    /// Nothing is lost with a database but the knowledge of what was synced: the session finds no base, compares both
    /// sides anew and deletes nothing.
    static func open(_ path: FilePath) throws -> (store: SQLiteStore, warning: String?) {
        do {
            return (try SQLiteStore(path: path), nil)
        } catch let failure as StoreFailure {
            try setAside(path)
            return (try SQLiteStore(path: path), failure.description)
        }
    }

    /// Renames a damaged database and its journal, so that it can be looked into.
    private static func setAside(_ path: FilePath) throws {
        let directory = try DirectoryHandle.creating(absolute: path.removingLastComponent())
        for suffix in ["", "-wal", "-shm"] {
            if let from = name(of: path, suffix), let to = name(of: path, ".damaged" + suffix) {
                // The journal need not be there.
                try? directory.rename(from, to: to, in: directory)
            }
        }
    }

    private static func name(of path: FilePath, _ suffix: String) -> EntryName? {
        path.lastName.flatMap { EntryName($0.bytes + Array(suffix.utf8)) }
    }
}
