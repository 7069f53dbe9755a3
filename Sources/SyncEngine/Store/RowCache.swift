import SyncCore

/// Recently read or written rows of one table, by id. Written rows wait here until a query needs the table or the
/// transaction ends, because the session writes some rows many times between two commits.
struct RowCache<Row> {
    /// A row that is to be written.
    struct Change {
        let id: NodeID
        /// Nil if it is to be deleted.
        let row: Row?
        /// Whether the table certainly has no row with this id yet.
        let isNew: Bool
    }

    /// Rows that must be written.
    private var waiting: [NodeID: Row?] = [:]
    /// Rows as the table has them: those that were read or written last, and those before. The older half goes at once,
    /// so that what is used all the time stays.
    private var recent: [NodeID: Row?] = [:]
    private var earlier: [NodeID: Row?] = [:]
    /// A first copy has many new items, which are not looked for in the table.
    private var stored = StoredRows()
    private let limit: Int

    /// A cache for `limit` rows of an empty table, and at most for twice as many; `limit` rows more may wait to be written.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no row waits to be written.
    var isWritten: Bool { waiting.isEmpty }
    /// Whether so many rows wait that they should be written now.
    var isFull: Bool { waiting.count >= limit }

    /// The row, or nil inside if it is known not to exist; nil if nothing is known.
    mutating func known(_ id: NodeID) -> Row?? {
        if !waiting.isEmpty, let row = waiting[id] { return row }
        if stored.lacks(id) { return .some(nil) }
        if let row = recent[id] { return row }
        guard let row = earlier[id] else { return nil }
        keep(row, id)
        return row
    }

    /// Caches a row that was read. One that waits counts before it.
    mutating func read(_ row: Row?, _ id: NodeID) {
        if recent[id] == nil { keep(row, id) }
    }

    /// Caches a row that must be written.
    mutating func write(_ row: Row?, _ id: NodeID) { waiting[id] = .some(row) }

    /// Takes the rows that must be written, ordered by id.
    mutating func takeWaiting() -> [Change] {
        if waiting.isEmpty { return [] }
        var changes: [Change] = []
        changes.reserveCapacity(waiting.count)
        for (id, row) in waiting {
            let isNew = stored.lacks(id)
            if isNew && row == nil { continue }
            changes.append(Change(id: id, row: row, isNew: isNew))
        }
        changes.sort { $0.id < $1.id }
        waiting.removeAll(keepingCapacity: true)
        for change in changes {
            stored.insert(change.id)
            keep(change.row, change.id)
        }
        return changes
    }

    /// The table was opened, or got other contents; no row has a higher id.
    mutating func noteTable(upTo highest: NodeID) { stored = StoredRows(upTo: highest) }

    /// A row of the table has another id now.
    mutating func noteRow(_ id: NodeID) { stored.insert(id) }

    /// Drops all rows, including those that wait.
    mutating func forget() {
        (waiting, recent, earlier) = ([:], [:], [:])
    }

    private mutating func keep(_ row: Row?, _ id: NodeID) {
        if recent.count >= limit {
            swap(&recent, &earlier)
            recent.removeAll(keepingCapacity: true)
        }
        recent[id] = .some(row)
    }
}
