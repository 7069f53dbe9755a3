/// Items that were seen to change during a full scan: they are synced without waiting for its end.
struct UrgentItems {
    /// Items beyond this number wait for the end of the scan.
    private static let limit = 4_096

    private var known: Set<NodeID> = []
    /// Items whose other side was not looked at yet, with the side that was.
    private var oneSided: [(id: NodeID, seen: Side)] = []
    private var toPlan: [NodeID] = []
    /// Items that wait for another one.
    private var waiting: [NodeID] = []

    /// Whether there is something to plan.
    var isDue: Bool { !toPlan.isEmpty }

    /// Whether the item is urgent.
    func contains(_ id: NodeID) -> Bool { known.contains(id) }

    /// An item was seen to change on a side.
    mutating func add(_ id: NodeID, seenOn side: Side) {
        if known.contains(id) { return toPlan.append(id) }
        guard known.count < Self.limit else { return }
        known.insert(id)
        oneSided.append((id, side))
    }

    /// Takes the items whose other side must be looked at; they are planned after that.
    mutating func takeOneSided() -> [(id: NodeID, seen: Side)] {
        defer { oneSided = [] }
        toPlan += oneSided.map(\.id)
        return oneSided
    }

    /// Takes the next item to plan.
    mutating func next() -> NodeID? { toPlan.popLast() }

    /// The item is planned again when another one is done.
    mutating func wait(_ id: NodeID) { waiting.append(id) }

    /// An operation of an item ended: it and those that wait are planned again.
    mutating func release(_ id: NodeID) {
        if !waiting.isEmpty {
            toPlan += waiting
            waiting = []
        }
        if known.contains(id) { toPlan.append(id) }
    }

    /// Plans all urgent items again.
    mutating func releaseAll() {
        toPlan = known.sorted()
        waiting = []
    }

    /// Everything was scanned: no item is urgent any more.
    mutating func removeAll() {
        if !known.isEmpty { self = UrgentItems() }
    }
}
