/// Items that were recorded as synced, and the directories that they left, since both sides were last made durable.
struct RecordedItems {
    private var items: Set<NodeID> = []
    /// Whether a barrier is in progress for what was recorded before.
    private var isBehindBarrier = false

    /// Whether everything that was recorded is durable on both sides.
    var isSettled: Bool { items.isEmpty && !isBehindBarrier }

    /// How many items must be made durable before the next commit.
    var count: Int { items.count }

    /// An item is recorded, or the entries of a directory changed on both sides in the same way.
    mutating func add(_ id: NodeID) { items.insert(id) }

    /// Returns what must be made durable; nothing is settled before `endBarrier`.
    mutating func takeForBarrier() -> Set<NodeID> {
        isBehindBarrier = true
        defer { items = [] }
        return items
    }

    /// What was returned by `takeForBarrier` is durable.
    mutating func endBarrier() { isBehindBarrier = false }
}
