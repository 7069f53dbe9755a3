internal import RoundelBus

/// Marked places with all that lead to them, so that those below one are found without looking at the others.
struct PlaceTree {
    private var marked: Set<ItemURI> = []
    /// From a place to the next ones on the way to a marked one.
    private var children: [ItemURI: Set<ItemURI>] = [:]

    mutating func mark(_ place: ItemURI) {
        marked.insert(place)
        var child = place
        while let parent = child.parent, children[parent, default: []].insert(child).inserted { child = parent }
    }

    mutating func unmark(_ place: ItemURI) {
        marked.remove(place)
        var child = place
        while !marked.contains(child), children[child] == nil, let parent = child.parent {
            children[parent]?.remove(child)
            if children[parent]?.isEmpty ?? true { children[parent] = nil }
            child = parent
        }
    }

    /// The marked places at `place` and below it, in no particular order.
    func marked(within place: ItemURI) -> [ItemURI] {
        var found: [ItemURI] = []
        var rest = [place]
        while let next = rest.popLast() {
            if marked.contains(next) { found.append(next) }
            rest += children[next] ?? []
        }
        return found
    }

    /// Those of the names in `place` that are marked or lead to a marked place.
    func children(of place: ItemURI, among names: [ItemName]) -> [ItemURI] {
        guard let children = children[place] else { return [] }
        return names.map { place.appending($0) }.filter { children.contains($0) }
    }
}
