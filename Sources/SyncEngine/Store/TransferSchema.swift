import GRDB

/// The tables of transfers in progress.
enum TransferSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("transfers: what has arrived of large files") { database in
            try database.execute(
                sql: """
                    CREATE TABLE transfer (
                        id INTEGER PRIMARY KEY, side INTEGER NOT NULL, path BLOB NOT NULL, version BLOB NOT NULL,
                        place BLOB NOT NULL, upload BLOB, bytes INTEGER NOT NULL DEFAULT 0, hash BLOB,
                        UNIQUE (side, path));
                    CREATE TABLE chunk (
                        transfer INTEGER NOT NULL, number INTEGER NOT NULL, hash BLOB NOT NULL,
                        PRIMARY KEY (transfer, number)) WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("transfers: the length of chunks") { database in
            try database.execute(sql: "ALTER TABLE transfer ADD COLUMN chunk INTEGER")
        }
        migrator.registerMigration("transfers: directories that are aside") { database in
            try database.execute(
                sql: """
                    CREATE TABLE aside (
                        place BLOB PRIMARY KEY, path BLOB NOT NULL, identity BLOB NOT NULL, tag BLOB NOT NULL)
                        WITHOUT ROWID
                    """)
        }
        return migrator
    }
}
