/// The items that must be planned next.
///
/// Most events concern one item and those that wait for it: their ids are kept here. All others, and those beyond the
/// limit, are found by a pass over the dirty items of the store. When nothing else is left, one more pass makes sure
/// that nothing was missed.
struct Agenda {
    /// The most items kept here, and the most items that wait for others.
    private let limit: Int

    private var items: [NodeID] = []
    /// How many of `items` were handed out.
    private var handedOut = 0
    private var listed: Set<NodeID> = []
    /// Items that wait for one in progress.
    private var waiting: [NodeID: [NodeID]] = [:]
    private var waitingCount = 0
    /// The position of the current pass; nil if there is none.
    private(set) var cursor: NodeID?
    private var needsPass = true
    /// Whether, since the last pass began, something happened that may allow an item to be planned.
    private(set) var hasNews = true

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether so many items wait for others that planning more is pointless.
    var isCrowded: Bool { waitingCount >= limit }

    /// Whether there is something to plan.
    ///
    /// - Parameter isIdle: Whether nothing is in progress whose end would add items to plan.
    func hasWork(isIdle: Bool) -> Bool {
        handedOut < items.count || cursor != nil || needsPass || (isIdle && hasNews)
    }

    /// Adds an item to be planned.
    mutating func add(_ id: NodeID) {
        hasNews = true
        guard listed.count < limit else { return needsPass = true }
        if listed.insert(id).inserted { items.append(id) }
    }

    /// Requests a pass, because any item may have to be planned.
    mutating func addAll() {
        needsPass = true
    }

    /// Notes that something happened that may allow an unknown item to be planned.
    mutating func addSome() {
        hasNews = true
    }

    /// The next of the items kept here.
    mutating func next() -> NodeID? {
        guard handedOut < items.count else { return nil }
        let id = items[handedOut]
        handedOut += 1
        listed.remove(id)
        if handedOut == items.count || handedOut >= limit {
            items.removeFirst(handedOut)
            handedOut = 0
        }
        return id
    }

    /// Plans the item again when the other one, which is in progress, is done.
    mutating func wait(_ id: NodeID, for other: NodeID) {
        guard !isCrowded else { return hasNews = true }
        waiting[other, default: []].append(id)
        waitingCount += 1
    }

    /// An item is no longer in progress: it and those that wait for it must be planned.
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

    /// Continues the pass after this item; nil ends it.
    mutating func advancePass(to id: NodeID?) {
        cursor = id
    }
}
