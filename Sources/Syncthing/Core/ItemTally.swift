internal import RoundelBus

/// A set of items of a folder that knows, of each directory, whether it contains some of them.
struct ItemTally: Equatable, Sendable {
    private let root: ItemURI
    private(set) var items: Set<ItemURI> = []
    /// How many of the items are below each directory of the folder, itself included.
    private var below: [ItemURI: Int] = [:]

    init(in root: ItemURI) { self.root = root }

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }
    func contains(_ item: ItemURI) -> Bool { items.contains(item) }
    /// Whether some of the items are below this one.
    func hasSome(below item: ItemURI) -> Bool { below[item] != nil }

    /// Adds an item of the folder; returns whether it is new.
    @discardableResult
    mutating func insert(_ item: ItemURI) -> Bool {
        guard items.insert(item).inserted else { return false }
        for directory in directories(above: item) { below[directory, default: 0] += 1 }
        return true
    }

    /// Removes an item; returns whether it was there.
    @discardableResult
    mutating func remove(_ item: ItemURI) -> Bool {
        guard items.remove(item) != nil else { return false }
        for directory in directories(above: item) {
            let left = (below[directory] ?? 1) - 1
            below[directory] = left == 0 ? nil : left
        }
        return true
    }

    /// Makes it contain these items; returns those that came or went.
    @discardableResult
    mutating func replace(with new: Set<ItemURI>) -> Set<ItemURI> {
        let changed = items.symmetricDifference(new)
        for item in changed { if new.contains(item) { insert(item) } else { remove(item) } }
        return changed
    }

    private func directories(above item: ItemURI) -> [ItemURI] {
        var directories: [ItemURI] = []
        var place = item
        while place != root, let parent = place.parent {
            directories.append(parent)
            place = parent
        }
        return directories
    }
}
