internal import RoundelBus

/// The number of names kept for a caller.
struct KeptNames: Equatable {
    /// Names that it was given.
    private(set) var given = 0
    /// Those of them that have vanished from their directory.
    private(set) var gone = 0

    /// The numbers of names for one directory have changed.
    mutating func replace(_ old: KeptNames, with new: KeptNames) {
        given += new.given - old.given
        gone += new.gone - old.gone
    }
}

/// One caller's observation of a directory.
struct Observer {
    /// What remains of a caller's observation when one of its begins is ended.
    enum Rest {
        /// The caller has begun more often with the same spelling.
        case sameSpelling
        /// The caller still observes, but not under the spelling that ended.
        case otherSpellings(ended: ItemURI)
        case nothing
    }

    let client: String
    /// The caller's spellings of the directory, and how often it has begun with each.
    private(set) var spellings: [(uri: ItemURI, count: Int)]
    /// Whether the caller was given the whole directory and is notified of every item.
    private(set) var isWhole = false
    /// The items that the caller was given.
    private var given = IndexBits()
    /// Items that changed since the caller was last notified, with the state that it knows.
    private var pending: [Int32: ItemState] = [:]
    /// How many of the given items had vanished at the last sweep.
    private var gone = 0
    /// What the caller's totals include for this directory.
    private(set) var counted = KeptNames()

    /// A caller that starts observing.
    init(client: String, spelling: ItemURI) {
        self.client = client
        spellings = [(spelling, 1)]
    }

    // MARK: Begin and end

    mutating func begin(_ spelling: ItemURI) {
        if let known = spellings.firstIndex(where: { $0.uri == spelling }) {
            spellings[known].count += 1
        } else {
            spellings.append((spelling, 1))
        }
    }

    /// Ends one observation under this spelling, or under the caller's first if it did not begin with this one.
    mutating func end(_ spelling: ItemURI) -> Rest {
        let used = spellings.firstIndex { $0.uri == spelling } ?? 0
        spellings[used].count -= 1
        guard spellings[used].count == 0 else { return .sameSpelling }
        guard spellings.count > 1 else { return .nothing }
        return .otherSpellings(ended: spellings.remove(at: used).uri)
    }

    // MARK: What the caller knows

    /// Whether changes wait to be signalled.
    var hasPending: Bool { !pending.isEmpty }

    /// Whether the caller must be notified when an item changes.
    func isInterested(in index: Int) -> Bool { isWhole || given.contains(index) }

    /// Whether an item must be kept for this caller alone.
    func keeps(_ index: Int) -> Bool { !isWhole && given.contains(index) }

    /// How many of these names the caller was not given yet.
    func countNew(_ names: [ItemName], _ items: ItemTable) -> Int {
        names.count { name in items.find(name).map { !given.contains($0) } ?? true }
    }

    /// The caller is given the current state of these items.
    mutating func give(_ indices: [Int32]) {
        let hasPending = hasPending
        for index in indices {
            given.insert(Int(index))
            if hasPending { pending[index] = nil }
        }
    }

    /// From now on the caller is notified of every item.
    mutating func giveWhole() { isWhole = true }

    /// The state of an item has changed.
    mutating func noteChange(_ index: Int, from old: ItemState) {
        let isGiven = given.contains(index)
        guard isGiven || isWhole, pending[Int32(index)] == nil else { return }
        pending[Int32(index)] = isGiven ? old : ItemState.none
    }

    /// The items whose state differs from what the caller knows; it then counts as notified of them.
    mutating func drainChanges(_ items: ItemTable) -> [Int32] {
        guard hasPending else { return [] }
        let changed = pending.compactMap { items.state(Int($0.key)) == $0.value ? nil : $0.key }.sorted()
        pending = [:]
        for index in changed {
            given.insert(Int(index))
        }
        return changed
    }

    /// Collects the numbers of the badges that the caller knows for changed items.
    func collectBadges(into needed: inout Set<UInt16>) {
        for state in pending.values { needed.insert(state.badge) }
    }

    // MARK: What is kept

    /// Starts counting the given items that have vanished.
    mutating func beginSweep() { gone = 0 }

    /// An item has vanished, but is kept for those who were given it.
    mutating func countGone(_ index: Int) {
        if keeps(index) { gone += 1 }
    }

    /// An item is no longer kept.
    mutating func forget(_ index: Int) { given.remove(index) }

    /// Whether vanished items are kept for the caller.
    var hasGone: Bool { gone > 0 }

    /// Updates the caller's totals with the names kept for it here. For a caller that was given the whole directory,
    /// none are kept: it is notified of every item.
    mutating func recount(in totals: inout ObserverTable) {
        let kept = isWhole ? KeptNames() : KeptNames(given: given.count, gone: gone)
        guard kept != counted else { return }
        totals.recount(client, from: counted, to: kept)
        counted = kept
    }
}
