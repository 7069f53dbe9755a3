/// Descriptors of the directories that were used last. A directory stays the same one when it is renamed.
struct DirectoryCache: Sendable {
    private static let limit = 128

    private var files: [NodeNumber: BackingFile] = [:]
    /// In the order in which they came.
    private var order: [NodeNumber] = []

    subscript(node: NodeNumber) -> BackingFile? { files[node] }

    mutating func insert(_ file: BackingFile, for node: NodeNumber) {
        if files.updateValue(file, forKey: node) == nil { order.append(node) }
        guard order.count > Self.limit else { return }
        // Half of them at once, so that it is rare.
        for node in order.prefix(Self.limit / 2) { files[node] = nil }
        order.removeFirst(Self.limit / 2)
    }

    mutating func remove(_ node: NodeNumber) {
        guard files.removeValue(forKey: node) != nil else { return }
        order.removeAll { $0 == node }
    }
}
