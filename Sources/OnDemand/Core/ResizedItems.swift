/// Items that lately got another size while nobody was seen to wait for them.
///
/// Whoever is the next to open such an item may have been on its way then: the kernel had looked at the attributes, and
/// its request was not read yet. Who begins again without need loses one look, and nobody is told.
///
/// Pure, and of a limited size: what was resized longest ago is given up first, whose openings have long been read.
struct ResizedItems: Sendable {
    /// How many are kept.
    static let limit = 64

    private var nodes: [NodeNumber] = []

    init() {}

    /// An item has got another size.
    mutating func add(_ node: NodeNumber) {
        remove(node)
        nodes.append(node)
        if nodes.count > Self.limit { nodes.removeFirst() }
    }

    /// Nobody needs to begin again for an item.
    ///
    /// - Returns: Whether the next to open it had to.
    @discardableResult
    mutating func remove(_ node: NodeNumber) -> Bool {
        guard let place = nodes.firstIndex(of: node) else { return false }
        nodes.remove(at: place)
        return true
    }
}
