internal import CSQLite

/// What SQLite is told before the first database is opened.
enum SQLiteLibrary {
    /// Has SQLite keep no account of its memory, which takes a tenth of the time of small statements. Nothing asks for
    /// that account. Has no effect where something else in the process uses SQLite already.
    static func prepare() { _ = isPrepared }

    private static let isPrepared = csqlite_account_for_no_memory() == SQLITE_OK
}
