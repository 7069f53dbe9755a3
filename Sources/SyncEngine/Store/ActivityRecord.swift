import Foundation
import GRDB
package import SyncCore

/// One entry of a folder's activity log.
package struct ActivityRecord: Hashable, Sendable {
    /// Increases by one with each entry.
    package var sequence: Int64
    /// In seconds since 1970.
    package var date: Int64
    /// What was done.
    package var kind: String
    /// The item's path below the folder.
    package var path: RelativePath
    /// Details for the user: the old path of a move, otherwise a stored explanation.
    package var detail: String
}

extension SQLiteStore {
    /// How many entries are kept.
    private static let kept: Int64 = 10_000

    /// Adds entries to the log, durable with the next commit, and deletes the oldest beyond ten thousand.
    package func append(_ activities: [Activity], date: Int64) throws -> [ActivityRecord] {
        let records = try activities.map { try insert($0, date: date) }
        if let last = records.last?.sequence, last % 256 < Int64(activities.count) {
            try execute("DELETE FROM activity WHERE id <= \(last - Self.kept)")
        }
        return records
    }

    private func insert(_ activity: Activity, date: Int64) throws -> ActivityRecord {
        try execute(.addActivity) { statement in
            statement.bind(date, at: 1)
            statement.bind(activity.kind.rawValue, at: 2)
            statement.bind(Array(activity.path.names.map(\.bytes).joined(separator: [0x2F])), at: 3)
            statement.bind(activity.detail, at: 4)
        }
        return ActivityRecord(
            sequence: try read { $0.lastInsertedRowID }, date: date, kind: activity.kind.rawValue,
            path: activity.path, detail: activity.detail)
    }

    /// The newest entries with a smaller sequence than `before`, the oldest of them first.
    package func activities(before: Int64 = .max, limit: Int) throws -> [ActivityRecord] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT id, date, kind, path, detail FROM activity WHERE id < ? ORDER BY id DESC LIMIT ?",
                arguments: [before, limit])
            return rows.reversed().map(ActivityRecord.init(row:))
        }
    }

    /// The newest entries about an item or, if it is a directory, anything in it; the newest first.
    package func activities(of path: RelativePath, limit: Int) throws -> [ActivityRecord] {
        let own = Data(path.names.map(\.bytes).joined(separator: [0x2F]))
        let below = own + [0x2F]
        return try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, date, kind, path, detail FROM activity WHERE path = ? OR substr(path, 1, ?) = ? \
                    ORDER BY id DESC LIMIT ?
                    """,
                arguments: [own, below.count, below, limit]
            ).map(ActivityRecord.init(row:))
        }
    }
}

extension ActivityRecord {
    fileprivate init(row: Row) {
        let names = (row[3] as Data).split(separator: 0x2F).compactMap { EntryName(Array($0)) }
        self.init(sequence: row[0], date: row[1], kind: row[2], path: RelativePath(names), detail: row[4])
    }
}
