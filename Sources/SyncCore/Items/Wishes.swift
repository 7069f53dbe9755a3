/// The items of which the user said where their contents should be. There are only a few.
struct Wishes {
    private var wishes: [NodeID: Wish] = [:]

    init(_ wishes: [NodeID: Wish] = [:]) { self.wishes = wishes }

    /// The item's own wish.
    subscript(id: NodeID) -> Wish {
        get { wishes[id] ?? Wish.none }
        set { wishes[id] = newValue == .none ? nil : newValue }
    }

    /// Whether no item has one.
    var isEmpty: Bool { wishes.isEmpty }
}

extension Items {
    /// The user wants the contents of an item, and of everything in it, to be elsewhere.
    mutating func wish(_ wish: Wish, for id: NodeID) throws {
        guard try isKnown(id), wishes[id] != wish else { return }
        try keepWish(wish, for: id)
        for file in fetched.takeAll() { agenda.add(file) }
        try reviseWishes(from: id)
    }

    /// The contents of an item and of everything in it may be wanted elsewhere, for example because it is in another
    /// directory.
    mutating func reviseWishes(from id: NodeID) throws {
        let planner = planner
        for below in try subtreeUpwards(id, in: .local) {
            guard let row = try store.node(below, in: .local), row.kind == .file, let residence = row.local?.residence
            else { continue }
            let isElsewhere = try planner.wish(for: below) == (residence == .here ? .remoteAlone : .alwaysHere)
            if isElsewhere { try markDirty(below) }
        }
    }

    /// Another item stands for one from now on: what was wanted of that is wanted of this, unless something else is, and
    /// what was demanded of it is demanded of this.
    ///
    /// - Parameter staysHere: Whether the contents here still belong to the former item: to free them concerns that one.
    mutating func passWish(of old: NodeID, to new: NodeID, staysHere: Bool = false) throws {
        if wishes[old] != .none && wishes[new] == .none { try keepWish(wishes[old], for: new) }
        if !staysHere || demands.aims[old] != .away { demands.pass(old, to: new) }
    }
}
