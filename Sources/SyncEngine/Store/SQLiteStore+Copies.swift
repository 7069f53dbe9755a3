import GRDB
import SyncCore

extension SQLiteStore {
    /// A store in memory with everything that this one has committed, like a backup of the database.
    package func backup() throws -> SQLiteStore {
        try rollBack()
        let copy = try SQLiteStore(inMemory: ())
        try read { source in try copy.read { try source.backup(to: $0) } }
        try copy.reloadNextID()
        return copy
    }

    /// Deletes everything and commits that, as if the store had just been created.
    package func removeEverything() throws {
        forgetRows()
        for table in ["local", "remote", "synced", "status", "counts", "value", "activity", "earlier"] {
            try execute("DELETE FROM \(table)")
        }
        try reloadNextID()
        try commit()
    }
}
