/// The nodes of the watch tree that anchors are bound to: where each ends, where it waits for an entry to appear, and
/// the directories whose entries it needs.
struct AnchorPlaces {
    private var ends: [WatchNodeID: [Anchor]] = [:]
    private var waiting: [WatchNodeID: [Anchor]] = [:]
    /// How many anchors need the entries of a node.
    private var uses: [WatchNodeID: Int] = [:]

    /// The anchors that end at a node.
    func ending(at node: WatchNodeID) -> [Anchor] { ends[node] ?? [] }

    /// The anchors that wait for an entry of a node.
    func waiting(at node: WatchNodeID) -> [Anchor] { waiting[node] ?? [] }

    /// Both of them.
    func bound(to node: WatchNodeID) -> [Anchor] { ending(at: node) + waiting(at: node) }

    /// Whether an anchor ends or waits at a node.
    func isBound(_ node: WatchNodeID) -> Bool { ends[node] != nil || waiting[node] != nil }

    func isWaitedAt(_ node: WatchNodeID) -> Bool { waiting[node] != nil }

    /// Whether an anchor needs the entries of a node.
    func isUsed(_ node: WatchNodeID) -> Bool { uses[node] != nil }

    mutating func end(_ anchor: Anchor, at node: WatchNodeID) { ends[node, default: []].append(anchor) }

    mutating func removeEnd(of anchor: Anchor, at node: WatchNodeID) { Self.remove(anchor, from: &ends[node]) }

    mutating func wait(_ anchor: Anchor, at node: WatchNodeID) { waiting[node, default: []].append(anchor) }

    mutating func removeWait(of anchor: Anchor, at node: WatchNodeID) { Self.remove(anchor, from: &waiting[node]) }

    /// Removes a node that leaves the tree, with everything still bound to it.
    mutating func forget(_ node: WatchNodeID) {
        ends[node] = nil
        waiting[node] = nil
    }

    mutating func use(_ node: WatchNodeID) { uses[node, default: 0] += 1 }

    mutating func endUse(of node: WatchNodeID) {
        let count = (uses[node] ?? 1) - 1
        uses[node] = count > 0 ? count : nil
    }

    private static func remove(_ anchor: Anchor, from list: inout [Anchor]?) {
        list?.removeAll { $0 === anchor }
        if list?.isEmpty ?? false { list = nil }
    }
}
