internal import RoundelBus

/// What is known of one item, small because there are many: the badge is an index into ``BadgeInterner``.
struct ItemState: Equatable {
    let flags: UInt32
    let badge: UInt16
    let progress: UInt8

    /// No badge, no flags, no progress.
    static let none = ItemState(flags: 0, badge: 0, progress: Progress.none)
}

/// The items of one directory that an observer was given or waits for: parallel arrays, and an open-addressed table from
/// the name to the index. An index stays the same while its item is kept.
struct ItemTable {
    private struct Marks: OptionSet {
        let rawValue: UInt8
        /// The index holds an item.
        static let inUse = Marks(rawValue: 1)
        /// The provider has answered for the item, or has reported it by itself.
        static let known = Marks(rawValue: 2)
        /// The provider knows the item to be in the directory.
        static let listed = Marks(rawValue: 4)
        /// Reported while the whole directory was being asked for; that answer is older.
        static let fresh = Marks(rawValue: 8)
        /// Gone from the directory; kept, once every observer was notified, for those alone who were given it by name.
        static let vanished = Marks(rawValue: 16)
    }

    /// The name of each index; empty where it holds no item.
    private(set) var names: [ItemName] = []
    private var states: [ItemState] = []
    private var marks: [Marks] = []
    /// The question that is outstanding for the item, as the low half of its token; 0: none.
    private var asks: [UInt32] = []
    private(set) var count = 0

    private var buckets: [Int32] = []
    private var usedBuckets = 0
    private var free: [Int32] = []
    private var order: [Int32]?

    private static let empty: Int32 = -1
    private static let deleted: Int32 = -2

    /// The indices in use, and others that hold no item.
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

    /// Whether the provider has answered for the item or reported it, and has not gone since.
    func isKnown(_ index: Int) -> Bool { marks[index].contains(.known) }

    /// Whether the item was reported while the whole directory was being asked for.
    func isFresh(_ index: Int) -> Bool { marks[index].contains(.fresh) }

    /// Whether the item is gone from the directory.
    func hasVanished(_ index: Int) -> Bool { marks[index].contains(.vanished) }

    /// Whether a provider is being asked for the item.
    func isAsked(_ index: Int) -> Bool { asks[index] != 0 }

    /// Whether the answer to this question is awaited for the item.
    func isAsked(_ index: Int, by token: RequestToken) -> Bool { index < asks.count && asks[index] == token.mark }

    /// Whether the item may be in the directory, as far as is known.
    func mayBePresent(_ index: Int) -> Bool {
        !hasVanished(index) && (states[index] != .none || isAsked(index) || marks[index].contains(.listed))
    }

    /// Sets what is known of an item; returns what was known before if that is something else.
    mutating func setState(_ index: Int, _ state: ItemState) -> ItemState? {
        let old = states[index]
        guard old != state else { return nil }
        states[index] = state
        return old
    }

    /// A provider is being asked for the item.
    mutating func markAsked(_ index: Int, by token: RequestToken) { asks[index] = token.mark }

    /// A provider has answered for the item or reported it.
    /// - Parameters:
    ///   - isListed: the provider knows it to be in the directory.
    ///   - isFresh: this is newer than the listing of the whole directory that is under way.
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

    /// The item is gone from the directory.
    /// - Parameters:
    ///   - isAwaited: a held call is waiting for the item, and its reply says that there is no badge.
    ///   - isFresh: this is newer than the listing of the whole directory that is under way.
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

    /// The whole directory has been listed; returns whether an item was reported meanwhile.
    mutating func clearFresh() -> Bool {
        var hadFresh = false
        for index in indices where marks[index].contains(.fresh) {
            marks[index].remove(.fresh)
            hadFresh = true
        }
        return hadFresh
    }

    // MARK: All items

    /// The items of these names, in order, and those of them that are not known; new ones are made. One that had vanished
    /// is asked for again.
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

    /// The items that are listed after a name, and the name to go on from if there are more than `limit`.
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

    /// The present badges of items, without their names.
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

    /// The numbers of the badges that items have.
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

    /// - Parameter guess: an index that may be the item's, which saves the lookup: hosts ask again in the
    ///   order in which they asked before.
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
