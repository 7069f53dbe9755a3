/// Items that are left alone for a while, most of them after a failure.
struct Blocks {
    /// How many attempts follow at once when something else was there than expected.
    private static let quickAttempts = 4
    /// The longest wait between two attempts.
    private static let longestWait = Duration.seconds(300)

    private struct Block {
        var attempts = 0
        /// When it may be tried again.
        var due: ContinuousClock.Instant
        /// It failed for want of space.
        var isForSpace = false
        /// Whether it was to be planned meanwhile, so that it has to be as soon as it may be tried again.
        var isAwaited = false
        /// Set while somebody writes it: what a person reads about that.
        var writing: Explanation?
    }

    private var blocks: [NodeID: Block] = [:]
    /// When everything whose wait was over was tried again last.
    private var retried: ContinuousClock.Instant?
    /// When the first of the items that are awaited may be tried again.
    private var firstAwaited: ContinuousClock.Instant?

    /// When the next may be tried again of those that were not since: their wait may have ended while something else was
    /// under way. Nil if there is none.
    var nextDue: ContinuousClock.Instant? {
        blocks.values.map(\.due).filter { due in retried.map { due > $0 } ?? true }.min()
    }

    /// Everything whose wait is over is tried again now.
    mutating func noteRetry(at now: Moment) { retried = now.instant }

    /// Whether the item is to be left alone now.
    func isBlocked(_ id: NodeID, at now: Moment) -> Bool {
        blocks[id].map { $0.due > now.instant } ?? false
    }

    /// Whether the item, which is to be planned, has to be left alone now: then it is awaited.
    mutating func turnAway(_ id: NodeID, at now: Moment) -> Bool {
        guard let due = blocks[id]?.due, due > now.instant else { return false }
        blocks[id]?.isAwaited = true
        firstAwaited = min(firstAwaited ?? due, due)
        return true
    }

    /// The items that were awaited and may be tried again, ordered by id.
    mutating func endWaits(at now: Moment) -> [NodeID] {
        guard let first = firstAwaited, first <= now.instant else { return [] }
        let awaited = blocks.filter(\.value.isAwaited)
        let over = awaited.filter { $0.value.due <= now.instant }.keys.sorted()
        for id in over { blocks[id]?.isAwaited = false }
        firstAwaited = awaited.values.map(\.due).filter { $0 > now.instant }.min()
        return over
    }

    /// Leaves an item alone for a while; its earlier failures still count.
    mutating func postpone(_ id: NodeID, for delay: Duration, at now: Moment) {
        blocks[id, default: Block(due: now.instant)].due = now.instant + delay
    }

    /// The item may be tried at once, as if it had never failed.
    mutating func remove(_ id: NodeID) { blocks[id] = nil }

    /// All items may be tried at once.
    mutating func removeAll() { self = Blocks() }

    /// An effect for an item failed: the longer it does, the longer the item is left alone.
    mutating func note(_ failure: EffectFailure, of id: NodeID, at now: Moment) {
        var block = blocks[id] ?? Block(due: now.instant)
        block.attempts += 1
        block.isForSpace = failure.reason == .noSpace
        block.writing = failure.reason == .busy ? failure.message : nil
        let wait = min(.seconds(1 << (min(block.attempts, 20) - 1)), Self.longestWait)
        switch failure.reason {
        case .changed, .notFound, .exists, .notEmpty:
            block.due = now.instant + (block.attempts <= Self.quickAttempts ? .zero : wait)
        case .busy:
            block.attempts = 0
            block.due = now.instant + .seconds(1)
        case .unreachable:
            break
        case .notMounted, .denied, .noSpace, .io:
            block.due = now.instant + wait
        case .nameClash:
            // Only a person can end a clash, and each attempt may cost a transfer.
            block.due = now.instant + Self.longestWait
        }
        blocks[id] = block
    }

    /// An item that failed last for want of space; nil if there is none.
    var shortOfSpace: NodeID? { blocks.filter(\.value.isForSpace).keys.min() }

    /// Items that somebody writes, ordered by id, with what is to be said of each.
    var beingWritten: [(node: NodeID, message: Explanation)] {
        blocks.compactMap { id, block in block.writing.map { (id, $0) } }.sorted { $0.0 < $1.0 }
    }
}
