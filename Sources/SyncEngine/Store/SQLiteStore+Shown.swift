package import SyncCore

/// What an item's badge needs.
package struct ShownItem: Hashable, Sendable {
    /// The item.
    package var id: NodeID
    /// Its name on this computer.
    package var name: EntryName
    /// Whether it has neither a status nor counts: it is then synced, unless something is being done with it right now.
    package var isPlain: Bool
    /// What the remote tells of it beside that.
    package var marks: ItemMarks = []
}

extension SQLiteStore {
    /// At most `limit` items of a local directory, ordered by name, after that name.
    ///
    /// It is one query because a file manager that opens a large folder waits for it.
    package func shownItems(of directory: NodeID, after name: EntryName?, limit: Int) throws -> [ShownItem] {
        try flushShown()
        return try rows(
            .shown,
            { statement in
                statement.bind(directory.rawValue, at: 1)
                statement.bind(Int64(limit), at: 2)
                statement.bind(name?.bytes ?? [], at: 3)
            }, Self.shownItem)
    }

    /// The local item of that name; nil if there is none.
    package func shownItem(named name: EntryName, of directory: NodeID) throws -> ShownItem? {
        try flushShown()
        return try first(
            .shownNamed,
            { statement in
                statement.bind(directory.rawValue, at: 1)
                statement.bind(name.bytes, at: 2)
            }, Self.shownItem)
    }

    private func flushShown() throws {
        try flushNodes(.local)
        try flushNodes(.remote)
        try flushStatuses()
        try flushCounts()
    }

    private static func shownItem(_ row: StoreStatement) throws -> ShownItem {
        guard let name = EntryName(row.bytes(1) ?? []) else { throw UnreadableRow() }
        let kind = EntryKind(rawValue: UInt8(truncatingIfNeeded: row.number(3)))
        let access = row.bytes(4).flatMap { ItemAccess(bytes: $0) }
        return ShownItem(
            id: NodeID(row.number(0)), name: name, isPlain: row.number(2) != 0,
            marks: kind.flatMap { access?.marks($0) } ?? [])
    }
}

extension SyncSession {
    func presentation(of item: ShownItem) throws -> ItemPresentation {
        item.isPlain ? try presentation(ofPlain: item.id, marks: item.marks) : try presentation(of: item.id)
    }
}
