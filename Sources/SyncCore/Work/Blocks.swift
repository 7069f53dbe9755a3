/// Items that are left alone for a while, most of them after a failure.
struct Blocks {
    /// How many attempts follow immediately if something other than expected was found.
    private static let quickAttempts = 4

    private struct Block {
        var attempts = 0
        /// When it may be retried.
        var due: ContinuousClock.Instant
        /// Whether it failed for lack of space.
        var isForSpace = false
        /// Whether it came up for planning meanwhile, so that it must be planned as soon as it may be retried.
        var isAwaited = false
        /// The last error that went into the log.
        var logged: Explanation?
        /// Why it last failed.
        var reason: Explanation?
        /// Whether it failed because something else was there than expected, or a program writes it: that passes.
        var isPassing = false
        /// Whether a side puts it off.
        var isPutOff = false
        /// How often it waited for another item to which nothing was to be done.
        var vainWaits = 0
        /// Whether only a refused move blocks it, for which its contents do not wait.
        var isOfMove = false
        /// How often a side denied that it is moved.
        var deniedMoves = 0
        /// Whether it is left alone only for a moment, and not because of a failure.
        var isMoment = false
    }

    private let pauses: SessionPauses
    private var blocks: [NodeID: Block] = [:]
    /// Items whose move a side refused, whether they are left alone or not.
    private(set) var stuck: Set<NodeID> = []
    /// When everything whose wait was over was last retried.
    private var retried: ContinuousClock.Instant?
    /// When the first of the awaited items may be retried.
    private var firstAwaited: ContinuousClock.Instant?

    init(pauses: SessionPauses) { self.pauses = pauses }

    /// The first time after the last retry at which an item may be retried. It may have passed already, while something
    /// else was running. Nil if there is none.
    var nextDue: ContinuousClock.Instant? {
        blocks.values.map(\.due).filter { due in retried.map { due > $0 } ?? true }.min()
    }

    /// Everything whose wait is over is retried now.
    mutating func noteRetry(at now: Moment) { retried = now.instant }

    /// Whether the item must be left alone now.
    func isBlocked(_ id: NodeID, at now: Moment) -> Bool {
        blocks[id].map { $0.due > now.instant } ?? false
    }

    /// Whether the item, which comes up for planning, must be left alone now: it is then awaited.
    mutating func turnAway(_ id: NodeID, at now: Moment) -> Bool {
        guard let due = blocks[id]?.due, due > now.instant else { return false }
        blocks[id]?.isAwaited = true
        firstAwaited = min(firstAwaited ?? due, due)
        return true
    }

    /// Takes the awaited items that may be retried, ordered by id.
    mutating func endWaits(at now: Moment) -> [NodeID] {
        guard let first = firstAwaited, first <= now.instant else { return [] }
        let awaited = blocks.filter(\.value.isAwaited)
        let over = awaited.filter { $0.value.due <= now.instant }.keys.sorted()
        for id in over { blocks[id]?.isAwaited = false }
        firstAwaited = awaited.values.map(\.due).filter { $0 > now.instant }.min()
        return over
    }

    /// Leaves an item alone for a while; earlier failures still count.
    mutating func postpone(_ id: NodeID, for delay: Duration, at now: Moment) {
        var block = blocks[id] ?? Block(due: now.instant)
        block.due = now.instant + delay
        (block.isOfMove, block.isPassing) = (false, false)
        block.isMoment = delay <= pauses.waitingItem
        blocks[id] = block
    }

    /// Whether an item is left alone for a moment, without a failure, or was since the last retry.
    var holdForAMoment: Bool {
        blocks.values.contains { block in block.isMoment && retried.map { block.due > $0 } ?? true }
    }

    /// Lets the item be retried at once, as if it had never failed.
    mutating func remove(_ id: NodeID) { blocks[id] = nil }

    /// Lets all items be retried at once.
    mutating func removeAll() { (blocks, retried, firstAwaited) = ([:], nil, nil) }

    /// An effect for an item failed: the more often that happens, the longer the item is left alone.
    mutating func note(_ failure: EffectFailure, of id: NodeID, at now: Moment) {
        var block = blocks[id] ?? Block(due: now.instant)
        block.attempts += 1
        // Where room was made meanwhile, the failure is another one, with this message.
        block.isForSpace = failure.reason == .noSpace || failure.message.code == .noSpace
        block.reason = failure.reason == .unreachable || failure.message.isEmpty ? nil : failure.message
        block.isPassing = Self.isPassing(failure.reason) && block.attempts <= Self.quickAttempts
        block.isPutOff = failure.reason == .putOff
        block.isOfMove = false
        block.isMoment = false
        block.vainWaits = 0
        let wait = min(pauses.item * (1 << (min(block.attempts, 20) - 1)), pauses.longestItem)
        switch failure.reason {
        case .changed, .notFound, .exists, .notEmpty:
            block.due = now.instant + (block.attempts <= Self.quickAttempts ? .zero : wait)
        case .busy:
            block.attempts = 0
            block.due = now.instant + pauses.writtenItem
        case .unreachable:
            break
        case .notMounted, .putOff, .denied, .noSpace, .io:
            block.due = now.instant + wait
        case .nameClash:
            // Only the user can resolve a clash, and each attempt may cost a transfer.
            block.due = now.instant + pauses.longestItem
        }
        blocks[id] = block
    }

    /// Whether an error of an item, which was just noted, is not the one that is in the log already: attempts that fail in
    /// the same way are one line of it.
    mutating func isNews(_ message: Explanation, of id: NodeID) -> Bool {
        guard blocks[id]?.logged != message else { return false }
        blocks[id]?.logged = message
        return true
    }

    /// A side refused to move the item, which was just noted: nothing but the move waits for that.
    ///
    /// - Parameter isDenied: Whether it is not permitted.
    mutating func noteMove(of id: NodeID, isDenied: Bool) {
        stuck.insert(id)
        blocks[id]?.isOfMove = true
        if isDenied { blocks[id]?.deniedMoves += 1 }
    }

    /// The item was moved, or it is tried again as if that had not been refused.
    mutating func endRefusedMove(of id: NodeID) { stuck.remove(id) }

    /// Whether only a refused move blocks the item.
    func isOfMove(_ id: NodeID) -> Bool { blocks[id]?.isOfMove == true }

    /// How often a side denied that the item is moved.
    func deniedMoves(of id: NodeID) -> Int { blocks[id]?.deniedMoves ?? 0 }

    /// Lets items be retried at once that last failed for lack of space; returns them, ordered by id. Those that failed
    /// often do not fit, whatever gives way: each attempt costs a transfer.
    mutating func releaseShortOfSpace(at now: Moment) -> [NodeID] {
        let short = blocks.filter {
            $0.value.isForSpace && $0.value.due > now.instant && $0.value.attempts <= Self.quickAttempts
        }.keys.sorted()
        for id in short { blocks[id]?.due = now.instant }
        return short
    }

    /// An item that last failed for lack of space; nil if there is none.
    var shortOfSpace: NodeID? { blocks.filter(\.value.isForSpace).keys.min() }

    /// Items that are tried again soon, ordered by id, with the message for each.
    var triedAgain: [(node: NodeID, message: Explanation)] {
        blocks.compactMap { id, block in block.isPassing ? block.reason.map { (id, $0) } : nil }
            .sorted { $0.0 < $1.0 }
    }

    /// Why the item last failed; nil if it did not.
    func reason(of id: NodeID) -> Explanation? { blocks[id]?.reason }

    /// Whether the item failed so often that this is no chance.
    func isPersistent(_ id: NodeID) -> Bool { (blocks[id]?.attempts ?? 0) > Self.quickAttempts }

    /// The item waited for another one to which nothing was to be done: true if it did so too often.
    mutating func noteVainWait(of id: NodeID, for delay: Duration, at now: Moment) -> Bool {
        postpone(id, for: delay, at: now)
        blocks[id]?.vainWaits += 1
        return (blocks[id]?.vainWaits ?? 0) > Self.quickAttempts
    }

    /// Something is done for the item: it no longer waits for another one.
    mutating func endVainWaits(of id: NodeID) { blocks[id]?.vainWaits = 0 }

    private static func isPassing(_ reason: EffectFailure.Reason) -> Bool {
        switch reason {
        case .changed, .notFound, .exists, .notEmpty, .busy: true
        case .nameClash, .putOff, .denied, .noSpace, .io, .unreachable, .notMounted: false
        }
    }

    /// Items that a side puts off, ordered by id, with the message for each.
    var putOff: [(node: NodeID, message: Explanation)] {
        blocks.compactMap { id, block in block.isPutOff ? block.reason.map { (id, $0) } : nil }.sorted { $0.0 < $1.0 }
    }
}
