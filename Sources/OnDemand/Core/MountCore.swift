/// Everything that is known of a mounted folder: what the kernel knows, who waits for what, who may fetch.
struct MountCore: Sendable {
    var nodes: NodeTree
    var gate = ContentsGate()
    var policy = FetchPolicy()

    /// Items that stay known until a request of the worker is answered.
    private var kept: [UInt64: NodeNumber] = [:]

    init(rootInode: UInt64) { nodes = NodeTree(rootInode: rootInode) }

    /// Keeps an item known until a request of the worker is answered. A new number for the same item would have another
    /// gate.
    mutating func keep(_ node: NodeNumber, for request: UInt64) {
        nodes.keep(node)
        kept[request] = node
    }

    /// The item that was kept for a request that is answered now; it is to be forgotten once.
    mutating func kept(for request: UInt64) -> NodeNumber? { kept.removeValue(forKey: request) }
}
