internal import RoundelBus

/// The state of an item, small because there are many: the badge is an index into ``BadgeInterner``.
struct ItemState: Equatable {
    let flags: UInt32
    let badge: UInt16
    let progress: UInt8

    /// No badge, no flags, no progress.
    static let none = ItemState(flags: 0, badge: 0, progress: Progress.none)
}

/// The items of one directory that an observer was given or waits for: parallel arrays, and an open-addressed table
/// from names to indices. An index stays valid as long as its item is kept.
struct ItemTable {
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// The index contains an item.
        static let inUse = Marks(rawValue: 1)
        /// The provider has answered for the item, or has reported it on its own.
        static let known = Marks(rawValue: 2)
        /// According to the provider, the item is in the directory.
        static let listed = Marks(rawValue: 4)
        /// Reported while the whole directory was being requested; that answer is older.
        static let fresh = Marks(rawValue: 8)
        /// Vanished from the directory. Once every observer was notified, it is kept only for those who were given it
        /// by name.
        static let vanished = Marks(rawValue: 16)
    }

    /// The name at each index; empty if there is no item.
    private(set) var names: [ItemName] = []
    private var states: [ItemState] = []
    private var marks: [Marks] = []
    /// The open question about the item, as the low half of its token; 0 for none.
    private var asks: [UInt32] = []
    private(set) var count = 0

    private var buckets: [Int32] = []
    private var usedBuckets = 0
    private var free: [Int32] = []
    private var order: [Int32]?

    private static let empty: Int32 = -1
    private static let deleted: Int32 = -2

    /// The indices, including unused ones.
    var indices: Range<Int> { names.indices }

    var indicesInUse: [Int32] {
        indices.filter { isInUse($0) }.map { Int32($0) }
    }

    /// The names of all items, in no particular order.
    var namesInUse: [ItemName] { names(of: indicesInUse) }

    // MARK: One item

    func isInUse(_ index: Int) -> Bool { marks[index].contains(.inUse) }

    func name(_ index: Int) -> ItemName { names[index] }

    func state(_ index: Int) -> ItemState { states[index] }

    /// Whether the provider has answered for the item or reported it, and is not gone since.
    func isKnown(_ index: Int) -> Bool { marks[index].contains(.known) }

    /// Whether the item was reported while the whole directory was being requested.
    func isFresh(_ index: Int) -> Bool { marks[index].contains(.fresh) }

    /// Whether the item has vanished from the directory.
    func hasVanished(_ index: Int) -> Bool { marks[index].contains(.vanished) }

    /// Whether a provider is being asked about the item.
    func isAsked(_ index: Int) -> Bool { asks[index] != 0 }

    /// Whether this question about the item is open.
    func isAsked(_ index: Int, by token: RequestToken) -> Bool { index < asks.count && asks[index] == token.mark }

    /// Whether the item may be in the directory, as far as is known.
    func mayBePresent(_ index: Int) -> Bool {
        !hasVanished(index) && (states[index] != .none || isAsked(index) || marks[index].contains(.listed))
    }

    /// Sets the state of an item; returns the former state if it was different.
    mutating func setState(_ index: Int, _ state: ItemState) -> ItemState? {
        let old = states[index]
        guard old != state else { return nil }
        states[index] = state
        return old
    }

    /// A provider is being asked about the item.
    mutating func markAsked(_ index: Int, by token: RequestToken) { asks[index] = token.mark }

    /// A provider has answered for the item or reported it.
    /// - Parameters:
    ///   - isListed: Whether the item is in the directory, according to the provider.
    ///   - isFresh: Whether this is newer than the listing of the whole directory in progress.
    mutating func markKnown(_ index: Int, isListed: Bool, isFresh: Bool = false) {
        asks[index] = 0
        var new = marks[index].union(isFresh ? [.known, .fresh] : .known)
        if isListed {
            new.insert(.listed)
            new.remove(.vanished)
        } else {
            new.remove(.listed)
        }
        marks[index] = new
    }

    /// The item has vanished from the directory.
    /// - Parameters:
    ///   - isAwaited: Whether a held call waits for the item; its reply then contains no badge.
    ///   - isFresh: Whether this is newer than the listing of the whole directory in progress.
    mutating func markVanished(_ index: Int, isAwaited: Bool, isFresh: Bool) {
        asks[index] = 0
        marks[index].remove(.listed)
        if isFresh { marks[index].insert(.fresh) }
        if isAwaited {
            marks[index].insert(.known)
        } else {
            marks[index].remove(.known)
            marks[index].insert(.vanished)
        }
    }

    /// The item's provider is gone.
    mutating func markUnknown(_ index: Int) {
        asks[index] = 0
        marks[index].subtract([.known, .listed, .fresh])
    }

    /// The whole directory has been listed; returns whether any item was reported meanwhile.
    mutating func clearFresh() -> Bool {
        var hadFresh = false
        for index in indices where marks[index].contains(.fresh) {
            marks[index].remove(.fresh)
            hadFresh = true
        }
        return hadFresh
    }

    // MARK: All items

    /// The items with these names, in order, and which of them are unknown; new ones are created. One that had vanished
    /// is requested again.
    mutating func request(_ wanted: [ItemName]) -> (indices: [Int32], unknown: [Int32]) {
        var indices: [Int32] = []
        indices.reserveCapacity(wanted.count)
        var unknown: [Int32] = []
        var index = -1
        for name in wanted {
            index = findOrInsert(name, guess: index + 1)
            if marks[index].contains(.vanished) { marks[index].subtract([.vanished, .known]) }
            if !marks[index].contains(.known) { unknown.append(Int32(index)) }
            indices.append(Int32(index))
        }
        return (indices, unknown)
    }

    /// The listed items after a name, and the name to continue after if there are more than `limit`.
    mutating func page(after: ItemName?, limit: Int) -> (indices: [Int32], next: ItemName?) {
        let ordered = ordered()
        var start = 0
        if let after {
            var end = ordered.count
            while start < end {
                let middle = (start + end) / 2
                if after < names[Int(ordered[middle])] {
                    end = middle
                } else {
                    start = middle + 1
                }
            }
        }
        var page: [Int32] = []
        for index in ordered[start...] where marks[Int(index)].contains(.listed) {
            if page.count == limit { return (page, page.last.map { names[Int($0)] }) }
            page.append(index)
        }
        return (page, nil)
    }

    /// The current badges of items, without names.
    func badges(of indices: [Int32], _ badges: BadgeInterner) -> BadgeColumns {
        var columns = BadgeColumns()
        columns.badges.reserveCapacity(indices.count)
        columns.flags.reserveCapacity(indices.count)
        columns.progress.reserveCapacity(indices.count)
        for index in indices {
            let state = states[Int(index)]
            columns.badges.append(badges.badge(state.badge))
            columns.flags.append(state.flags)
            columns.progress.append(state.progress)
        }
        return columns
    }

    /// The names of items.
    func names(of indices: [Int32]) -> [ItemName] { indices.map { names[Int($0)] } }

    /// Collects the numbers of the badges that items have.
    func collectBadges(into needed: inout Set<UInt16>) {
        for index in indices where isInUse(index) {
            needed.insert(states[index].badge)
        }
    }

    // MARK: The table

    func find(_ name: ItemName) -> Int? {
        guard !buckets.isEmpty else { return nil }
        let mask = buckets.count - 1
        var bucket = name.hashValue & mask
        while true {
            let index = buckets[bucket]
            if index >= 0 {
                if names[Int(index)] == name { return Int(index) }
            } else if index == Self.empty {
                return nil
            }
            bucket = (bucket + 1) & mask
        }
    }

    /// - Parameter guess: An index that may be the item's, which saves the lookup, because hosts repeat requests in the
    ///   same order.
    mutating func findOrInsert(_ name: ItemName, guess: Int = .max) -> Int {
        if guess < names.count, names[guess] == name { return guess }
        return find(name) ?? insert(name)
    }

    private mutating func insert(_ name: ItemName) -> Int {
        if (usedBuckets + 1) * 4 > buckets.count * 3 { rehash() }
        let index: Int
        if let reused = free.popLast() {
            index = Int(reused)
            names[index] = name
            states[index] = .none
            marks[index] = .inUse
            asks[index] = 0
        } else {
            index = names.count
            names.append(name)
            states.append(.none)
            marks.append(.inUse)
            asks.append(0)
        }
        place(index)
        count += 1
        order = nil
        return index
    }

    mutating func remove(_ index: Int) {
        let mask = buckets.count - 1
        var bucket = names[index].hashValue & mask
        while buckets[bucket] != Int32(index) {
            bucket = (bucket + 1) & mask
        }
        buckets[bucket] = Self.deleted
        names[index] = ItemName(canonical: "")
        marks[index] = []
        asks[index] = 0
        free.append(Int32(index))
        count -= 1
        order = nil
        if count == 0 { self = ItemTable() }
    }

    private mutating func place(_ index: Int) {
        let mask = buckets.count - 1
        var bucket = names[index].hashValue & mask
        while buckets[bucket] >= 0 {
            bucket = (bucket + 1) & mask
        }
        if buckets[bucket] == Self.empty { usedBuckets += 1 }
        buckets[bucket] = Int32(index)
    }

    private mutating func rehash() {
        var size = 8
        while size < (count + 1) * 2 { size *= 2 }
        buckets = [Int32](repeating: Self.empty, count: size)
        usedBuckets = 0
        for index in indices where isInUse(index) {
            place(index)
        }
    }

    /// The indices in use, ordered by the decoded bytes of the names.
    private mutating func ordered() -> [Int32] {
        if let order { return order }
        let names = names
        let made = indicesInUse.sorted { names[Int($0)] < names[Int($1)] }
        order = made
        return made
    }
}
