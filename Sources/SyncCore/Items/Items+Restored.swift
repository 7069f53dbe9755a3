/// Files on the remote that were put back to an older version.
struct RestoredFiles {
    /// Files that returned to a version that they had before, and are not decided on yet.
    private(set) var returned: Set<NodeID> = []
    /// How many files were replaced by an equal copy.
    private(set) var recreated = 0

    /// Adds a file that returned; false if it was known.
    mutating func addReturned(_ id: NodeID) -> Bool { returned.insert(id).inserted }

    /// Counts a file that was replaced by an equal copy.
    mutating func addRecreated() { recreated += 1 }

    /// The file is no longer at an earlier version, or is gone.
    mutating func remove(_ id: NodeID) { returned.remove(id) }

    /// The files were decided on.
    mutating func removeAll() { self = RestoredFiles() }
}

extension Items {
    /// How many versions are kept of each file.
    private static let earlierVersions = 8

    /// Before a file gets another base, records the version that the remote held.
    func keepEarlier(of base: Node) throws {
        guard base.kind == .file, let new = base.remote, let old = try store.node(base.id, in: .synced)?.remote
        else { return }
        let earlier = EarlierVersion(old)
        // With one tag it is one version, of which the remote told another size meanwhile.
        if earlier == EarlierVersion(new) || !old.tag.isEmpty && old.tag == new.tag { return }
        let kept = try store.earlierVersions(base.id).filter { $0 != earlier } + [earlier]
        try store.setEarlierVersions(Array(kept.suffix(Self.earlierVersions)), of: base.id)
    }

    /// A file on the remote changed: true if it returned to an older version, in which case other files may follow.
    mutating func noteRestored(_ old: Node, _ new: Node) throws -> Bool {
        guard let version = new.remote, let base = try store.node(new.id, in: .synced)?.remote else { return false }
        if try isReturned(version, new.id, base) { return restored.addReturned(new.id) }
        restored.remove(new.id)
        let isAnother = version.identity != base.identity && old.remote?.identity != version.identity
        if isAnother && EarlierVersion(version) == EarlierVersion(base) { restored.addRecreated() }
        return old.isMissing
    }

    private func isReturned(_ version: Version, _ id: NodeID, _ base: Version) throws -> Bool {
        if EarlierVersion(version) == EarlierVersion(base) { return false }
        return try store.earlierVersions(id).contains { $0.isRestored(as: version) }
    }

    /// Finds again what an earlier session had not decided on; returns the number of files.
    mutating func findReturned() throws -> Int {
        var (found, last) = (0, NodeID.none)
        while true {
            let page = try store.dirty(after: last, limit: 256)
            for id in page {
                guard let row = try store.node(id, in: .remote), row.kind == .file, !row.isMissing else { continue }
                if try noteRestored(row, row) { found += 1 }
            }
            guard page.count == 256, let end = page.last else { return found }
            last = end
        }
    }
}
