internal import RoundelBus

/// The conflict copies of a folder that are known, with the items that they belong to.
struct ConflictCopies {
    private var copies: ItemTally
    private var originals: Set<ItemURI> = []
    /// Whether all that there are were looked for.
    private(set) var areAll = false

    init(in root: ItemURI) { copies = ItemTally(in: root) }

    var items: Set<ItemURI> { copies.items }
    var count: Int { copies.count }
    var isEmpty: Bool { copies.isEmpty }

    /// The copies with the items that they belong to.
    var pairs: [(original: ItemURI, copy: ItemURI)] {
        items.sorted().compactMap { copy in ConflictName.original(of: copy).map { ($0, copy) } }
    }

    /// Whether an item is one of two versions, or contains some.
    func concern(_ item: ItemURI) -> Bool {
        copies.contains(item) || originals.contains(item) || copies.hasSome(below: item)
    }

    /// Takes over which copies there are; returns the items that are in a conflict now and were in none, or were in one.
    /// - Parameter areAll: Whether the whole folder was looked through for them.
    mutating func replace(with new: Set<ItemURI>, areAll isComplete: Bool = false) -> Set<ItemURI> {
        if isComplete { areAll = true }
        let changes = copies.replace(with: new)
        if changes.isEmpty { return [] }
        originals = Set(new.compactMap(ConflictName.original))
        return changes.union(changes.compactMap(ConflictName.original))
    }
}
