internal import GRDB
package import SyncCore

extension SQLiteStore {
    /// The known tag of a directory of the remote.
    package func listedTag(_ directory: NodeID) throws -> Token? {
        try first(.tag, { $0.bind(directory.rawValue, at: 1) }) { Token(Array($0.buffer(0))) }
    }

    /// Stores the tag or, with nil, deletes it.
    package func setListedTag(_ tag: Token?, of directory: NodeID) throws {
        guard let tag else { return try execute(.removeTag) { $0.bind(directory.rawValue, at: 1) } }
        try execute(.setTag) { statement in
            statement.bind(directory.rawValue, at: 1)
            statement.bind(tag.bytes, at: 2)
        }
    }

    /// Whether any directory has a tag.
    package func hasListedTags() throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM tags)") ?? false }
    }

    /// Deletes the tags of all directories.
    package func removeListedTags() throws { try execute("DELETE FROM tags") }
}
