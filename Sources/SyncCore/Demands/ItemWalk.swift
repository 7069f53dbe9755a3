/// Finds the files of an item one after the other: the item itself, or every file in a directory, at any depth.
///
/// It keeps a position in each directory down to the present one, so its size is that of a path, whatever the size of the
/// directory. What comes into a directory behind its position is not found.
struct ItemWalk {
    private struct Level {
        let directory: NodeID
        /// Items that are not on this computer yet are found in the remote tree, after all others.
        var tree = Tree.local
        var last: Node?
        /// Rows that were read and not visited, the next one last.
        var rows: [Node] = []
        var isLastPage = false
    }

    private static let pageSize = 32

    private var levels: [Level] = []
    private var single: NodeID?

    /// - Parameter isDirectory: Whether the item is a directory.
    init(_ item: NodeID, isDirectory: Bool) {
        if isDirectory { levels = [Level(directory: item)] } else { single = item }
    }

    /// The next file; nil at the end.
    mutating func next(in store: any TreeStore) throws -> NodeID? {
        if let file = single.take() { return file }
        while !levels.isEmpty {
            guard let row = try nextRow(in: store) else {
                levels.removeLast()
                continue
            }
            if row.kind == .directory { levels.append(Level(directory: row.id)) } else { return row.id }
        }
        return nil
    }

    /// The next row of the deepest directory; nil at its end.
    private mutating func nextRow(in store: any TreeStore) throws -> Node? {
        let index = levels.count - 1
        while true {
            if let row = levels[index].rows.popLast() {
                if row.isMissing { continue }
                if try levels[index].tree == .local || store.node(row.id, in: .local) == nil { return row }
            } else if !levels[index].isLastPage {
                let page = try store.children(
                    of: levels[index].directory, in: levels[index].tree, after: levels[index].last,
                    limit: Self.pageSize)
                levels[index].last = page.last
                levels[index].isLastPage = page.count < Self.pageSize
                levels[index].rows = page.reversed()
            } else if levels[index].tree == .local {
                levels[index] = Level(directory: levels[index].directory, tree: .remote)
            } else {
                return nil
            }
        }
    }
}
