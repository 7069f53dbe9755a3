/// How far operations are, and which directories show that something below them is being synced.
struct OperationProgress {
    /// One operation.
    struct Progress {
        var bytesDone: Int64 = 0
        let bytesTotal: Int64
        /// The directories that show the operation. Nil until it runs: bytes move, or its change is being made.
        fileprivate(set) var ancestors: [NodeID]?

        var isRunning: Bool { ancestors != nil }
    }

    /// Running operations below a directory.
    private struct Below {
        var operations = 0
        var bytes: Int64 = 0
    }

    private var operations: [NodeID: Progress] = [:]
    private var below: [NodeID: Below] = [:]

    /// Whether there is no operation, running or not.
    var isEmpty: Bool { operations.isEmpty }

    /// The operation of an item; nil if it has none.
    subscript(item: NodeID) -> Progress? { operations[item] }

    /// Whether an operation runs below a directory.
    func isRunning(below directory: NodeID) -> Bool { below[directory] != nil }

    /// Bytes that running operations below a directory have moved.
    func bytesDone(below directory: NodeID) -> Int64 { below[directory]?.bytes ?? 0 }

    /// The items whose appearance changes with the operation of an item: itself, and the directories that show it.
    func affected(by item: NodeID) -> [NodeID] { [item] + (operations[item]?.ancestors ?? []) }

    /// An item gets an operation, which does not run yet.
    mutating func add(_ item: NodeID, bytes: Int64) { operations[item] = Progress(bytesTotal: bytes) }

    /// The operation of an item runs from now on.
    mutating func begin(_ item: NodeID, below ancestors: [NodeID]) {
        operations[item]?.ancestors = ancestors
        for directory in ancestors { below[directory, default: Below()].operations += 1 }
    }

    /// So many bytes of an operation are done; fewer than before do not count.
    mutating func advance(_ item: NodeID, to bytes: Int64) {
        guard let operation = operations[item] else { return }
        let done = min(max(bytes, operation.bytesDone), operation.bytesTotal)
        for directory in operation.ancestors ?? [] { below[directory]?.bytes &+= done - operation.bytesDone }
        operations[item]?.bytesDone = done
    }

    /// The item has no operation any more.
    mutating func remove(_ item: NodeID) {
        guard let operation = operations.removeValue(forKey: item) else { return }
        for directory in operation.ancestors ?? [] {
            below[directory]?.operations -= 1
            below[directory]?.bytes &-= operation.bytesDone
            if below[directory]?.operations == 0 { below[directory] = nil }
        }
    }
}
