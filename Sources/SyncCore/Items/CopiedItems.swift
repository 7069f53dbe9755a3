/// Items that could not be moved and stay at their old places until copies of them have arrived, and the items that stand for
/// them at their new places.
struct CopiedItems {
    /// The copy of each.
    private(set) var copies: [NodeID: NodeID] = [:]
    /// Whether they changed since they were last stored.
    private var hasChanged = false

    /// An item that cannot be moved is copied to its new place, by this other item, and then removed.
    mutating func note(_ id: NodeID, as copy: NodeID) {
        copies[id] = copy
        hasChanged = true
    }

    /// The item no longer waits for its copy.
    mutating func forget(_ id: NodeID) {
        if copies.removeValue(forKey: id) != nil { hasChanged = true }
    }

    /// A copy became one with another item, which stands for it from now on; nothing stands for itself.
    mutating func replace(_ copy: NodeID, as other: NodeID) {
        for (id, known) in copies where known == copy {
            if id == other { forget(id) } else { note(id, as: other) }
        }
    }

    /// Loads which items an earlier session left at their old places: without that they would look deleted, and could be
    /// removed before.
    mutating func load(from store: any TreeStore, where isKnown: (NodeID) throws -> Bool) throws {
        let bytes = try store.value(.copied) ?? []
        let numbers = stride(from: 0, through: bytes.count - 8, by: 8).map { start in
            bytes[start..<start + 8].reversed().reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
        }
        for start in stride(from: 0, through: numbers.count - 2, by: 2) {
            let (id, copy) = (NodeID(Int64(bitPattern: numbers[start])), NodeID(Int64(bitPattern: numbers[start + 1])))
            if try isKnown(id) { copies[id] = copy }
        }
    }

    /// Stores them, if they changed.
    mutating func keep(in store: any TreeStore) throws {
        guard hasChanged else { return }
        hasChanged = false
        var bytes: [UInt8] = []
        for (id, copy) in copies.sorted(by: { $0.key < $1.key }) {
            for number in [id.rawValue, copy.rawValue] {
                withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
            }
        }
        try store.setValue(bytes.isEmpty ? nil : bytes, for: .copied)
    }
}
