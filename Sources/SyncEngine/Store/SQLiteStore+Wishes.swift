import GRDB
package import SyncCore

extension SQLiteStore {
    /// The items of which the user said where their contents should be.
    package func wishes() throws -> [NodeID: Wish] {
        let rows = try read { try Row.fetchAll($0, sql: "SELECT id, wish FROM wishes") }
        return rows.reduce(into: [:]) { wishes, row in
            wishes[NodeID(row[0])] = Wish(rawValue: UInt8(truncatingIfNeeded: row[1] as Int64))
        }
    }

    /// Stores the wish for an item, or deletes it if there is none.
    package func setWish(_ wish: Wish, for id: NodeID) throws {
        if wish == .none { return try execute(.removeWish) { $0.bind(id.rawValue, at: 1) } }
        try execute(.setWish) { statement in
            statement.bind(id.rawValue, at: 1)
            statement.bind(Int64(wish.rawValue), at: 2)
        }
    }
}
