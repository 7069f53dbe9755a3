/// How an item looks to the user.
struct Appearance: Hashable {
    var parent: NodeID
    var name: EntryName
    /// Nil if it does not exist.
    var state: ItemSyncState?
    var progress: UInt8?
    var marks: ItemMarks = []
}

/// How items that may have changed in an event looked before it.
struct Appearances {
    private var before: [NodeID: Appearance] = [:]

    /// How many items may have changed.
    var count: Int { before.count }

    /// The items that may have changed.
    var items: some Collection<NodeID> { before.keys }

    /// Whether the item may have changed.
    func contains(_ id: NodeID) -> Bool { before[id] != nil }

    /// The item may change from now on.
    mutating func add(_ id: NodeID, _ appearance: Appearance) { before[id] = appearance }

    /// The next event begins.
    mutating func removeAll() { before.removeAll(keepingCapacity: true) }

    /// The items that look different now; contents come before their directory.
    func changes(in items: Items) throws -> [StateChange] {
        var changes: [(depth: Int, change: StateChange)] = []
        for (id, old) in before {
            let new = try items.appearance(of: id)
            if new == old { continue }
            let hasMoved = new.parent != old.parent || new.name != old.name
            if old.state != nil && hasMoved {
                changes.append((Int.max, StateChange(node: id, parent: old.parent, name: old.name, state: nil)))
            }
            if new.state != nil {
                let change = StateChange(
                    node: id, parent: new.parent, name: new.name, state: new.state, progress: new.progress,
                    marks: new.marks)
                changes.append((try items.ancestors(from: new.parent).count, change))
            }
        }
        changes.sort { ($0.depth, $0.change.node) > ($1.depth, $1.change.node) }
        return changes.map(\.change)
    }
}
