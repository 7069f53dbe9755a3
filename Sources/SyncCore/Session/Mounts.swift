/// The items at which file systems are mounted inside the folder, and those of them that cannot be relied on now.
struct Mounts {
    /// What stands at a place is not the file system that was synced there.
    enum Trouble: Hashable {
        /// Nothing is mounted.
        case unmounted
        /// Another file system is mounted.
        case another
        /// A file system hides what was synced.
        case covered

        /// A sentence about a place below the root of a side.
        func sentence(at path: RelativePath, on side: Side) -> String {
            let place = side == .local ? "on this computer" : "on the remote"
            switch self {
            case .unmounted:
                return
                    "“\(path)” is not mounted \(place), so nothing in it is synced. Mount it again. If it is gone for "
                    + "good, remove its empty directory, or exclude it."
            case .another:
                return
                    "Another file system is mounted at “\(path)” \(place), so nothing in it is synced. Mount the one that "
                    + "was synced. To sync the new one instead, exclude “\(path)” and then sync it again."
            case .covered:
                return
                    "A file system is mounted over “\(path)” \(place) and hides what was synced there, so nothing in it "
                    + "is synced. Unmount it, or mount it at an empty directory."
            }
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
    /// Whether one of them cannot be relied on now.
    var hasAway: Bool { !away.isEmpty }

    /// The items of a side at which a file system is mounted or should be, ordered by id.
    func roots(on side: Side) -> [NodeID] {
        roots.union(away).filter { $0.side == side }.map(\.node).sorted()
    }

    /// Whether the item cannot be relied on now, on either side.
    func isAway(_ id: NodeID) -> Bool {
        hasAway && Side.allCases.contains { away.contains(Place(side: $0, node: id)) }
    }

    /// The row of an item says whether a file system is mounted at it; one that has no row any more is none.
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

    /// The item cannot be relied on.
    mutating func leave(_ id: NodeID, on side: Side) { away.insert(Place(side: side, node: id)) }

    /// The item was seen as it should be; false if it was so before.
    mutating func comeBack(_ id: NodeID, on side: Side) -> Bool { away.remove(Place(side: side, node: id)) != nil }
}
