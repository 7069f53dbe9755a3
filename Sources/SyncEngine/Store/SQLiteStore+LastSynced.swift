import Foundation
import GRDB
package import SyncCore

extension SQLiteStore {
    /// When an item, or for a directory the last item in it, was last synced, in seconds since 1970; nil if the log
    /// does not reach that far back.
    package func lastSynced(at path: RelativePath) throws -> Int64? {
        let bytes = path.bytes
        let prefix = path.isRoot ? bytes : bytes + [UInt8(ascii: "/")]
        return try read { database in
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max(date) FROM activity
                    WHERE kind NOT IN (?, ?, ?) AND (path = ? OR substr(path, 1, ?) = ?)
                    """,
                arguments: [
                    Activity.Kind.error.rawValue, Activity.Kind.conflict.rawValue, Activity.Kind.copiedOut.rawValue,
                    Data(bytes), prefix.count, Data(prefix),
                ])
        }
    }
}
