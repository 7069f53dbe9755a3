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
    ///
    /// - Parameter entries: All that is in it now.
    mutating func page(
        of entries: [ListedEntry], in inode: Int, on side: Side, after: EntryName?
    ) -> EffectResult {
        let directory = Directory(side: side, inode: inode)
        let all = after == nil ? nil : names.removeValue(forKey: directory)
        let known = all ?? entries.map(\.name).sorted()
        let rest = known.filter { name in after.map { $0 < name } ?? true }
        let page = Set(rest.prefix(size))
        let shown = entries.filter { page.contains($0.name) }
        guard rest.count > size else { return .listing(shown, isComplete: true) }
        names[directory] = known
        return .page(shown, through: rest[size - 1])
    }
}
