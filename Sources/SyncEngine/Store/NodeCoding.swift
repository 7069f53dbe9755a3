import Foundation
import GRDB
import SyncCore

/// Rows of the tree tables as nodes.
enum NodeCoding {
    /// The node in a row whose columns are id, parent, name, kind and those of its tree.
    static func node(_ row: Row, in tree: Tree) throws -> Node {
        guard let name = try bytes(row, 2).map({ $0.isEmpty ? EntryName.root : EntryName($0) }) ?? nil,
            let kind = EntryKind(rawValue: UInt8(truncatingIfNeeded: row[3] as Int64))
        else { throw damaged }
        var node = Node(id: NodeID(row[0]), parent: NodeID(row[1]), name: name, kind: kind)
        if let side = tree.side {
            let identity = try bytes(row, 4).map { Token($0) } ?? .none
            node[side] = try version(row, 5, identity: identity)
            node.isMissing = (row[6] as Int64) != 0
        } else {
            node.local = try version(row, 4, identity: nil)
            node.remote = try version(row, 5, identity: nil)
            node.hash = try bytes(row, 6).map { ContentHash($0) }
        }
        return node
    }

    private static var damaged: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of a tree cannot be read")
    }

    private static func bytes(_ row: Row, _ index: Int) throws -> [UInt8]? {
        try row.withUnsafeData(atIndex: index) { data in data.map { Array($0) } }
    }

    private static func version(_ row: Row, _ index: Int, identity: Token?) throws -> Version? {
        try row.withUnsafeData(atIndex: index) { data in
            guard let data else { return nil }
            guard let version = data.withUnsafeBytes({ VersionCoding.decode($0, identity: identity) }) else {
                throw damaged
            }
            return version
        }
    }
}
