import GRDB
import SyncCore

/// The tables of a folder's database.
///
/// Each tree has a table of its own. A version that is only stored is one blob; what queries look up has columns: the
/// name below its parent, the identity, missing rows, dirty rows.
enum TreeSchema {
    /// The table of a tree.
    static func table(_ tree: Tree) -> String {
        switch tree {
        case .local: "local"
        case .remote: "remote"
        case .synced: "synced"
        }
    }

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 trees, statuses, counts, values, activity") { database in
            try createSide("local", database)
            try createSide("remote", database)
            try database.execute(
                sql: """
                    CREATE TABLE synced (
                        id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name BLOB NOT NULL, kind INTEGER NOT NULL,
                        local BLOB, remote BLOB, hash BLOB);
                    CREATE INDEX synced_place ON synced (parent, name);
                    CREATE TABLE status (
                        id INTEGER PRIMARY KEY, state INTEGER NOT NULL, dirty INTEGER NOT NULL,
                        message TEXT NOT NULL, bytes INTEGER NOT NULL, counterpart INTEGER);
                    CREATE INDEX status_dirty ON status (id) WHERE dirty;
                    CREATE INDEX status_state ON status (state);
                    CREATE TABLE counts (
                        id INTEGER PRIMARY KEY, pending INTEGER NOT NULL, conflicts INTEGER NOT NULL,
                        errors INTEGER NOT NULL, bytes INTEGER NOT NULL, done INTEGER NOT NULL);
                    CREATE TABLE value (key TEXT PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE activity (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, date INTEGER NOT NULL, kind TEXT NOT NULL,
                        path BLOB NOT NULL, detail TEXT NOT NULL);
                    """)
        }
        migrator.registerMigration("2 when a conflict was found, what was decided about it") { database in
            try database.execute(
                sql: """
                    ALTER TABLE status ADD COLUMN detected INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE status ADD COLUMN choice INTEGER;
                    ALTER TABLE status ADD COLUMN is_local INTEGER NOT NULL DEFAULT 0;
                    """)
        }
        migrator.registerMigration("3 how much is in each directory") { database in
            try database.execute(
                sql: """
                    ALTER TABLE counts RENAME COLUMN bytes TO to_do;
                    ALTER TABLE counts RENAME COLUMN done TO bytes;
                    UPDATE counts SET bytes = 0;
                    """)
        }
        migrator.registerMigration("mounts: where file systems were mounted") { database in
            for table in ["local", "remote"] {
                try database.execute(
                    sql: """
                        ALTER TABLE \(table) ADD COLUMN mount INTEGER NOT NULL DEFAULT 0;
                        CREATE INDEX \(table)_mount ON \(table) (id) WHERE mount;
                        """)
            }
        }
        migrator.registerMigration("earlier: what the remote held of files before") { database in
            try database.execute(sql: "CREATE TABLE earlier (id INTEGER PRIMARY KEY, versions BLOB NOT NULL)")
        }
        migrator.registerMigration("tags: with which directories of the remote are known") { database in
            try database.execute(sql: "CREATE TABLE tags (id INTEGER PRIMARY KEY, tag BLOB NOT NULL)")
        }
        // A program without wishes would take a placeholder for a file of zeros, so it must refuse the database.
        migrator.registerMigration("wishes: where contents should be") { database in
            try database.execute(sql: "CREATE TABLE wishes (id INTEGER PRIMARY KEY, wish INTEGER NOT NULL)")
        }
        migrator.registerMigration("files: how many are in each directory, and where their contents are") { database in
            try database.execute(
                sql: """
                    ALTER TABLE counts ADD COLUMN files INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE counts ADD COLUMN files_away INTEGER NOT NULL DEFAULT 0;
                    ALTER TABLE counts ADD COLUMN bytes_away INTEGER NOT NULL DEFAULT 0;
                    UPDATE counts SET bytes = 0;
                    DELETE FROM value WHERE key = 'sizes';
                    """)
        }
        migrator.registerMigration("access: what the remote allows, and what is withheld for it") {
            database in
            try database.execute(
                sql: """
                    ALTER TABLE local ADD COLUMN access BLOB;
                    ALTER TABLE remote ADD COLUMN access BLOB;
                    ALTER TABLE synced ADD COLUMN withheld INTEGER;
                    """)
        }
        return migrator
    }

    private static func createSide(_ table: String, _ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE \(table) (
                    id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name BLOB NOT NULL, kind INTEGER NOT NULL,
                    identity BLOB, version BLOB, missing INTEGER NOT NULL);
                CREATE INDEX \(table)_place ON \(table) (parent, name);
                CREATE INDEX \(table)_identity ON \(table) (identity) WHERE identity IS NOT NULL;
                CREATE INDEX \(table)_missing ON \(table) (id) WHERE missing;
                """)
    }
}
