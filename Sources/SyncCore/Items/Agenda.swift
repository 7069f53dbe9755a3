/// Which items the planner has to look at.
///
/// Most of what happens concerns one item and those that wait for it: these are kept here by their ids. Everything else,
/// and whatever there is too much of, is found by a pass over the dirty items of the store; one more pass when nothing
/// else is left shows that nothing was overlooked.
struct Agenda {
    /// Items kept here, and items that wait for others, at most.
    private let limit: Int

    private var items: [NodeID] = []
    /// How many of `items` were taken.
    private var taken = 0
    private var listed: Set<NodeID> = []
    /// Items that wait for one that is under way.
    private var waiting: [NodeID: [NodeID]] = [:]
    private var waitingCount = 0
    /// Where the pass under way is; nil if there is none.
    private(set) var cursor: NodeID?
    private var needsPass = true
    /// Whether anything happened since the last pass began that may let an item go on.
    private(set) var hasNews = true

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether so many items wait for others that looking at more would be vain.
    var isCrowded: Bool { waitingCount >= limit }

    /// Whether there is something to look at.
    ///
    /// - Parameter isIdle: Whether nothing is under way that would bring more to look at.
    func hasWork(isIdle: Bool) -> Bool {
        taken < items.count || cursor != nil || needsPass || (isIdle && hasNews)
    }

    /// This item is to be looked at.
    mutating func add(_ id: NodeID) {
        hasNews = true
        guard listed.count < limit else { return needsPass = true }
        if listed.insert(id).inserted { items.append(id) }
    }

    /// Any item may have to be looked at.
    mutating func addAll() {
        needsPass = true
    }

    /// Something happened that may let an item go on, nobody knows which.
    mutating func addSome() {
        hasNews = true
    }

    /// The next of the items kept here.
    mutating func next() -> NodeID? {
        guard taken < items.count else { return nil }
        let id = items[taken]
        taken += 1
        listed.remove(id)
        if taken == items.count || taken >= limit {
            items.removeFirst(taken)
            taken = 0
        }
        return id
    }

    /// The item is to be looked at when the other one, which is under way, is done.
    mutating func wait(_ id: NodeID, for other: NodeID) {
        guard !isCrowded else { return hasNews = true }
        waiting[other, default: []].append(id)
        waitingCount += 1
    }

    /// An item is under way no longer: it and what waits for it is to be looked at.
    mutating func release(_ id: NodeID) {
        add(id)
        guard let released = waiting.removeValue(forKey: id) else { return }
        waitingCount -= released.count
        for other in released { add(other) }
    }

    /// Begins a pass if there is reason for one.
    mutating func beginPass(isIdle: Bool) -> Bool {
        guard needsPass || (isIdle && hasNews) else { return false }
        needsPass = false
        hasNews = false
        cursor = NodeID.none
        return true
    }

    /// The pass goes on behind this item; nil if that was the last.
    mutating func advancePass(to id: NodeID?) {
        cursor = id
    }
}
