/// A hash table of node numbers: open addressing, linear probing, no tombstones.
///
/// It contains only numbers; the nodes contain the data for hashing and comparing.
struct NodeIndex: ~Copyable {
    /// Each slot holds a node number plus one; 0 is free.
    private var slots = MappedArray<UInt32>(zeroed: 1024)
    private(set) var count = 0

    private var mask: Int { slots.count - 1 }

    func find(hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32? {
        var position = Int(hash) & mask
        while slots[position] != 0 {
            let node = slots[position] - 1
            if matches(node) { return node }
            position = (position + 1) & mask
        }
        return nil
    }

    /// Adds a node that is not in the table; `hashOf` returns the hash of existing nodes.
    mutating func insert(_ node: UInt32, hash: UInt32, hashOf: (UInt32) -> UInt32) {
        if (count + 1) * 4 > slots.count * 3 { grow(hashOf) }
        place(node, hash)
        count += 1
    }

    /// Removes a node and closes the gap, so that every probe still ends at the first free slot.
    mutating func remove(_ node: UInt32, hash: UInt32, hashOf: (UInt32) -> UInt32) {
        var gap = Int(hash) & mask
        while slots[gap] != node + 1 {
            if slots[gap] == 0 { return }
            gap = (gap + 1) & mask
        }
        var next = (gap + 1) & mask
        while slots[next] != 0 {
            let home = Int(hashOf(slots[next] - 1)) & mask
            if (next - home) & mask >= (next - gap) & mask {
                slots[gap] = slots[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        slots[gap] = 0
        count -= 1
    }

    private mutating func place(_ node: UInt32, _ hash: UInt32) {
        var position = Int(hash) & mask
        while slots[position] != 0 { position = (position + 1) & mask }
        slots[position] = node + 1
    }

    private mutating func grow(_ hashOf: (UInt32) -> UInt32) {
        var previous = MappedArray<UInt32>(zeroed: slots.count * 2)
        swap(&slots, &previous)
        for position in 0..<previous.count where previous[position] != 0 {
            place(previous[position] - 1, hashOf(previous[position] - 1))
        }
    }
}
