/// Directories and placeholders that were recreated under their names with other identities: a tree that was restored by
/// copying it.
///
/// A recreated directory counts as a different one as long as the former one may be elsewhere. If everything was looked
/// at and the former one was not found, the new one continues it, and so do the entries of the same names in it: what
/// is equal is neither deleted nor transferred.
struct Reunion {
    private let side: Side
    /// Whether all contents of the directories were seen.
    private var isListed = true

    /// Continues every directory that is missing and has a successor.
    static func run(_ items: inout Items, _ survey: inout Survey) throws {
        for side in Side.allCases where try items.store.missingCount(on: side) > 0 {
            try Reunion(side: side).run(&items, &survey)
        }
    }

    /// An item that disappeared is one that was seen elsewhere and considered new, because it was unknown whether it
    /// was still at its place, or because it was (a second name was created before the first one was removed).
    static func follow(_ row: Node, to successor: Node, on side: Side, _ items: inout Items, _ survey: inout Survey)
        throws
    {
        let former = row.kind == .directory ? try items.store.path(of: row.id, in: side.tree) : nil
        try Reunion(side: side, isListed: false).join(row, successor, &items, &survey)
        if let former { try survey.noteMove(of: row.id, from: former, on: side, &items) }
    }

    /// The item whose entry was seen elsewhere with the identity of a missing one, if nothing else is known of it.
    static func successorElsewhere(of row: Node, on side: Side, _ items: Items) throws -> Node? {
        guard let identity = row[side]?.identity, !identity.isEmpty, try items.store.node(row.id, in: .synced) != nil
        else { return nil }
        return try items.store.nodes(withIdentity: identity, on: side).first { other in
            try !other.isMissing && Reunion(side: side).isContinuation(other, of: row, items)
        }
    }

    private func run(_ items: inout Items, _ survey: inout Survey) throws {
        var last = NodeID.none
        while true {
            let page = try items.store.missing(on: side, after: last, limit: 256)
            for id in page {
                guard let row = try items.store.node(id, in: side.tree), row.isMissing,
                    let successor = try successor(of: row, items)
                else { continue }
                try join(row, successor, &items, &survey)
            }
            guard page.count == 256, let end = page.last else { return }
            last = end
        }
    }

    /// The directory or placeholder at the place of a missing one, if nothing else is known of it.
    private func successor(of row: Node, _ items: Items) throws -> Node? {
        guard try items.store.node(row.id, in: .synced) != nil else { return nil }
        return try items.store.nodes(named: row.name, of: row.parent, in: side.tree).first { other in
            try !other.isMissing && (row.kind == .directory || other.local?.residence == .remoteAlone)
                && isContinuation(other, of: row, items)
        }
    }

    /// Whether an entry may be the next version of a missing item, and belongs to no other known item.
    private func isContinuation(_ other: Node, of row: Node, _ items: Items) throws -> Bool {
        guard other.id != row.id, other.kind == row.kind, !other.isMountRoot, !row.isMountRoot else { return false }
        let isKnown = try [side.other.tree, .synced].contains { try items.store.node(other.id, in: $0) != nil }
        return try !isKnown && items.store.status(other.id)?.state != .excluded
    }

    private func join(_ row: Node, _ successor: Node, _ items: inout Items, _ survey: inout Survey) throws {
        var pairs = [(row, successor)]
        var unlisted: [NodeID] = []
        while let (row, successor) = pairs.popLast() {
            try forgetExcluded(in: row, &items)
            let children = row.kind == .directory ? try items.childIDs(of: successor.id, in: side.tree) : []
            for id in children {
                guard var child = try items.store.node(id, in: side.tree) else { continue }
                child.parent = row.id
                try items.write(child, in: side.tree)
                if let former = try former(of: child, items) { pairs.append((former, child)) }
            }
            let error = try items.store.status(successor.id).flatMap { $0.state == .error ? $0.message : nil }
            try items.erase(successor.id, from: side.tree)
            try resume(row, as: successor, &items, &survey)
            guard survey.continueUnlisted(successor.id, as: row.id, on: side) else { continue }
            unlisted.append(row.id)
            if let error { try items.setUnlisted(row.id, error) }
        }
        for id in unlisted { try LostSight.takeBack(ofEntriesOf: id, side, &items) }
    }

    /// Forgets the excluded entries of the former directory, which are gone with it: those in the new one have rows of
    /// their own. A row without an entry would keep the directory from being deleted.
    private func forgetExcluded(in row: Node, _ items: inout Items) throws {
        let children = row.kind == .directory ? try items.childIDs(of: row.id, in: side.tree) : []
        for id in children where try items.store.status(id)?.state == .excluded {
            try items.eraseSubtree(id, in: side.tree)
        }
    }

    /// The missing item whose place is taken by an entry of a joined directory. An entry that is itself gone again
    /// continues nothing.
    private func former(of child: Node, _ items: Items) throws -> Node? {
        if child.isMissing { return nil }
        let rows = try items.store.nodes(named: child.name, of: child.parent, in: side.tree)
        return try rows.first { try $0.isMissing && isContinuation(child, of: $0, items) }
    }

    private func resume(
        _ row: Node, as successor: Node, _ items: inout Items, _ survey: inout Survey
    ) throws {
        guard let version = successor[side] else { return }
        let entry = ListedEntry(name: successor.name, kind: row.kind, version: version)
        let merge = DirectoryMerge(
            side: side, directory: successor.parent, scope: .name(successor.name), isDeep: false, isUrgent: false)
        try merge.see(row, as: entry, at: successor.place, &items, &survey, isListed: isListed)
    }
}
