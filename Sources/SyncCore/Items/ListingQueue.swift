/// A directory of a side.
struct SideDirectory: Hashable {
    var side: Side
    var node: NodeID
}

/// Directories that are to be listed: those in which something changed come first, and all that is below directories is
/// scanned beside that.
struct ListingQueue {
    /// The next one last.
    private var changed: [SideDirectory] = []
    private var scan: [SideDirectory] = []
    /// How each directory in a queue is to be listed. A directory that is not here is in a queue only because it stood in
    /// both.
    private var wanted: [SideDirectory: Wanted] = [:]
    /// Directories of which some pages were listed, and how far; the others follow before anything else is begun.
    private(set) var pages: [SideDirectory: PagedListing] = [:]

    private struct Wanted {
        /// Whether all below is to be listed too.
        var isDeep = false
        /// The latest one that was told.
        var tag = Token.none
    }

    /// Whether nothing is to be listed.
    var isEmpty: Bool { wanted.isEmpty && pages.isEmpty }
    /// Whether a directory in which something changed is to be listed.
    var hasChanged: Bool { !changed.isEmpty || pages.values.contains { !$0.isScan } }
    /// Whether anything is to be scanned.
    var hasScan: Bool { !scan.isEmpty || pages.values.contains { $0.isScan } }

    /// A directory is to be listed.
    ///
    /// - Parameters:
    ///   - isDeep: All below it as well.
    ///   - tag: The tag that it has now; empty if that is not known.
    mutating func add(_ directory: SideDirectory, isDeep: Bool, tag: Token) {
        let known = wanted[directory]
        wanted[directory] = Wanted(
            isDeep: isDeep || known?.isDeep == true, tag: tag.isEmpty ? known?.tag ?? .none : tag)
        if isDeep {
            if known == nil { scan.append(directory) }
        } else if known?.isDeep != false {
            changed.append(directory)
        }
    }

    /// Takes the directory out that is to be listed next.
    ///
    /// - Parameters:
    ///   - isScan: Whether it is one to be scanned.
    ///   - isTaken: Those for which this holds stay.
    mutating func next(isScan: Bool, unless isTaken: (SideDirectory) -> Bool) -> (SideDirectory, PagedListing)? {
        let begun = pages.filter { $0.value.isScan == isScan && !isTaken($0.key) }
        if let next = begun.min(by: { ($0.key.node, $0.key.side.rawValue) < ($1.key.node, $1.key.side.rawValue) }) {
            return (next.key, next.value)
        }
        if isScan { return next(in: \.scan, isScan: true, unless: isTaken) }
        return next(in: \.changed, isScan: false, unless: isTaken)
    }

    private mutating func next(
        in queue: WritableKeyPath<ListingQueue, [SideDirectory]>, isScan: Bool,
        unless isTaken: (SideDirectory) -> Bool
    ) -> (SideDirectory, PagedListing)? {
        var index = self[keyPath: queue].endIndex
        while index > 0 {
            index -= 1
            let directory = self[keyPath: queue][index]
            if wanted[directory] != nil && (isTaken(directory) || pages[directory] != nil) { continue }
            self[keyPath: queue].remove(at: index)
            guard let wanted = wanted.removeValue(forKey: directory) else { continue }
            return (directory, PagedListing(isDeep: wanted.isDeep, isScan: isScan, tag: wanted.tag))
        }
        return nil
    }

    // MARK: Pages

    /// A page of a directory was listed that others follow.
    mutating func goOn(_ directory: SideDirectory, _ listing: PagedListing) { pages[directory] = listing }

    /// No page of the directory follows; returns how far it was listed.
    mutating func end(_ directory: SideDirectory) -> PagedListing? { pages.removeValue(forKey: directory) }

    /// Something in the directory was looked at by itself, or changed.
    mutating func noteChange(in directory: SideDirectory, of name: EntryName) {
        if !pages.isEmpty { pages[directory]?.changed.insert(name) }
    }

    /// These rows were in no page so far.
    mutating func noteUnseen(_ rows: some Sequence<Node>, in directory: SideDirectory) {
        for row in rows { pages[directory]?.unseen[row.id] = row.name }
    }
}

/// How far a directory is listed, page by page.
struct PagedListing {
    /// Whether all below is to be listed too.
    var isDeep: Bool
    /// Whether it is part of a scan.
    var isScan: Bool
    /// The tag that the directory had before; empty if that is not known.
    var tag = Token.none
    /// The last name of the pages that were merged; nil before the first one.
    var through: EntryName?
    /// Names at which something was looked at, or done, since the first page. Pages list the names of then, so that one
    /// which is not among them may be there all the same.
    var changed: Set<EntryName> = []
    /// Rows that stood in none of the pages, with their names. Nothing follows from that before the last page.
    var unseen: [NodeID: EntryName] = [:]
}
