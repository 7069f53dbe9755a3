import GRDB
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

@Suite struct StoreUpgradeTests {
    @Test func aDatabaseOfTheFirstVersionIsBroughtUpToDate() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let queue = try DatabaseQueue(path: path.string)
        try TreeSchema.migrator.migrate(queue, upTo: "1 trees, statuses, counts, values, activity")
        try queue.write { database in
            try database.execute(
                sql: "INSERT INTO status VALUES (5, 5, 0, '', 0, 6); INSERT INTO counts VALUES (1, 2, 0, 0, 30, 4)")
        }
        try queue.close()
        let store = try SQLiteStore(path: path)
        #expect(
            try store.status(NodeID(5)) == NodeStatus(state: .conflict, isDirty: false, counterpart: NodeID(6)))
        #expect(try store.counts(.root) == StateCounts(pending: 2, bytesToDo: 30))
    }

    @Test("Rows from before anything was known of what the remote allows are read, and what is told then is kept")
    func accessIsAdded() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path.appending("trees.db")
        let queue = try DatabaseQueue(path: path.string)
        try TreeSchema.migrator.migrate(
            queue, upTo: "files: how many are in each directory, and where their contents are")
        let version = Version(identity: Token([1]), tag: Token([2]), size: 3)
        let stored = Token(VersionCoding.encode(version, withIdentity: false))
        try queue.write { database in
            try database.execute(
                sql: """
                    INSERT INTO remote (id, parent, name, kind, identity, version, missing)
                    VALUES (7, \(NodeID.root.rawValue), x'61', 0, x'01', x'\(stored)', 0)
                    """)
        }
        try queue.close()
        let name = try #require(EntryName("a"))
        var entry = ListedEntry(name: name, kind: .file, version: version)
        do {
            let store = try SQLiteStore(path: path)
            var row = try #require(try store.node(NodeID(7), in: .remote))
            #expect(row == Node(id: NodeID(7), parent: .root, name: name, kind: .file, remote: version))
            #expect(try isUnchanged(entry, store))
            entry.access = ItemAccess([.write], sharedBy: "Ana")
            #expect(try !isUnchanged(entry, store))
            row.access = entry.access
            try store.put(row, in: .remote)
            try store.put(
                Node(id: NodeID(7), parent: .root, name: name, kind: .file, withheld: Permissions(0o220)), in: .synced)
            try store.commit()
        }
        let store = try SQLiteStore(path: path)
        #expect(try store.node(NodeID(7), in: .remote)?.access == entry.access)
        #expect(try store.node(NodeID(7), in: .synced)?.withheld == Permissions(0o220))
        #expect(try isUnchanged(entry, store))
        entry.access = ItemAccess([], sharedBy: "Ana")
        #expect(try !isUnchanged(entry, store))
    }

    private func isUnchanged(_ entry: ListedEntry, _ store: SQLiteStore) throws -> Bool {
        try store.directories(of: .root, on: .remote, after: nil, through: nil, ifUnchanged: [entry]) != nil
    }
}
