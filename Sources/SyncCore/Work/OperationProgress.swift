/// The progress of operations, and which directories show that something below them is being synced.
struct OperationProgress {
    /// One operation.
    struct Progress {
        var bytesDone: Int64 = 0
        let bytesTotal: Int64
        /// The directories that show the operation. Nil until it runs: bytes are transferred, or its change is being
        /// made.
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

    /// Adds an operation, which is not running yet.
    mutating func add(_ item: NodeID, bytes: Int64) { operations[item] = Progress(bytesTotal: bytes) }

    /// The operation of an item starts running.
    mutating func begin(_ item: NodeID, below ancestors: [NodeID]) {
        operations[item]?.ancestors = ancestors
        for directory in ancestors { below[directory, default: Below()].operations += 1 }
    }

    /// This many bytes of an operation are done; a smaller number than before is ignored.
    mutating func advance(_ item: NodeID, to bytes: Int64) {
        guard let operation = operations[item] else { return }
        let done = min(max(bytes, operation.bytesDone), operation.bytesTotal)
        for directory in operation.ancestors ?? [] { below[directory]?.bytes &+= done - operation.bytesDone }
        operations[item]?.bytesDone = done
    }

    /// Removes the operation of an item.
    mutating func remove(_ item: NodeID) {
        guard let operation = operations.removeValue(forKey: item) else { return }
        for directory in operation.ancestors ?? [] {
            below[directory]?.operations -= 1
            below[directory]?.bytes &-= operation.bytesDone
            if below[directory]?.operations == 0 { below[directory] = nil }
        }
    }
}
