extension Node {
    /// Whether nothing must be written or planned when this entry is seen in the place of the row. It may be false for
    /// an unchanged entry: always without identities, and at mounted file systems.
    package func isUnchanged(as entry: ListedEntry, on side: Side) -> Bool {
        guard name == entry.name, kind == entry.kind, !isMissing, !isMountRoot, !entry.isMountRoot,
            let known = self[side]
        else { return false }
        if let told = entry.access, told != access { return false }
        return known.isUnchanged(as: kind == .directory ? entry.version.ofDirectory : entry.version)
    }
}

extension Version {
    /// Whether an item of this version needs no handling when it is seen with that one.
    fileprivate func isUnchanged(as seen: Version) -> Bool {
        !identity.isEmpty && identity == seen.identity && tag == seen.tag && size == seen.size
            && modified == seen.modified && !isRacy && !seen.isRacy && residence == seen.residence
            && (seen.hash == nil || seen.hash == hash)
            && (seen.permissions == nil || seen.permissions == permissions)
    }
}

extension TreeStore {
    /// Compares the rows one by one; a store may have a faster way.
    package func directories(
        of parent: NodeID, on side: Side, after: EntryName?, through: EntryName?, ifUnchanged entries: [ListedEntry]
    ) throws -> [NodeID]? {
        var rest = entries[...]
        var directories: [NodeID] = []
        var last = after.map { Node(id: NodeID(Int64.max), parent: parent, name: $0, kind: .file) }
        while true {
            let rows = try children(of: parent, in: side.tree, after: last, limit: 256)
            for row in rows {
                if let through, through < row.name { return rest.isEmpty ? directories : nil }
                guard let entry = rest.popFirst(), row.isUnchanged(as: entry, on: side),
                    try status(row.id)?.state != .excluded
                else { return nil }
                if row.kind == .directory { directories.append(row.id) }
            }
            last = rows.last
            if rows.count < 256 { return rest.isEmpty ? directories : nil }
        }
    }
}
