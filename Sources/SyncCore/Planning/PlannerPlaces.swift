/// Where items belong: moves, rings of moves, and names that are taken.
extension Planner {
    /// The place where an item that exists on both sides belongs, and the side on which it must move; nil if nowhere.
    func desiredPlace(_ rows: Rows) throws -> (side: Side, place: Place)? {
        guard let local = rows.local, let remote = rows.remote else { return nil }
        if local.isSamePlace(as: remote) { return nil }
        if IntermediateName.isIntermediate(remote.name) { return (.remote, local.place) }
        if IntermediateName.isIntermediate(local.name) { return (.local, remote.place) }
        guard let base = rows.synced else { return (.local, remote.place) }
        // If it was moved on both sides, the remote's place counts.
        if !remote.isSamePlace(as: base) { return (.local, remote.place) }
        return try mayNotMove(remote, to: local.place) ? (.local, remote.place) : (.remote, local.place)
    }

    /// Both sides have the same contents: brings them to one place with the same permissions, and records that as the
    /// base.
    func agreeOnPlace(_ rows: Rows) throws -> Decision {
        if let move = try moveDecision(rows) { return move }
        guard let local = rows.local, let remote = rows.remote else { return .nothing }
        var base = Node(
            id: rows.id, parent: remote.parent, name: remote.name, kind: remote.kind, local: local.local,
            remote: remote.remote, hash: local.local?.hash ?? remote.remote?.hash ?? rows.synced?.hash)
        if try store.node(base.parent, in: .synced) == nil { return .wait(base.parent) }
        if let (withheld, left) = withholding(rows) {
            base.withheld = withheld
            base.local?.permissions = left
            return .adopt(base)
        }
        base.withheld = remote.isReadOnly ? rows.synced?.withheld : nil
        if let change = permissionsDecision(rows) {
            if rows.synced != nil { return change }
            // Without a base, there is nowhere to record what was done about them.
            for side in Side.allCases { base[side]?.permissions = nil }
        }
        return base == rows.synced ? .nothing : .adopt(base)
    }

    /// Both sides have the same contents at different places, and what is in the way may stay there for long: records
    /// that the contents are equal, so that the next change of one side is not a conflict. Nil if the place is not an
    /// obstacle.
    func adoptWhereItStands(_ rows: Rows) throws -> Decision? {
        switch try moveDecision(rows) {
        case .wait, .blocked: break
        case nil, .some: return nil
        }
        guard let local = rows.local, let remote = rows.remote else { return nil }
        // Without a base the remote's place counts, and it still does with this one.
        let place = rows.synced?.place ?? local.place
        guard try store.node(place.parent, in: .synced) != nil else { return nil }
        var base = Node(
            id: rows.id, parent: place.parent, name: place.name, kind: remote.kind, local: local.local,
            remote: remote.remote, hash: local.local?.hash ?? remote.remote?.hash ?? rows.synced?.hash)
        // Permissions are agreed on only at the final place.
        for side in Side.allCases { base[side]?.permissions = rows.synced?[side]?.permissions }
        base.withheld = rows.synced?.withheld
        return .adopt(base)
    }

    /// The move that an item needs; nil if it is at the same place on both sides.
    func moveDecision(_ rows: Rows) throws -> Decision? {
        guard let (side, place) = try desiredPlace(rows) else { return nil }
        return try move(rows, on: side, to: place)
    }

    private func move(_ rows: Rows, on side: Side, to place: Place) throws -> Decision {
        guard let version = rows[side]?[side] else { return .nothing }
        guard try isThere(place.parent, on: side) else { return .wait(place.parent) }
        if let row = rows[side], try fileSystem(of: row.parent, on: side) != fileSystem(of: place.parent, on: side) {
            // If it were parted, it would disappear here, and could reappear only after the user makes room there.
            let taken = try occupant(of: place, on: side, besides: rows.id)
            if let taken, let obstacle = try obstacle(taken) { return obstacle }
            // What is not here cannot be copied to the other file system.
            if side == .remote, try holdsPlaceholder(rows.id) {
                let old = try store.path(of: rows.id, in: .remote) ?? .root
                let new = (try store.path(of: place.parent, in: .remote) ?? .root).appending(place.name)
                return .blocked(Explanation(.movedAcross, side, "\(old)", "\(new)"))
            }
            return .part(side)
        }
        if let parting = try parting(from: place.parent, on: side) { return .wait(parting) }
        if rows.kind == .directory, try isBelow(place.parent, rows.id, in: side.tree) {
            if let first = try leaver(from: place.parent, below: rows.id, on: side) { return .wait(first) }
            return try breakRing(rows, on: side, target: place.parent)
        }
        if let taken = try occupant(of: place, on: side, besides: rows.id) {
            return try clash(rows, on: side, place: place, with: taken, as: .item(expected: version))
        }
        return .move(side, to: place, expected: version)
    }

    /// The side on which an item must move; nil if on none. If directories were moved into each other, the remote's
    /// order counts, so they move on the local side, whatever each one's own place suggests.
    func movingSide(of rows: Rows) throws -> Side? {
        guard let (side, place) = try desiredPlace(rows) else { return nil }
        let isRing =
            try rows.kind == .directory && isBelow(place.parent, rows.id, in: side.tree)
            && leaver(from: place.parent, below: rows.id, on: side) == nil
        return isRing ? .local : side
    }

    /// The topmost directory of the file system that contains a directory of a side: nothing can be moved between file
    /// systems.
    func fileSystem(of directory: NodeID, on side: Side) throws -> NodeID {
        var current = directory
        while current != .root, let row = try store.node(current, in: side.tree) {
            if row.isMountRoot { return current }
            current = row.parent
        }
        return .root
    }

    /// The directory, a given one or an ancestor, that is about to be parted: on the other side it becomes a different
    /// one, and an item that was moved into it before would follow it there.
    private func parting(from directory: NodeID, on side: Side) throws -> NodeID? {
        var current = directory
        while current != .root, let row = try store.node(current, in: side.tree) {
            if let (moving, place) = try desiredPlace(rows(current)), try isThere(place.parent, on: moving),
                let there = try store.node(current, in: moving.tree),
                try fileSystem(of: there.parent, on: moving) != fileSystem(of: place.parent, on: moving)
            {
                return current
            }
            current = row.parent
        }
        return nil
    }

    /// The directory, between a given one and an ancestor, that is itself about to move out of that ancestor on this
    /// side: a directory and one of its contents changed places.
    private func leaver(from directory: NodeID, below top: NodeID, on side: Side) throws -> NodeID? {
        var current = directory
        while current != top, let row = try store.node(current, in: side.tree) {
            if let (moving, place) = try desiredPlace(rows(current)), moving == side,
                try !isBelow(place.parent, top, in: side.tree)
            {
                return current
            }
            current = row.parent
        }
        return nil
    }

    /// The move would put a directory into itself, because both sides moved directories into each other. The remote's
    /// order counts: the directory nearest to the root whose place differs is moved to its remote place, where no ring
    /// is possible.
    private func breakRing(_ rows: Rows, on side: Side, target: NodeID) throws -> Decision {
        var first: NodeID?
        var current = side == .remote ? rows.id : target
        while current != .root, let row = try store.node(current, in: .remote) {
            guard let local = try store.node(current, in: .local) else { return .wait(current) }
            if !local.isSamePlace(as: row) { first = current }
            current = row.parent
        }
        guard let first, let remote = try store.node(first, in: .remote), let version = rows.local?.local
        else { return .blocked(Explanation(.movedIntoItself)) }
        if first != rows.id { return .wait(first) }
        // A temporary name in an exchange of names is not a place that the user chose.
        let name = (rows.synced ?? rows.local ?? remote).name
        if IntermediateName.isIntermediate(remote.name), !IntermediateName.isIntermediate(name) {
            return try nameBack(rows, on: .remote, Place(parent: remote.parent, name: name))
        }
        if let taken = try occupant(of: remote.place, on: .local, besides: first) {
            return try clash(rows, on: .local, place: remote.place, with: taken, as: .item(expected: version))
        }
        return .move(.local, to: remote.place, expected: version)
    }

    func isBelow(_ id: NodeID, _ ancestor: NodeID, in tree: Tree) throws -> Bool {
        var current = id
        while current != .root && current != .none {
            if current == ancestor { return true }
            guard let node = try store.node(current, in: tree) else { return false }
            current = node.parent
        }
        return false
    }

    /// Brings an item that exists only on one side to the other.
    func appear(_ rows: Rows, on side: Side) throws -> Decision {
        guard let source = rows[side.other], let version = source[side.other] else { return .nothing }
        let place = source.place
        guard try isThere(place.parent, on: side) else { return .wait(place.parent) }
        if let taken = try occupant(of: place, on: side, besides: rows.id) {
            let arrival: Arrival = rows.kind == .directory ? .directory : .contents(source: version)
            return try clash(rows, on: side, place: place, with: taken, as: arrival)
        }
        if side == .remote, let refusal = try refusal(of: rows, in: place.parent) { return .blocked(refusal) }
        if rows.kind == .directory { return .makeDirectory(side, place) }
        return .transfer(from: side.other, source: version, to: place, replacing: nil)
    }

    /// An item that is left on one side counts as new there. If it has a temporary name, it first gets its real name
    /// back.
    func survive(_ rows: Rows) throws -> Decision {
        guard let side = Side.allCases.first(where: { rows[$0] != nil }) else { return .dropBase }
        return try nameBack(rows, on: side) ?? .dropBase
    }

    /// Gives an item with a temporary name from this client's own exchange of names its real name back: once the base
    /// is forgotten, that name is lost. Nil if it has no temporary name.
    func nameBack(_ rows: Rows, on side: Side) throws -> Decision? {
        guard let base = rows.synced, let row = rows[side], IntermediateName.isIntermediate(row.name),
            !IntermediateName.isForeign(row.name, to: tag), !IntermediateName.isIntermediate(base.name)
        else { return nil }
        let parent = try isThere(base.parent, on: side) ? base.parent : row.parent
        return try nameBack(rows, on: side, Place(parent: parent, name: base.name))
    }

    /// Moves an item with a temporary name to a place, under another name if something stays there.
    private func nameBack(_ rows: Rows, on side: Side, _ wanted: Place) throws -> Decision {
        guard let version = rows[side]?[side] else { return .nothing }
        var place = wanted
        if let taken = try occupant(of: place, on: side, besides: rows.id) {
            if try leaves(self.rows(taken.id), side) { return .wait(taken.id) }
            place.name = try freeName(for: place.name, in: place.parent)
        }
        return .move(side, to: place, expected: version)
    }

    func isThere(_ directory: NodeID, on side: Side) throws -> Bool {
        try store.node(directory, in: side.tree)?.isMissing == false
    }

    func occupant(of place: Place, on side: Side, besides id: NodeID) throws -> Node? {
        try store.nodes(named: place.name, of: place.parent, in: side.tree).first { $0.id != id && !$0.isMissing }
    }

    /// An item that is not synced stays where it is, even if another one belongs there.
    private func obstacle(_ taken: Node) throws -> Decision? {
        try store.status(taken.id)?.state == .excluded ? .blocked(Explanation(.obstructed)) : nil
    }

    /// Another item has this one's place on a side: it is about to leave, it is the same item, or there is a conflict.
    private func clash(
        _ rows: Rows, on side: Side, place: Place, with taken: Node, as arrival: Arrival
    ) throws -> Decision {
        if let obstacle = try obstacle(taken) { return obstacle }
        let other = try self.rows(taken.id)
        // The copy of an item was moved back to where the item itself still stands.
        if copied[taken.id] == rows.id, other.kind == rows.kind, rows.synced == nil, rows[side] == nil,
            other[side.other] == nil, rows[side.other]?.isSamePlace(as: taken) == true
        {
            return .merge(keep: taken.id, drop: rows.id, tree: side.other.tree)
        }
        if try leaves(other, side) { return .wait(taken.id) }
        // Both are at one place on the other side, of which only a part was listed: where the item in the way moved was
        // not seen yet.
        if let mine = rows[side.other], let there = other[side.other], mine.isSamePlace(as: there) {
            return .wait(taken.id)
        }
        let isOneItem =
            other.kind == rows.kind && other.synced == nil && rows.synced == nil && other[side.other] == nil
            && rows[side] == nil
        if isOneItem {
            return .merge(
                keep: min(rows.id, taken.id), drop: max(rows.id, taken.id), tree: try treeToMerge(rows, taken.id))
        }
        // The remote's item takes the place of the local one, which keeps its name until then.
        guard side == .local, let version = taken.local else { return .wait(taken.id) }
        let name = try freeName(for: place.name, in: place.parent)
        return .displace(Displacement(node: taken.id, expected: version, name: name), by: arrival, at: place)
    }

    /// The tree that holds the row of the greater of the two ids.
    private func treeToMerge(_ rows: Rows, _ taken: NodeID) throws -> Tree {
        let greater = max(rows.id, taken)
        return try store.node(greater, in: .local) != nil ? .local : .remote
    }

    /// Whether the item in the way on a side will be moved or deleted, or that is undecided.
    private func leaves(_ rows: Rows, _ side: Side) throws -> Bool {
        if rows.isUnseen || isExchangedElsewhere(rows) { return true }
        if rows[side.other] == nil { return rows.synced != nil }
        guard let (moving, _) = try desiredPlace(rows) else { return false }
        return moving == side
    }

    /// The first conflict name that is unused on both sides, as far as is known.
    func freeName(for name: EntryName, in parent: NodeID) throws -> EntryName {
        var number = 1
        while true {
            let candidate = ConflictName.make(for: name, at: now, by: author, number: number)
            let isFree = try [Tree.local, .remote].allSatisfy {
                try store.nodes(named: candidate, of: parent, in: $0).isEmpty
            }
            if isFree && uploads?.isTaken(Place(parent: parent, name: candidate)) != true { return candidate }
            number += 1
        }
    }
}
