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
}
