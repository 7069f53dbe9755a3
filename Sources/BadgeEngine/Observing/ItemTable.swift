internal import RoundelBus

/// The items of one directory that somebody was given or waits for: parallel arrays, and an open-addressed table from
/// the name to the index. An index stays the same while its item is kept.
struct ItemTable {
    struct Marks: OptionSet {
        let rawValue: UInt8
        /// The index holds an item.
        static let inUse = Marks(rawValue: 1)
        /// The provider has answered for the item, or has told it.
        static let known = Marks(rawValue: 2)
        /// The provider knows the item to be in the directory.
        static let listed = Marks(rawValue: 4)
        /// Told while the whole directory was being asked for; that answer is older.
        static let fresh = Marks(rawValue: 8)
        /// Gone from the directory; kept, once everybody has been told, for those alone who were given it by name.
        static let vanished = Marks(rawValue: 16)
    }

    private(set) var names: [ItemName] = []
    var states: [ItemState] = []
    var marks: [Marks] = []
    /// The question that is outstanding for the item, as the low half of its token; 0: none.
    var asks: [UInt32] = []
    private(set) var count = 0

    private var buckets: [Int32] = []
    private var usedBuckets = 0
    private var free: [Int32] = []
    private var order: [Int32]?

    private static let empty: Int32 = -1
    private static let deleted: Int32 = -2

    /// The indices in use, and others whose marks lack `inUse`.
    var indices: Range<Int> { names.indices }

    var indicesInUse: [Int32] {
        indices.filter { marks[$0].contains(.inUse) }.map { Int32($0) }
    }

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

    /// - Parameter guess: an index that may be the item's, which saves the look into the table: hosts ask again in the
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
        for index in indices where marks[index].contains(.inUse) {
            place(index)
        }
    }

    /// The indices in use, ordered by the decoded bytes of the names.
    mutating func ordered() -> [Int32] {
        if let order { return order }
        let names = names
        let made = indicesInUse.sorted { names[Int($0)] < names[Int($1)] }
        order = made
        return made
    }
}
