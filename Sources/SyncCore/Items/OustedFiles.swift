/// Files whose places were found to be taken by others.
///
/// A file under the name of another one is usually its next version: that is how programs save. But it is a different
/// file if the former one turns up elsewhere, and the two may be seen one after the other.
struct OustedFiles {
    private struct Key: Hashable {
        var side: Side
        var identity: Token
    }

    /// The most that are kept: more appear only when a tree was copied, and then nothing was moved.
    private static let limit = 1_000

    private var rows: [Key: Node] = [:]

    /// Notes that another version was seen in the place of a file, which is passed as it was seen before.
    mutating func add(_ row: Node, by version: Version, on side: Side) {
        guard let identity = row[side]?.identity, !identity.isEmpty, !version.identity.isEmpty,
            identity != version.identity, rows.count < Self.limit
        else { return }
        rows[Key(side: side, identity: identity)] = row
    }

    /// Takes the file with this identity; nil if there is none.
    mutating func take(_ identity: Token, on side: Side) -> Node? {
        identity.isEmpty || rows.isEmpty ? nil : rows.removeValue(forKey: Key(side: side, identity: identity))
    }

    /// Forgets the files of these items.
    mutating func removeAll(where isOver: (NodeID) -> Bool) {
        if !rows.isEmpty { rows = rows.filter { !isOver($0.value.id) } }
    }

    /// Forgets all of them.
    mutating func removeAll() { rows.removeAll(keepingCapacity: rows.count < Self.limit) }
}
