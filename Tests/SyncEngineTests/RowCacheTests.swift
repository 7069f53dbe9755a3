import SyncCore
import TestSupport
import Testing

@testable import SyncEngine

@Suite("Rows that a store keeps in memory") struct RowCacheTests {
    @Test("A cache of a few rows says nothing else than the table and what waits to be written")
    func likeTheTable() {
        var random = SeededRandom(for: "RowCacheTests")
        let seed = random.seed
        for _ in 0..<50 {
            let highest = Int64.random(in: 0...20, using: &random)
            var table: [NodeID: Int] = [:]
            for id in 0..<highest where Bool.random(using: &random) { table[NodeID(id + 1)] = -1 }
            var latest = table
            var cache = RowCache<Int>(limit: 4)
            cache.noteTable(upTo: NodeID(highest))
            for step in 0..<400 {
                let id = NodeID(Int64.random(in: 1...20, using: &random))
                switch Int.random(in: 0..<10, using: &random) {
                case 0, 1:
                    let row = Bool.random(using: &random) ? step : nil
                    cache.write(row, id)
                    latest[id] = row
                case 2:
                    for change in cache.takeWaiting() {
                        #expect(!change.isNew || table[change.id] == nil, "seed \(seed) step \(step)")
                        table[change.id] = change.row
                    }
                    #expect(table == latest && cache.isWritten, "seed \(seed) step \(step)")
                case 3:
                    cache.read(table[id], id)
                case 4:
                    cache.forget()
                    latest = table
                default:
                    let known = cache.known(id)
                    if let known {
                        #expect(known == latest[id], "seed \(seed) step \(step)")
                    } else {
                        #expect(table[id] == latest[id], "seed \(seed) step \(step)")
                        cache.read(table[id], id)
                    }
                }
            }
        }
    }

    @Test("Rows in use stay while many others are read")
    func rowsInUse() {
        var cache = RowCache<Int>(limit: 4)
        cache.noteTable(upTo: NodeID(100))
        cache.read(7, NodeID(1))
        for other in 2...50 {
            #expect(cache.known(NodeID(1)) == .some(7))
            #expect(cache.known(NodeID(Int64(other))) == nil)
            cache.read(other, NodeID(Int64(other)))
        }
        #expect(cache.known(NodeID(30)) == nil)
    }

    @Test("Rows that wait to be written stay while many others are read")
    func rowsThatWait() {
        var cache = RowCache<Int>(limit: 4)
        cache.write(7, NodeID(100))
        for other in 1...50 { cache.read(other, NodeID(Int64(other))) }
        #expect(cache.known(NodeID(100)) == .some(7))
        #expect(cache.takeWaiting().map(\.id) == [NodeID(100)])
    }

    @Test("An item that is newer than the table has no row in it before one is written")
    func newItems() {
        var cache = RowCache<Int>(limit: 4)
        #expect(cache.known(NodeID(5)) == .some(nil))
        cache.noteTable(upTo: NodeID(5))
        #expect(cache.known(NodeID(5)) == nil)
        #expect(cache.known(NodeID(6)) == .some(nil))
        cache.write(6, NodeID(6))
        #expect(cache.known(NodeID(6)) == .some(6))
        #expect(cache.takeWaiting().map(\.isNew) == [true])
        cache.write(7, NodeID(6))
        #expect(cache.takeWaiting().map(\.isNew) == [false])
        #expect(cache.known(NodeID(7)) == .some(nil))
        cache.noteRow(NodeID(7))
        #expect(cache.known(NodeID(7)) == nil)
    }

    @Test("A damaged number of a row takes no memory, and nothing is said of it", arguments: [Int64.min, -1, 0, .max])
    func damagedNumbers(number: Int64) {
        var cache = RowCache<Int>(limit: 4)
        cache.noteTable(upTo: NodeID(3))
        cache.noteRow(NodeID(number))
        #expect(cache.known(NodeID(number)) == nil)
        cache.noteTable(upTo: NodeID(number))
        #expect(cache.known(NodeID(number)) == nil)
    }

    @Test("Rows to write are taken in the order of their ids; one that never was is not deleted")
    func order() {
        var cache = RowCache<Int>(limit: 4)
        for id in [3, 1, 2] { cache.write(id, NodeID(Int64(id))) }
        #expect(!cache.isFull)
        cache.write(nil, NodeID(4))
        #expect(cache.isFull)
        #expect(cache.takeWaiting().map(\.id) == [NodeID(1), NodeID(2), NodeID(3)])
        #expect(cache.known(NodeID(4)) == .some(nil))
        cache.write(nil, NodeID(2))
        #expect(cache.takeWaiting().map(\.row) == [nil])
        #expect(cache.known(NodeID(2)) == .some(nil))
    }
}
