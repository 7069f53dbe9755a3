internal import RoundelBus

/// How many names are kept for a caller.
struct KeptNames: Equatable {
    /// Names that it was given.
    private(set) var given = 0
    /// Those of them that are gone from their directory.
    private(set) var gone = 0

    /// One directory keeps other numbers of names than before.
    mutating func replace(_ old: KeptNames, with new: KeptNames) {
        given += new.given - old.given
        gone += new.gone - old.gone
    }
}

/// One caller's share in a directory.
struct Observer {
    /// What is left of a caller's share when one observation ends.
    enum Rest {
        /// The caller has begun more often with the same spelling.
        case sameSpelling
        /// The caller still observes, but no longer by the spelling that ended.
        case otherSpellings(ended: ItemURI)
        case nothing
    }

    let client: String
    /// How the caller spells the directory, and how often it has begun with each spelling.
    private(set) var spellings: [(uri: ItemURI, count: Int)]
    /// The caller was given the whole directory and is notified of every item.
    private(set) var isWhole = false
    /// The items that the caller was given.
    private var given = IndexBits()
    /// Items that changed since the caller was last notified, with the state that it knows.
    private var pending: [Int32: ItemState] = [:]
    /// How many of the given items were gone at the last sweep.
    private var gone = 0
    /// What the caller's totals contain for this directory.
    private(set) var counted = KeptNames()

    /// A caller that begins to observe.
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

    /// Ends one observation by this spelling, or by the caller's first if it did not begin with this one.
    mutating func end(_ spelling: ItemURI) -> Rest {
        let used = spellings.firstIndex { $0.uri == spelling } ?? 0
        spellings[used].count -= 1
        guard spellings[used].count == 0 else { return .sameSpelling }
        guard spellings.count > 1 else { return .nothing }
        return .otherSpellings(ended: spellings.remove(at: used).uri)
    }

    // MARK: What the caller knows

    /// Whether changes are waiting to be signalled.
    var hasPending: Bool { !pending.isEmpty }

    /// Whether the caller is to be notified when an item changes.
    func isInterested(in index: Int) -> Bool { isWhole || given.contains(index) }

    /// Whether an item has to be kept for this caller alone.
    func keeps(_ index: Int) -> Bool { !isWhole && given.contains(index) }

    /// How many of these names the caller was not given yet.
    func countNew(_ names: [ItemName], _ items: ItemTable) -> Int {
        names.count { name in items.find(name).map { !given.contains($0) } ?? true }
    }

    /// The caller is given the present state of these items.
    mutating func give(_ indices: [Int32]) {
        let hasPending = hasPending
        for index in indices {
            given.insert(Int(index))
            if hasPending { pending[index] = nil }
        }
    }

    /// From here on the caller is notified of every item.
    mutating func giveWhole() { isWhole = true }

    /// An item has another state than before.
    mutating func noteChange(_ index: Int, from old: ItemState) {
        let isGiven = given.contains(index)
        guard isGiven || isWhole, pending[Int32(index)] == nil else { return }
        pending[Int32(index)] = isGiven ? old : ItemState.none
    }

    /// The items whose state differs from what the caller knows; it counts as notified of them.
    mutating func drainChanges(_ items: ItemTable) -> [Int32] {
        guard hasPending else { return [] }
        let changed = pending.compactMap { items.state(Int($0.key)) == $0.value ? nil : $0.key }.sorted()
        pending = [:]
        for index in changed {
            given.insert(Int(index))
        }
        return changed
    }

    /// The numbers of the badges that the caller knows of changed items.
    func collectBadges(into needed: inout Set<UInt16>) {
        for state in pending.values { needed.insert(state.badge) }
    }

    // MARK: What is kept

    /// Starts to count the given items that are gone.
    mutating func beginSweep() { gone = 0 }

    /// An item is gone, but kept for those who were given it.
    mutating func countGone(_ index: Int) {
        if keeps(index) { gone += 1 }
    }

    /// An item is no longer kept.
    mutating func forget(_ index: Int) { given.remove(index) }

    /// Whether items are kept for the caller that are gone.
    var hasGone: Bool { gone > 0 }

    /// Updates the caller's totals with what is kept for it here. For a caller that was given the whole directory no names
    /// are kept: it is notified of every one.
    mutating func recount(in totals: inout ObserverTable) {
        let kept = isWhole ? KeptNames() : KeptNames(given: given.count, gone: gone)
        guard kept != counted else { return }
        totals.recount(client, from: counted, to: kept)
        counted = kept
    }
}
