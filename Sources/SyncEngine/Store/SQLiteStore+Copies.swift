import GRDB
import SyncCore

extension SQLiteStore {
    /// A store in memory with the same contents, like a backup of the database.
    ///
    /// - Throws: Also if something is not committed: it would be lost to one of the two.
    package func backup() throws -> SQLiteStore {
        guard isCommitted else {
            throw DatabaseError(resultCode: .SQLITE_LOCKED, message: "There are changes that are not committed.")
        }
        let copy = try SQLiteStore(inMemory: ())
        try read { source in try copy.read { try source.backup(to: $0) } }
        try copy.reload()
        return copy
    }

    /// Deletes everything and commits that, as if the store had just been created.
    ///
    /// - Throws: The store must then be opened again: it takes what is back for deleted.
    package func removeEverything() throws {
        let others = ["status", "counts", "value", "activity", "earlier", "tags", "wishes"]
        for table in Tree.allCases.map(TreeSchema.table) + others { try execute("DELETE FROM \(table)") }
        try reload()
        try commit()
    }
}
