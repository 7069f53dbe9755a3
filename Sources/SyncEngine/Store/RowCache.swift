import SyncCore

/// Rows of one table that were read or written lately, by id. What was written waits here until a query needs the
/// table or the transaction ends: the session writes some rows many times over between two commits.
struct RowCache<Row> {
    private var rows: [NodeID: Row?] = [:]
    private var waiting: Set<NodeID> = []
    private let limit: Int

    /// A cache for `limit` rows; as many may wait to be written.
    init(limit: Int) {
        self.limit = limit
    }

    /// Whether nothing waits.
    var isWritten: Bool { waiting.isEmpty }
    /// Whether so much waits that it should be written now.
    var isFull: Bool { waiting.count >= limit }

    /// The row, or nil inside if it is known that there is none; nil if nothing is known.
    func known(_ id: NodeID) -> Row?? { rows[id] }

    /// Keeps what was read, unless something newer waits.
    mutating func read(_ row: Row?, _ id: NodeID) {
        if waiting.isEmpty && rows.count >= limit { rows.removeAll(keepingCapacity: true) }
        if rows[id] == nil { rows[id] = .some(row) }
    }

    /// Keeps what is to be written.
    mutating func write(_ row: Row?, _ id: NodeID) {
        rows[id] = .some(row)
        waiting.insert(id)
    }

    /// What waits, in the order of ids; it waits no longer.
    mutating func takeWaiting() -> [(id: NodeID, row: Row?)] {
        if waiting.isEmpty { return [] }
        let taken = waiting.sorted().map { (id: $0, row: rows[$0] ?? nil) }
        waiting.removeAll(keepingCapacity: true)
        if rows.count >= limit { rows.removeAll(keepingCapacity: true) }
        return taken
    }

    /// Forgets everything, what waits as well.
    mutating func forget() {
        rows = [:]
        waiting = []
    }
}
