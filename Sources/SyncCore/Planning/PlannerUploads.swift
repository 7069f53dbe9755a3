/// Decisions for a folder from which items are only uploaded: see ``UploadRules``.
extension Planner {
    /// The next thing to do for an item that is not missing here.
    func decideUpload(_ rows: Rows, _ uploads: UploadRules) throws -> Decision {
        guard let local = rows.local else { return try forgetUpload(rows) }
        if rows.kind == .directory {
            guard rows.remote != nil else { return try bring(rows, local, uploads) }
        } else {
            switch rows.synced == nil ? .changed : change(of: rows, on: .local) {
            case .changed, .absent: return try uploadContents(rows, local, uploads)
            case .uncertain: return local.local.map { .hash(.local, $0) } ?? .nothing
            case .unchanged: break
            }
        }
        if let move = try followMove(rows, local, uploads) { return move }
        let agreement = adoptUpload(rows, local)
        guard agreement == .nothing, uploads.trashesUploaded, rows.kind == .file, let version = local.local
        else { return agreement }
        // Another write could have the same tag.
        return version.isRacy ? .hash(.local, version) : .remove(.local, expected: version)
    }

    /// It was deleted here: what was uploaded stays where it is, and is known no longer. What was moved out of a directory
    /// leaves it at the remote first.
    private func forgetUpload(_ rows: Rows) throws -> Decision {
        let child = try store.children(of: rows.id, in: .remote, after: nil, limit: 1).first
        return child.map { .wait($0.id) } ?? .dropBase
    }

    /// New contents replace exactly the version that was put there. If that is gone, they are new.
    private func uploadContents(_ rows: Rows, _ local: Node, _ uploads: UploadRules) throws -> Decision {
        guard let there = rows.remote, let old = there.remote, let version = local.local else {
            return try bring(rows, local, uploads)
        }
        return .transfer(from: .local, source: version, to: there.place, replacing: old)
    }

    /// Puts a new item at the remote.
    private func bring(_ rows: Rows, _ local: Node, _ uploads: UploadRules) throws -> Decision {
        guard let version = local.local else { return .nothing }
        guard try isThere(local.parent, on: .remote) else { return .wait(local.parent) }
        if let other = try leaver(from: local.place, for: rows.id, uploads) { return .wait(other) }
        let place = try freePlace(for: rows.id, local.place, uploads)
        if rows.kind == .directory { return .makeDirectory(.remote, place) }
        return .transfer(from: .local, source: version, to: place, replacing: nil)
    }

    /// Moves what was uploaded and has been moved here since; nil if nothing is to be moved.
    private func followMove(_ rows: Rows, _ local: Node, _ uploads: UploadRules) throws -> Decision? {
        guard let base = rows.synced, !local.isSamePlace(as: base), let there = rows.remote, let version = there.remote
        else { return nil }
        guard try isThere(local.parent, on: .remote) else { return .wait(local.parent) }
        if rows.kind == .directory, let first = try mover(from: local.parent, below: rows.id) { return .wait(first) }
        if let other = try leaver(from: local.place, for: rows.id, uploads) { return .wait(other) }
        let place = try freePlace(for: rows.id, local.place, uploads)
        return place == there.place ? nil : .move(.remote, to: place, expected: version)
    }

    /// Records where an uploaded item is here, and which version that has the same contents.
    private func adoptUpload(_ rows: Rows, _ local: Node) -> Decision {
        var base = rows.synced ?? local
        (base.parent, base.name, base.local) = (local.parent, local.name, local.local)
        base.remote = rows.remote?.remote ?? base.remote
        base.hash = local.local?.hash ?? base.hash
        base.isMissing = false
        return base == rows.synced ? .nothing : .adopt(base)
    }

    // MARK: Names

    /// Where an item goes at the remote: under its own name, unless another item is known to have that there.
    private func freePlace(for id: NodeID, _ place: Place, _ uploads: UploadRules) throws -> Place {
        if try !uploads.isTaken(place) && occupant(of: place, on: .remote, besides: id) == nil { return place }
        return Place(parent: place.parent, name: try freeName(for: place.name, in: place.parent))
    }

    /// The uploaded item that has this place at the remote and will leave it; nil if there is none, or only because others
    /// leave their places for this one in a ring.
    private func leaver(from place: Place, for id: NodeID, _ uploads: UploadRules) throws -> NodeID? {
        if uploads.isTaken(place) { return nil }
        guard let first = try occupant(of: place, on: .remote, besides: id) else { return nil }
        var seen: Set<NodeID> = [id]
        var current = first.id
        while seen.insert(current).inserted {
            let rows = try rows(current)
            if rows.isUnseen { return first.id }
            guard let target = try target(ofMoving: rows) else { return current == first.id ? nil : first.id }
            guard !uploads.isTaken(target), let next = try occupant(of: target, on: .remote, besides: current) else {
                return first.id
            }
            current = next.id
        }
        return nil
    }

    /// Where an uploaded item is about to move; nil if nowhere, or not now.
    private func target(ofMoving rows: Rows) throws -> Place? {
        guard let local = rows.local, let base = rows.synced, !local.isSamePlace(as: base),
            try isThere(local.parent, on: .remote)
        else { return nil }
        if rows.kind == .directory, try isBelow(local.parent, rows.id, in: .remote) { return nil }
        return local.place
    }

    /// The directory between one at the remote and another above it that must leave that first; nil if the one is not below
    /// the other. The nearest to the upper one is taken: its own wait leads further down and never back.
    private func mover(from directory: NodeID, below top: NodeID) throws -> NodeID? {
        guard try isBelow(directory, top, in: .remote) else { return nil }
        var found: NodeID?
        var current = directory
        while current != top, let row = try store.node(current, in: .remote) {
            let rows = try rows(current)
            if let local = rows.local, let base = rows.synced, !local.isSamePlace(as: base) { found = current }
            current = row.parent
        }
        return found
    }
}
