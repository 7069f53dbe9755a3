import SyncCore

/// Listings in pages. As on a disk, the names are those that the directory held when its first page was read, and each
/// entry is of the moment of its page.
struct SimulatedPages {
    private struct Directory: Hashable {
        var side: Side
        var inode: Int
    }

    /// Names of a page at most.
    var size = Int.max
    private var names: [Directory: [EntryName]] = [:]

    /// The page of a directory with the names after that one.
    mutating func page(
        of disk: SimulatedDisk, in inode: Int, on side: Side, after: EntryName?, now: Int64
    ) -> EffectResult {
        let directory = Directory(side: side, inode: inode)
        let all = after == nil ? nil : names.removeValue(forKey: directory)
        let known = all ?? disk.names(in: inode)
        let rest = after.map { after in known[(known.firstIndex { after < $0 } ?? known.endIndex)...] } ?? known[...]
        let shown = disk.entries(of: inode, named: rest.prefix(size), now: now)
        guard rest.count > size else { return .listing(shown, isComplete: true, tag: disk.tag(of: inode)) }
        names[directory] = known
        return .page(shown, through: rest[rest.startIndex + size - 1])
    }
}
