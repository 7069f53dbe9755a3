import Foundation
import GRDB
public import SyncCore

extension SQLiteStore {
    /// Why an item is not plainly synced; nil if it is.
    public func status(_ id: NodeID) throws -> NodeStatus? {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT state, dirty, message, bytes, counterpart FROM status WHERE id = ?")
            statement.setUncheckedArguments([id.rawValue])
            guard let row = try Row.fetchOne(statement),
                let state = ItemSyncState(rawValue: UInt8(truncatingIfNeeded: row[0] as Int64))
            else { return nil }
            return NodeStatus(
                state: state, isDirty: (row[1] as Int64) != 0, message: row[2], bytes: row[3],
                counterpart: (row[4] as Int64?).map { NodeID($0) })
        }
    }

    /// Sets or, with nil, removes it.
    public func setStatus(_ status: NodeStatus?, for id: NodeID) throws {
        guard let status else { return try execute("DELETE FROM status WHERE id = ?", [id.rawValue]) }
        try execute(
            "INSERT OR REPLACE INTO status (id, state, dirty, message, bytes, counterpart) VALUES (?,?,?,?,?,?)",
            [
                id.rawValue, Int(status.state.rawValue), status.isDirty ? 1 : 0, status.message, status.bytes,
                status.counterpart?.rawValue,
            ])
    }

    /// At most `limit` items whose status is dirty, ordered by id, after that id.
    public func dirty(after: NodeID, limit: Int) throws -> [NodeID] {
        try identifiers(
            "SELECT id FROM status WHERE dirty AND id > ? ORDER BY id LIMIT ?", [after.rawValue, limit])
    }

    /// At most `limit` items in this state, ordered by id, after that id.
    public func nodes(inState state: ItemSyncState, after: NodeID, limit: Int) throws -> [NodeID] {
        try identifiers(
            "SELECT id FROM status WHERE state = ? AND id > ? ORDER BY id LIMIT ?",
            [Int(state.rawValue), after.rawValue, limit])
    }

    /// What is not plainly synced below a directory.
    public func counts(_ directory: NodeID) throws -> StateCounts {
        try read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT pending, conflicts, errors, bytes FROM counts WHERE id = ?")
            statement.setUncheckedArguments([directory.rawValue])
            guard let row = try Row.fetchOne(statement) else { return StateCounts() }
            return StateCounts(pending: row[0], conflicts: row[1], errors: row[2], bytesToDo: row[3])
        }
    }

    /// Stores the counts, or forgets them if they are zero.
    public func setCounts(_ counts: StateCounts, for directory: NodeID) throws {
        if counts.isZero { return try execute("DELETE FROM counts WHERE id = ?", [directory.rawValue]) }
        try execute(
            "INSERT OR REPLACE INTO counts (id, pending, conflicts, errors, bytes) VALUES (?,?,?,?,?)",
            [directory.rawValue, counts.pending, counts.conflicts, counts.errors, counts.bytesToDo])
    }

    /// A value kept for the session.
    public func value(_ key: StoreKey) throws -> [UInt8]? {
        try read { database in
            try Data.fetchOne(database, sql: "SELECT value FROM value WHERE key = ?", arguments: [key.rawValue])
                .map { Array($0) }
        }
    }

    /// Keeps or, with nil, forgets a value.
    public func setValue(_ value: [UInt8]?, for key: StoreKey) throws {
        guard let value else { return try execute("DELETE FROM value WHERE key = ?", [key.rawValue]) }
        try execute("INSERT OR REPLACE INTO value (key, value) VALUES (?, ?)", [key.rawValue, Data(value)])
    }
}
