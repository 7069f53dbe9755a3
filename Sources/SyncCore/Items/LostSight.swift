/// Items that are not seen any more: their directory was listed without them. They are missing until it is decided whether
/// they were moved or deleted.
enum LostSight {
    /// All pages of a directory were listed: items that were in none of them are missing, unless something was looked
    /// at or done at their names since the first page.
    static func note(
        of listing: PagedListing, in directory: SideDirectory, _ items: inout Items, _ survey: inout Survey
    ) throws {
        for (id, name) in listing.unseen.sorted(by: { $0.key < $1.key }) where !listing.changed.contains(name) {
            guard let row = try items.store.node(id, in: directory.side.tree), row.parent == directory.node,
                row.name == name
            else { continue }
            try note(of: row, directory.side, &items, &survey)
        }
    }

    /// A directory exists but could not be listed: what was missing with it is no longer known to be missing.
    static func takeBack(ofEntriesOf directory: NodeID, _ side: Side, _ items: inout Items) throws {
        var stack = [directory]
        while let directory = stack.popLast() {
            for id in try items.childIDs(of: directory, in: side.tree) {
                guard var row = try items.store.node(id, in: side.tree), row.isMissing else { continue }
                // A row whose name another item has is gone in any case.
                let others = try items.store.nodes(named: row.name, of: directory, in: side.tree)
                if others.contains(where: { !$0.isMissing }) { continue }
                row.isMissing = false
                try items.write(row, in: side.tree)
                if row.kind == .directory { stack.append(id) }
            }
        }
    }

    /// The directory was listed without this item: it and everything below it are now missing.
    static func note(
        of row: Node, _ side: Side, _ items: inout Items, _ survey: inout Survey
    ) throws {
        var stack = [row]
        var moved: [(Node, Node)] = []
        while var node = stack.popLast() {
            let wasThere = try !node.isMissing && items.store.status(node.id)?.state != .excluded
            if wasThere {
                node.isMissing = true
                try items.write(node, in: side.tree)
                try survey.checkOtherNames(of: node, on: side, items, isGone: true)
                if let new = try Reunion.successorElsewhere(of: node, on: side, items) {
                    moved.append((node, new))
                } else if try items.store.node(node.id, in: .synced) != nil {
                    survey.losses.note(at: items.now)
                    // If a placeholder was moved and that is not known yet, the remote has the only contents: even one alone
                    // waits until no more changes are told.
                    if node[side]?.residence == .remoteAlone { survey.losses.note(at: items.now) }
                }
            }
            var last: Node?
            while node.kind == .directory {
                let page = try items.store.children(of: node.id, in: side.tree, after: last, limit: 256)
                for child in page where !child.isMissing {
                    stack.append(child)
                    // An excluded item may just have been written, under one of the names of a synced file.
                    if try wasThere && items.store.status(child.id)?.state == .excluded {
                        try survey.checkOtherNames(of: child, on: side, items, isGone: true)
                    }
                }
                if page.count < 256 { break }
                last = page.last
            }
        }
        for (row, new) in moved {
            // The item that was seen elsewhere may be gone as well, or may have been one of the others: two names of a
            // file that got a third.
            guard let new = try items.store.node(new.id, in: side.tree), !new.isMissing else { continue }
            try Reunion.follow(row, to: new, on: side, &items, &survey)
        }
    }
}
