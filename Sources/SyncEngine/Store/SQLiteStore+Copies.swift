import GRDB
import SyncCore

extension SQLiteStore {
    /// A store in memory that holds what this one has committed, as a backup of the database would.
    package func backup() throws -> SQLiteStore {
        try rollBack()
        let copy = try SQLiteStore(inMemory: ())
        try read { source in try copy.read { try source.backup(to: $0) } }
        try copy.reloadNextID()
        return copy
    }

    /// Forgets everything and makes it durable, as if the store had just been made.
    package func removeEverything() throws {
        forgetRows()
        for table in ["local", "remote", "synced", "status", "counts", "value", "activity", "earlier"] {
            try execute("DELETE FROM \(table)")
        }
        try reloadNextID()
        try commit()
    }
}
