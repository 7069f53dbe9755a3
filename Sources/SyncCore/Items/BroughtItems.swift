/// Items of the remote that come here with their contents, though nobody asked for these: each stands for an item whose
/// contents were here, and which could not be moved to its new place. A person whose file was here finds it here.
struct BroughtItems {
    /// Those that did not arrive yet.
    private(set) var items: Set<NodeID> = []
    /// Whether they changed since they were last stored.
    private var hasChanged = false

    /// An item comes with its contents.
    mutating func add(_ id: NodeID) {
        if items.insert(id).inserted { hasChanged = true }
    }

    /// The item is here, or gone.
    mutating func remove(_ id: NodeID) {
        if items.remove(id) != nil { hasChanged = true }
    }

    /// Loads which items did not arrive in an earlier session.
    mutating func load(from store: any TreeStore, where isKnown: (NodeID) throws -> Bool) throws {
        let bytes = try store.value(.brought) ?? []
        for start in stride(from: 0, through: bytes.count - 8, by: 8) {
            let number = bytes[start..<start + 8].reversed().reduce(into: UInt64(0)) { $0 = $0 << 8 | UInt64($1) }
            let id = NodeID(Int64(bitPattern: number))
            if try isKnown(id) { items.insert(id) }
        }
    }

    /// Stores them, if they changed.
    mutating func keep(in store: any TreeStore) throws {
        guard hasChanged else { return }
        hasChanged = false
        var bytes: [UInt8] = []
        for id in items.sorted() { withUnsafeBytes(of: id.rawValue.littleEndian) { bytes += $0 } }
        try store.setValue(bytes.isEmpty ? nil : bytes, for: .brought)
    }
}
