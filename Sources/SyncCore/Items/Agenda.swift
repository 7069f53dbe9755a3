/// Which items are to be planned next.
///
/// Most events concern one item and those that wait for it: these are kept here by their ids. All others, and those
/// that exceed the limit, are found by a pass over the dirty items of the store; when nothing else is left, one more
/// pass makes sure that nothing was missed.
struct Agenda {
    /// Items kept here, and items that wait for others, at most.
    private let limit: Int

    private var items: [NodeID] = []
    /// How many of `items` were handed out.
    private var handedOut = 0
    private var listed: Set<NodeID> = []
    /// Items that wait for one that is under way.
    private var waiting: [NodeID: [NodeID]] = [:]
    private var waitingCount = 0
    /// Where the pass under way is; nil if there is none.
    private(set) var cursor: NodeID?
    private var needsPass = true
    /// Whether, since the last pass began, anything happened that may allow an item to be planned.
    private(set) var hasNews = true

    init(limit: Int) {
        self.limit = limit
    }

    /// Whether so many items wait for others that planning more is pointless.
    var isCrowded: Bool { waitingCount >= limit }

    /// Whether there is something to plan.
    ///
    /// - Parameter isIdle: Whether nothing is under way whose end would bring more to plan.
    func hasWork(isIdle: Bool) -> Bool {
        handedOut < items.count || cursor != nil || needsPass || (isIdle && hasNews)
    }

    /// This item is to be planned.
    mutating func add(_ id: NodeID) {
        hasNews = true
        guard listed.count < limit else { return needsPass = true }
        if listed.insert(id).inserted { items.append(id) }
    }

    /// Any item may have to be planned.
    mutating func addAll() {
        needsPass = true
    }

    /// Something happened that may allow some item, not known which, to be planned.
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

    /// The item is to be planned when the other one, which is under way, is done.
    mutating func wait(_ id: NodeID, for other: NodeID) {
        guard !isCrowded else { return hasNews = true }
        waiting[other, default: []].append(id)
        waitingCount += 1
    }

    /// An item is no longer under way: it and those that wait for it are to be planned.
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
