import SyncCore

/// Every statement of the store that runs often; each is prepared once.
enum StoreQuery: Hashable {
    case begin
    case beginWriting
    case commit
    case node(Tree)
    case named(Tree)
    case children(Tree)
    case childrenAfter(Tree)
    case unchanged(Side)
    case identity(Side)
    case add(Tree)
    case put(Tree)
    case remove(Tree)
    case renumber(Tree)
    case adoptChildren(Tree)
    case missing(Side)
    case shown
    case shownNamed
    case status
    case addStatus
    case setStatus
    case removeStatus
    case dirty
    case inState
    case counts
    case setCounts
    case removeCounts
    case value
    case setValue
    case removeValue
    case earlier
    case setEarlier
    case removeEarlier
    case tag
    case setTag
    case removeTag
    case setWish
    case removeWish
    case addActivity

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .node(let tree): Self.select(tree) + "WHERE id = ?"
        case .named(let tree): Self.select(tree) + "WHERE parent = ? AND name = ? ORDER BY id"
        case .children(let tree): Self.select(tree) + "WHERE parent = ? ORDER BY name, id LIMIT ?"
        case .childrenAfter(let tree):
            Self.select(tree) + "WHERE parent = ?1 AND (name, id) > (?3, ?4) ORDER BY name, id LIMIT ?2"
        case .unchanged(let side):
            "SELECT id, name, kind, identity, version, missing, mount, status.state, access "
                + "FROM \(TreeSchema.table(side.tree)) LEFT JOIN status USING (id) "
                + "WHERE parent = ?1 AND name > ?2 ORDER BY name, id"
        case .identity(let side): Self.select(side.tree) + "WHERE identity = ? ORDER BY id"
        case .add(let tree): "INSERT " + Self.into(tree)
        case .put(let tree): "INSERT OR REPLACE " + Self.into(tree)
        case .remove(let tree): "DELETE FROM \(TreeSchema.table(tree)) WHERE id = ?"
        case .renumber(let tree): "UPDATE \(TreeSchema.table(tree)) SET id = ?1 WHERE id = ?2"
        case .adoptChildren(let tree): "UPDATE \(TreeSchema.table(tree)) SET parent = ?1 WHERE parent = ?2"
        case .missing(let side):
            "SELECT id FROM \(TreeSchema.table(side.tree)) WHERE missing AND id > ? ORDER BY id LIMIT ?"
        case .shown: Self.selectShown + " AND local.name > ?3 ORDER BY local.name, local.id LIMIT ?2"
        case .shownNamed: Self.selectShown + " AND local.name = ?2 ORDER BY local.id LIMIT 1"
        case .status:
            "SELECT state, dirty, message, bytes, counterpart, detected, choice, is_local FROM status WHERE id = ?"
        case .addStatus: "INSERT " + Self.intoStatus
        case .setStatus: "INSERT OR REPLACE " + Self.intoStatus
        case .removeStatus: "DELETE FROM status WHERE id = ?"
        case .dirty: "SELECT id FROM status WHERE dirty AND id > ? ORDER BY id LIMIT ?"
        case .inState: "SELECT id FROM status WHERE id > ? AND state = ?3 ORDER BY id LIMIT ?2"
        case .counts:
            "SELECT pending, conflicts, errors, to_do, bytes, files, files_away, bytes_away FROM counts WHERE id = ?"
        case .setCounts:
            "INSERT OR REPLACE INTO counts (id, pending, conflicts, errors, to_do, bytes, files, files_away, bytes_away) "
                + "VALUES (?,?,?,?,?,?,?,?,?)"
        case .removeCounts: "DELETE FROM counts WHERE id = ?"
        case .value: "SELECT value FROM value WHERE key = ?"
        case .setValue: "INSERT OR REPLACE INTO value (key, value) VALUES (?, ?)"
        case .removeValue: "DELETE FROM value WHERE key = ?"
        case .earlier: "SELECT versions FROM earlier WHERE id = ?"
        case .setEarlier: "INSERT OR REPLACE INTO earlier (id, versions) VALUES (?, ?)"
        case .removeEarlier: "DELETE FROM earlier WHERE id = ?"
        case .tag: "SELECT tag FROM tags WHERE id = ?"
        case .setTag: "INSERT OR REPLACE INTO tags (id, tag) VALUES (?, ?)"
        case .removeTag: "DELETE FROM tags WHERE id = ?"
        case .setWish: "INSERT OR REPLACE INTO wishes (id, wish) VALUES (?, ?)"
        case .removeWish: "DELETE FROM wishes WHERE id = ?"
        case .addActivity: "INSERT INTO activity (date, kind, path, detail) VALUES (?, ?, ?, ?)"
        }
    }

    private static let selectShown = """
        SELECT local.id, local.name, status.id IS NULL AND counts.id IS NULL, local.kind, remote.access
        FROM local LEFT JOIN status USING (id) LEFT JOIN counts ON counts.id = local.id
        LEFT JOIN remote ON remote.id = local.id WHERE local.parent = ?1 AND NOT local.missing
        """

    private static let intoStatus = """
        INTO status (id, state, dirty, message, bytes, counterpart, detected, choice, is_local)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static func into(_ tree: Tree) -> String {
        switch tree {
        case .local, .remote:
            "INTO \(TreeSchema.table(tree)) (id, parent, name, kind, identity, version, missing, mount, access) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        case .synced:
            "INTO synced (id, parent, name, kind, local, remote, hash, withheld) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        }
    }

    private static func select(_ tree: Tree) -> String {
        let columns = tree == .synced ? "local, remote, hash, withheld" : "identity, version, missing, mount, access"
        return "SELECT id, parent, name, kind, \(columns) FROM \(TreeSchema.table(tree)) "
    }
}
