/// The items at which file systems are mounted inside the folder, and which of them are unreliable now.
struct Mounts {
    /// Why the synced file system is not at its place.
    enum Trouble: Hashable {
        /// Nothing is mounted.
        case unmounted
        /// Another file system is mounted.
        case another
        /// A file system hides what was synced.
        case covered

        /// The message about a place below the root of a side.
        func explanation(at path: RelativePath, on side: Side) -> Explanation {
            let code: Explanation.Code =
                switch self {
                case .unmounted: .unmounted
                case .another: .mountReplaced
                case .covered: .mountCovers
                }
            return Explanation(code, side, "\(path)")
        }
    }

    private struct Place: Hashable {
        var side: Side
        var node: NodeID
    }

    private var roots: Set<Place> = []
    private var away: Set<Place> = []

    /// Whether no file system was ever mounted inside the folder.
    var isEmpty: Bool { roots.isEmpty && away.isEmpty }
    /// Whether any of them is unreliable now.
    var hasAway: Bool { !away.isEmpty }

    /// The items of a side at which a file system is mounted or should be, ordered by id.
    func roots(on side: Side) -> [NodeID] {
        roots.union(away).filter { $0.side == side }.map(\.node).sorted()
    }

    /// Whether the item is unreliable now, on either side.
    func isAway(_ id: NodeID) -> Bool {
        hasAway && Side.allCases.contains { away.contains(Place(side: $0, node: id)) }
    }

    /// Records from an item's row whether a file system is mounted at it; an item without a row has none.
    mutating func set(_ id: NodeID, _ isRoot: Bool, in tree: Tree) {
        if !isRoot && isEmpty { return }
        guard let side = Side.allCases.first(where: { $0.tree == tree }) else { return }
        let place = Place(side: side, node: id)
        if isRoot {
            roots.insert(place)
        } else {
            roots.remove(place)
            away.remove(place)
        }
    }

    /// The row of an item got another id.
    mutating func renumber(_ old: NodeID, to new: NodeID, in tree: Tree) {
        guard !isEmpty, let side = Side.allCases.first(where: { $0.tree == tree }) else { return }
        if roots.remove(Place(side: side, node: old)) != nil { roots.insert(Place(side: side, node: new)) }
        if away.remove(Place(side: side, node: old)) != nil { away.insert(Place(side: side, node: new)) }
    }

    /// Marks the item as unreliable.
    mutating func leave(_ id: NodeID, on side: Side) { away.insert(Place(side: side, node: id)) }

    /// The item was seen as it should be; false if it was reliable before.
    mutating func comeBack(_ id: NodeID, on side: Side) -> Bool { away.remove(Place(side: side, node: id)) != nil }
}
