import SyncCore

/// Recently read or written rows of one table, by id. Written rows wait here until a query needs the table or the
/// transaction ends, because the session writes some rows many times between two commits.
struct RowCache<Row> {
    private var rows: [NodeID: Row?] = [:]
    private var waiting: Set<NodeID> = []
    private let limit: Int

    /// A cache for `limit` rows; as many more may wait to be written.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether no row waits to be written.
    var isWritten: Bool { waiting.isEmpty }
    /// Whether so many rows wait that they should be written now.
    var isFull: Bool { waiting.count >= limit }

    /// The row, or nil inside if it is known not to exist; nil if nothing is known.
    func known(_ id: NodeID) -> Row?? { rows[id] }

    /// Caches a row that was read, unless a newer one waits.
    mutating func read(_ row: Row?, _ id: NodeID) {
        if waiting.isEmpty && rows.count >= limit { rows.removeAll(keepingCapacity: true) }
        if rows[id] == nil { rows[id] = .some(row) }
    }

    /// Caches a row that must be written.
    mutating func write(_ row: Row?, _ id: NodeID) {
        rows[id] = .some(row)
        waiting.insert(id)
    }

    /// Takes the rows that wait, ordered by id.
    mutating func takeWaiting() -> [(id: NodeID, row: Row?)] {
        if waiting.isEmpty { return [] }
        let taken = waiting.sorted().map { (id: $0, row: rows[$0] ?? nil) }
        waiting.removeAll(keepingCapacity: true)
        if rows.count >= limit { rows.removeAll(keepingCapacity: true) }
        return taken
    }

    /// Drops all rows, including those that wait.
    mutating func forget() {
        rows = [:]
        waiting = []
    }
}
