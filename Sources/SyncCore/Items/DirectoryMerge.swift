/// Updates the rows of a directory with what was seen in it.
///
/// A row is matched with the entry of the same identity, wherever that is found, otherwise with the entry of its name.
/// A row without an entry becomes missing; whether it was moved or deleted is decided when everything was scanned.
struct DirectoryMerge {
    private let side: Side
    private let directory: NodeID
    private let scope: SightScope
    private let isDeep: Bool
    /// The tag that the directory had both before its entries were read and with them.
    private let tag: Token
    private let isUrgent: Bool
    /// The identities of all entries, by name.
    private var seen: [EntryName: Token] = [:]
    /// Entries without a matching row so far.
    private var open: [EntryName: ListedEntry] = [:]
    /// Entries that are not synced.
    private var excluded: [EntryName: ListedEntry] = [:]
    /// Rows without a matching entry so far.
    private var leftover: [NodeID: Node] = [:]
    /// Rows that stay as they are, whatever was seen at their places.
    private var held: Set<NodeID> = []
    /// The tags of directories that were seen, by name.
    private var tags: [EntryName: Token] = [:]
    /// Trees without any row in this directory, so that none is looked for by each name: most entries of a new directory
    /// are new.
    private var emptyTrees: Set<Tree> = []

    /// - Parameters:
    ///   - isDeep: Whether the directories in this one are listed as well.
    ///   - tag: The tag of this directory before and with these entries; empty if there were two, or if it is
    ///     not known.
    ///   - isUrgent: Whether changes are synced although a scan is in progress.
    init(
        side: Side, directory: NodeID, scope: SightScope, isDeep: Bool, tag: Token = .none, isUrgent: Bool
    ) {
        self.side = side
        self.directory = directory
        self.scope = scope
        self.isDeep = isDeep
        self.tag = tag
        self.isUrgent = isUrgent
    }

    /// Merges the entries.
    mutating func run(_ entries: [ListedEntry], _ items: inout Items, _ survey: inout Survey) throws {
        // It may have been excluded since the listing began.
        guard let row = try items.store.node(directory, in: side.tree), !row.isMissing, row.kind == .directory,
            try items.store.status(directory)?.state != .excluded,
            let path = try items.store.path(of: directory, in: side.tree)
        else { return }
        survey.noteSight(in: directory, on: side, of: scope)
        if try isUnchanged(entries, at: path, &items, &survey) { return }
        for var entry in entries {
            if entry.kind == .directory {
                tags[entry.name] = entry.version.tag
                entry.version = entry.version.ofDirectory
            }
            seen[entry.name] = entry.version.identity
            if Self.isExcluded(entry, at: path, by: survey.excludes) {
                excluded[entry.name] = entry
            } else {
                open[entry.name] = entry
            }
        }
        try holdMounts(&items)
        try matchInPlace(&items, &survey)
        try excludeEntries(&items, &survey)
        try matchByIdentity(&items, &survey)
        if open.count > 1 { try findEmptyTrees(items) }
        for entry in open.values.sorted(by: { $0.name < $1.name }) { try matchByName(entry, &items, &survey) }
        let lost = leftover.values.sorted { $0.id < $1.id }
        switch scope {
        case .whole, .name:
            for row in lost { try LostSight.note(of: row, side, &items, &survey) }
        case .part:
            // Something else is at its place, whatever later pages contain.
            for row in lost where seen[row.name] != nil { try LostSight.note(of: row, side, &items, &survey) }
            survey.noteUnseen(lost.filter { seen[$0.name] == nil }, in: directory, on: side)
        case .partial: break
        }
    }

    /// Most of what a scan sees is known, so it is first compared with the rows as a whole.
    private func isUnchanged(
        _ entries: [ListedEntry], at path: RelativePath, _ items: inout Items, _ survey: inout Survey
    ) throws -> Bool {
        let part: (after: EntryName?, through: EntryName?)
        switch scope {
        case .whole: part = (nil, nil)
        case .part(let after, let through): part = (after, through)
        case .partial, .name: return false
        }
        guard items.mounts.isEmpty,
            let directories = try directories(in: entries, after: part.after, through: part.through, &items),
            !entries.contains(where: { Self.isExcluded($0, at: path, by: survey.excludes) })
        else { return false }
        guard isDeep else { return true }
        var open: Set<NodeID> = []
        for (id, entry) in zip(directories, entries.lazy.filter { $0.kind == .directory })
        where try survey.listUnlessKnown(side, id, tag: entry.version.tag, items) {
            open.insert(id)
        }
        if side == .remote && scope == .whole { try items.noteUnchanged(directory, at: tag, except: open) }
        return true
    }

    /// The directories among the rows, if the entries differ from the rows in nothing but, at most, what the remote allows;
    /// the rows then say that as well. Nil if anything else differs, or if something follows from what is allowed now.
    private func directories(
        in entries: [ListedEntry], after: EntryName?, through: EntryName?, _ items: inout Items
    ) throws -> [NodeID]? {
        let store = items.store
        let known = try store.directories(
            of: directory, on: side, after: after, through: through, ifUnchanged: entries)
        if known != nil || !entries.contains(where: { $0.access != nil }) { return known }
        var bare = entries
        for index in bare.indices { bare[index].access = nil }
        let found = try store.directories(of: directory, on: side, after: after, through: through, ifUnchanged: bare)
        if found == nil { return nil }
        var rows: [Node] = []
        for entry in entries {
            guard let row = try store.present(named: entry.name, of: directory, in: side.tree),
                row.access != entry.access
            else { continue }
            var new = row
            new.access = entry.access ?? row.access
            if new.isReadOnly != row.isReadOnly || (row.kind == .directory && row.access != nil) { return nil }
            rows.append(new)
        }
        for row in rows { try items.writeAccess(of: row) }
        return found
    }

    private static func isExcluded(
        _ entry: ListedEntry, at directory: RelativePath, by patterns: ExcludePatterns
    ) -> Bool {
        switch entry.kind {
        case .symlink, .special: true
        case .file, .directory: patterns.excludes(entry.name, in: directory, kind: entry.kind)
        }
    }

    /// Leaves out places where another file system than the synced one, or none, is mounted: their rows and everything
    /// below stay as they are.
    private mutating func holdMounts(_ items: inout Items) throws {
        let mounted = open.values.filter(\.isMountRoot).map(\.name)
        if items.mounts.isEmpty && mounted.isEmpty { return }
        let known = try items.mounts.roots(on: side).compactMap { try items.store.node($0, in: side.tree) }
            .filter { $0.parent == directory }.map(\.name)
        for name in Set(mounted + known).sorted() {
            guard let entry = open[name], let row = try items.mountRow(for: entry, in: directory, on: side),
                let trouble = try items.mountTrouble(with: row, as: entry, on: side)
            else { continue }
            open[name] = nil
            held.insert(row.id)
            try items.leaveMount(row, trouble, on: side)
        }
    }

    // MARK: Matching

    /// Matches rows whose entry is still in its place. The others are left over, except for those about which a page
    /// says nothing.
    private mutating func matchInPlace(_ items: inout Items, _ survey: inout Survey) throws {
        let changed = scope.isPart ? survey.pagedListing(of: directory, on: side)?.changed ?? [] : []
        var last = firstCursor
        while true {
            let rows = try rows(after: last, items)
            for row in rows where scope.isWithinReach(row.name) {
                if let entry = open[row.name], Self.isSameObject(row, entry, side),
                    try !isOverridden(row, items)
                {
                    open[row.name] = nil
                    try see(row, as: entry, at: row.place, &items, &survey)
                } else if !held.contains(row.id) && (seen[row.name] != nil || !changed.contains(row.name)) {
                    leftover[row.id] = row
                }
            }
            last = rows.last
            guard rows.count == Self.rowsAtOnce, let last, scope.isWithinReach(last.name) else { return }
        }
    }

    /// Whether a missing row has the same identity as one that took its place since: a file with several names.
    private func isOverridden(_ row: Node, _ items: Items) throws -> Bool {
        guard row.isMissing else { return false }
        return try items.store.nodes(named: row.name, of: directory, in: side.tree).contains {
            !$0.isMissing && $0[side]?.identity == row[side]?.identity
        }
    }

    private static let rowsAtOnce = 256

    /// A cursor just before the first rows of the scope.
    private var firstCursor: Node? {
        guard case .part(let after?, _) = scope else { return nil }
        return Node(id: NodeID(Int64.max), parent: directory, name: after, kind: .file)
    }

    private func rows(after last: Node?, _ items: Items) throws -> [Node] {
        if case .name(let name) = scope {
            return try items.store.nodes(named: name, of: directory, in: side.tree)
        }
        return try items.store.children(of: directory, in: side.tree, after: last, limit: Self.rowsAtOnce)
    }

    private static func isSameObject(_ row: Node, _ entry: ListedEntry, _ side: Side) -> Bool {
        guard row.kind == entry.kind, let known = row[side]?.identity else { return false }
        return known == entry.version.identity && !known.isEmpty
    }

    /// Gives entries that are not synced rows of their own.
    private mutating func excludeEntries(_ items: inout Items, _ survey: inout Survey) throws {
        for entry in excluded.values.sorted(by: { $0.name < $1.name }) {
            let rows = try items.store.nodes(named: entry.name, of: directory, in: side.tree)
            let known = rows.first { leftover[$0.id] != nil && $0.kind == entry.kind }
            if let known { leftover[known.id] = nil }
            if known?[side]?.showsTheSame(as: entry.version) != true {
                var seen = Node(id: known?.id ?? .none, parent: directory, name: entry.name, kind: entry.kind)
                seen[side] = entry.version
                try survey.checkOtherNames(of: seen, on: side, items)
            }
            if let known, known[side]?.identity != entry.version.identity {
                try survey.checkOtherNames(of: known, on: side, items, isGone: true)
            }
            for id in try items.keepContents(ofExcluded: entry, besides: known?.id, on: side) { leftover[id] = nil }
            try items.exclude(entry, known: known, in: directory, on: side)
        }
        for row in leftover.values.sorted(by: { $0.id < $1.id })
        where try items.store.status(row.id)?.state == .excluded {
            if scope == .partial { continue }
            leftover[row.id] = nil
            try items.erase(row.id, from: side.tree)
            try survey.checkOtherNames(of: row, on: side, items, isGone: true)
        }
    }

    /// Matches entries with rows of the same identity that were elsewhere.
    private mutating func matchByIdentity(_ items: inout Items, _ survey: inout Survey) throws {
        for entry in open.values.sorted(by: { $0.name < $1.name }) {
            guard let candidate = try movedCandidate(for: entry, items) else {
                if try followOusted(entry, &items, &survey) { open[entry.name] = nil }
                continue
            }
            if candidate.isMissing || leftover[candidate.id] != nil || survey.isUnseen(candidate, on: side) {
                open[entry.name] = nil
                leftover[candidate.id] = nil
                try moveRow(candidate, to: entry, &items, &survey)
            } else if !isInScope(candidate) {
                open[entry.name] = nil
                survey.check(
                    Claim(
                        side: side, directory: directory, entry: entry, candidate: candidate.id, from: candidate.place))
            }
        }
    }

    /// Whether the entries show where the row is.
    private func isInScope(_ row: Node) -> Bool {
        guard row.parent == directory else { return false }
        return scope == .partial ? seen[row.name] != nil : scope.shows(row.name)
    }

    private func movedCandidate(for entry: ListedEntry, _ items: Items) throws -> Node? {
        let identity = entry.version.identity
        if identity.isEmpty { return nil }
        for row in try items.store.nodes(withIdentity: identity, on: side) where row.kind == entry.kind {
            if row.id == .root || (row.parent == directory && seen[row.name] == identity) { continue }
            if try items.store.status(row.id)?.state != .excluded { return row }
        }
        return nil
    }

    /// A file whose place was found to be taken by another is here: it was moved, and the other one is new. True if so.
    private mutating func followOusted(
        _ entry: ListedEntry, _ items: inout Items, _ survey: inout Survey
    ) throws -> Bool {
        guard entry.kind == .file, let old = survey.ousted.take(entry.version.identity, on: side),
            var other = try items.store.node(old.id, in: side.tree), !other.isMissing, other.isSamePlace(as: old)
        else { return false }
        try moveRow(old, to: entry, &items, &survey)
        other.id = try items.store.makeNodeID()
        try items.write(other, in: side.tree)
        try items.markDirty(other.id)
        if leftover.removeValue(forKey: old.id) != nil { leftover[other.id] = other }
        return true
    }

    private mutating func findEmptyTrees(_ items: Items) throws {
        for tree in [side.other.tree, .synced]
        where try items.store.children(of: directory, in: tree, after: nil, limit: 1).isEmpty {
            emptyTrees.insert(tree)
        }
    }

    /// Matches an entry with a row of the same name, or creates a new row.
    private mutating func matchByName(
        _ entry: ListedEntry, _ items: inout Items, _ survey: inout Survey
    ) throws {
        let rows =
            leftover.isEmpty
            ? []
            : try items.store.nodes(named: entry.name, of: directory, in: side.tree)
                .filter { leftover[$0.id] != nil && $0.kind == entry.kind }
        // An item that was there until now takes precedence over one that was missing before.
        for row in rows.filter({ !$0.isMissing }) + rows.filter(\.isMissing) {
            // A placeholder is never the next version of a file: no program saves one.
            let isLasting = row.kind == .directory || entry.version.residence == .remoteAlone
            let isRecreated =
                isLasting && !(row[side]?.identity.isEmpty ?? true) && !entry.version.identity.isEmpty
            if isRecreated { continue }
            leftover[row.id] = nil
            if row.kind == .file { survey.ousted.add(row, by: entry.version, on: side) }
            return try see(row, as: entry, at: row.place, &items, &survey)
        }
        let id = try pairedNode(for: entry, items) ?? items.store.makeNodeID()
        var node = Node(
            id: id, parent: directory, name: entry.name, kind: entry.kind, isMountRoot: entry.isMountRoot,
            access: entry.access)
        node[side] = entry.version
        try items.write(node, in: side.tree)
        try noteReturn(of: node, &items)
        try items.markDirty(id)
        if isUrgent { items.urgent.add(id, seenOn: side) }
        if entry.kind == .directory { survey.list(side, id, isDeep: true, tag: tags[entry.name] ?? .none) }
    }

    /// An item that counted as deleted on this side is back, and the other side has it, or had it: the session may have
    /// ended after it removed the item there. The return counts as a change, which survives that deletion.
    private func noteReturn(of row: Node, _ items: inout Items) throws {
        guard var base = try items.store.node(row.id, in: .synced), base.isSamePlace(as: row),
            try items.store.node(row.id, in: side.other.tree) != nil
        else { return }
        base[side] = base[side]?.ofReturned(row.kind)
        try items.write(base, in: .synced)
    }

    /// The existing item that an entry without a row belongs to. A file is identified with its own former item rather
    /// than with a new one that got its name on the other side; two directories of one name are merged.
    private func pairedNode(for entry: ListedEntry, _ items: Items) throws -> NodeID? {
        // A placeholder that another row may have lost stands for the contents of that.
        if try entry.version.residence == .remoteAlone && movedCandidate(for: entry, items) != nil { return nil }
        let agreed = try agreedNode(for: entry, items)
        if entry.kind == .file, let agreed { return agreed }
        return try counterpart(of: entry, items) ?? agreed
    }

    /// The item at the same place on the other side, if it is known only there.
    private func counterpart(of entry: ListedEntry, _ items: Items) throws -> NodeID? {
        if emptyTrees.contains(side.other.tree) { return nil }
        let rows = try items.store.nodes(named: entry.name, of: directory, in: side.other.tree)
        for row in rows where row.kind == entry.kind && !row.isMissing {
            guard try isGone(row.id, items) else { continue }
            // One that was moved there and is gone from this side is a different item.
            if let base = try items.store.node(row.id, in: .synced), !base.isSamePlace(as: row),
                !Self.isSameObject(base, entry, side)
            {
                continue
            }
            return row.id
        }
        return nil
    }

    /// The item that both sides agreed on at the place of an entry, if the entry has the version that was then seen. It
    /// was gone and is back: the user restored it, or a power failure undid its removal.
    private func agreedNode(for entry: ListedEntry, _ items: Items) throws -> NodeID? {
        if emptyTrees.contains(.synced) { return nil }
        for base in try items.store.nodes(named: entry.name, of: directory, in: .synced)
        where Self.isSameObject(base, entry, side) {
            let isUnchanged = base.kind == .directory || base[side]?.tag == entry.version.tag
            if try isUnchanged && isGone(base.id, items) && items.store.node(base.id, in: side.other.tree) == nil {
                return base.id
            }
        }
        return nil
    }

    /// Whether an item is not known on this side.
    private func isGone(_ id: NodeID, _ items: Items) throws -> Bool {
        try items.store.node(id, in: side.tree) == nil && items.store.status(id)?.state != .excluded
    }

    // MARK: Rows

    /// Notes that a row was seen as this entry, at its place.
    ///
    /// - Parameter isListed: Whether its contents were seen as well.
    func see(
        _ row: Node, as entry: ListedEntry, at place: Place, _ items: inout Items, _ survey: inout Survey,
        isListed: Bool = false
    ) throws {
        let new = updated(row, as: entry, at: place)
        let wasExcluded = try items.store.status(row.id)?.state == .excluded
        if wasExcluded { try items.setStatus(nil, for: row.id) }
        if new.marks != row.marks { try items.remember(row.id) }
        if new != row { try items.write(new, in: side.tree) }
        let isBack = try items.mountReturned(row.id, on: side)
        if new != row && side == .remote && row.kind == .file, try items.noteRestored(row, new) {
            survey.losses.note(at: items.now)
        }
        let isElsewhere = row.isMissing || !row.isSamePlace(as: new) || wasExcluded
        try judge(row, new, entry.version, isElsewhere: isElsewhere, &items)
        if row[side]?.showsTheSame(as: entry.version) != true { try survey.checkOtherNames(of: new, on: side, items) }
        if row[side]?.identity != entry.version.identity {
            try survey.checkOtherNames(of: row, on: side, items, isGone: true)
        }
        if row.kind == .directory, !isListed, let known = row.access, known != new.access {
            // What holds for a share holds for everything in it, whose tags need not change with that.
            return survey.list(side, row.id, isDeep: true, tag: tags[entry.name] ?? .none)
        }
        if row.kind == .directory && !isListed && (isDeep || isElsewhere || isBack) {
            try survey.listUnlessKnown(side, row.id, tag: tags[entry.name] ?? .none, items)
        }
    }

    private func updated(_ row: Node, as entry: ListedEntry, at place: Place) -> Node {
        let old = row[side] ?? .unknown
        var new = row
        new.isMissing = false
        new.isMountRoot = entry.isMountRoot
        (new.parent, new.name) = (place.parent, place.name)
        new[side] = entry.version
        // No later write can have the tag of a version that was certain: seen again a moment after it was written, it still
        // is, and need not be read to find that out.
        if !row.isMissing && row.isSamePlace(as: new) && old.isSameContents(as: entry.version) {
            new[side]?.isRacy = false
        }
        if let access = entry.access { new.access = access }
        if old.isSameContents(as: entry.version) && entry.version.hash == nil { new[side]?.hash = old.hash }
        if entry.version.permissions == nil { new[side]?.permissions = old.permissions }
        return new
    }

    /// Marks a seen item as dirty if it must be planned.
    private func judge(
        _ row: Node, _ new: Node, _ version: Version, isElsewhere: Bool, _ items: inout Items
    ) throws {
        let old = row[side] ?? .unknown
        let isChangedMode = new[side]?.permissions != old.permissions
        let isNews =
            isElsewhere || old.residence != version.residence
            || (row.kind == .file && !old.isSameContents(as: version))
        guard isChangedMode || isNews || row.isReadOnly != new.isReadOnly else { return }
        // A database of an older version contains no permissions yet.
        let looksTheSame =
            old.isSame(as: version) && old.size == version.size && (!isChangedMode || old.permissions == nil)
        try items.markDirty(row.id, onlyToVerify: looksTheSame && !isElsewhere)
        if isUrgent { items.urgent.add(row.id, seenOn: side) }
    }

    /// An item was found at another place than before.
    private func moveRow(
        _ row: Node, to entry: ListedEntry, _ items: inout Items, _ survey: inout Survey
    ) throws {
        // A directory inside itself is a bind mount, or was moved during the listing.
        var current = directory
        while current != .root, row.kind == .directory {
            if current == row.id { return }
            guard let node = try items.store.node(current, in: side.tree) else { return }
            current = node.parent
        }
        let former = row.kind == .directory ? try items.store.path(of: row.id, in: side.tree) : nil
        try see(row, as: entry, at: Place(parent: directory, name: entry.name), &items, &survey)
        if let former { try survey.noteMove(of: row.id, from: former, on: side, &items) }
    }

    /// Settles a claim after the check whether its candidate is still where it was: if so, the entry is another item (a
    /// hard link), otherwise the item moved.
    static func settle(
        _ claim: Claim, isStillThere: Bool, _ items: inout Items, _ survey: inout Survey
    ) throws {
        if try survey.endClaim(claim, isStillThere: isStillThere, items) { return }
        guard let directory = try items.store.node(claim.directory, in: claim.side.tree), !directory.isMissing,
            directory.kind == .directory, try items.store.status(directory.id)?.state != .excluded
        else { return }
        let name = claim.entry.name
        survey.noteChange(claim.side, Place(parent: claim.directory, name: name))
        var merge = DirectoryMerge(
            side: claim.side, directory: claim.directory, scope: .name(name), isDeep: false,
            isUrgent: survey.isScanning)
        let rows = try items.store.nodes(named: name, of: claim.directory, in: claim.side.tree)
        for row in rows { merge.leftover[row.id] = row }
        survey.noteSight()
        let candidate = try items.store.node(claim.candidate, in: claim.side.tree)
        // It was seen elsewhere since: one of the two places is outdated.
        if let candidate, candidate.place != claim.from, candidate.place != claim.place {
            return survey.check(claim.side, claim.place)
        }
        if !isStillThere, let candidate, isSameObject(candidate, claim.entry, claim.side) {
            merge.leftover[candidate.id] = nil
            try merge.moveRow(candidate, to: claim.entry, &items, &survey)
        } else if try !merge.followOusted(claim.entry, &items, &survey) {
            try merge.matchByName(claim.entry, &items, &survey)
            // It may have been written under its new name.
            if isStillThere, let candidate, candidate[claim.side]?.showsTheSame(as: claim.entry.version) != true {
                survey.check(claim.side, claim.from)
            }
        }
        for row in merge.leftover.values.sorted(by: { $0.id < $1.id }) {
            try LostSight.note(of: row, claim.side, &items, &survey)
        }
    }
}

extension Version {
    /// Whether both certainly have the same contents.
    fileprivate func isSameContents(as later: Version) -> Bool { isCertainly(later) && size == later.size }
}
