/// One directory of a ``WatchTree``: 28 bytes.
struct WatchTreeNode {
    var parent: WatchNodeID
    var firstChild: WatchNodeID
    var next: WatchNodeID
    var previous: WatchNodeID
    var nameOffset: UInt32
    var watch: Int32
    var nameLength: UInt8
    var flags: WatchTree.Flags
    var isFree: Bool

    static var blank: WatchTreeNode {
        WatchTreeNode(
            parent: WatchTree.none, firstChild: WatchTree.none, next: WatchTree.none, previous: WatchTree.none,
            nameOffset: 0, watch: -1, nameLength: 0, flags: [], isFree: false)
    }
}

/// The records and names together, so that a table can be changed while they are read.
struct WatchTreeStore: ~Copyable {
    var nodes = MappedArray<WatchTreeNode>()
    var names = MappedArray<UInt8>()

    func name(of node: WatchNodeID) -> UnsafeBufferPointer<UInt8> {
        let offset = Int(nodes[Int(node)].nameOffset)
        return names.elements(offset..<offset + Int(nodes[Int(node)].nameLength))
    }

    func nameHash(_ node: WatchNodeID) -> UInt32 {
        WatchTree.hash(nodes[Int(node)].parent, name(of: node))
    }

    func watchHash(_ node: WatchNodeID) -> UInt32 {
        WatchTree.hash(nodes[Int(node)].watch)
    }
}
