internal import RoundelBus

/// The items of a folder that could not be received.
struct FolderFailures {
    /// Why, in Syncthing's own words.
    private(set) var reasons: [ItemURI: String] = [:]
    private var items: ItemTally

    init(in root: ItemURI) { items = ItemTally(in: root) }

    var count: Int { reasons.count }
    var isEmpty: Bool { reasons.isEmpty }
    /// The first one.
    var first: (item: ItemURI, reason: String)? { reasons.min { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// Whether an item has failed, or something in it.
    func concern(_ item: ItemURI) -> Bool { items.contains(item) || items.hasSome(below: item) }

    /// Takes over what has failed; returns what has newly, or has not any more.
    mutating func replace(with new: [ItemURI: String]) -> Set<ItemURI> {
        reasons = new
        return items.replace(with: Set(new.keys))
    }
}
