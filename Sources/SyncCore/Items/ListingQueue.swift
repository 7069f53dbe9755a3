/// A directory of a side.
struct SideDirectory: Hashable {
    var side: Side
    var node: NodeID
}

/// Directories that must be listed: those with changes come first, while complete subtrees are scanned beside them.
struct ListingQueue {
    /// The next one is last.
    private var changed: [SideDirectory] = []
    private var scan: [SideDirectory] = []
    /// How each directory in a queue is listed. A directory without an entry was in both queues and has been taken
    /// already.
    private var wanted: [SideDirectory: Wanted] = [:]
    /// Directories of which some pages were listed, and their progress; the remaining pages come before anything else.
    private(set) var pages: [SideDirectory: PagedListing] = [:]

    private struct Wanted {
        /// Whether everything below is listed as well.
        var isDeep = false
        /// The latest known tag.
        var tag = Token.none
    }

    /// Whether nothing must be listed.
    var isEmpty: Bool { wanted.isEmpty && pages.isEmpty }
    /// Whether a directory with changes must be listed.
    var hasChanged: Bool { !changed.isEmpty || pages.values.contains { !$0.isScan } }
    /// Whether anything must be scanned.
    var hasScan: Bool { !scan.isEmpty || pages.values.contains { $0.isScan } }

    /// Adds a directory that must be listed.
    ///
    /// - Parameters:
    ///   - isDeep: Whether everything below it is listed as well.
    ///   - tag: Its present tag; empty if it is not known.
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

    /// Takes the directory that is listed next.
    ///
    /// - Parameters:
    ///   - isScan: Whether to take it from those that are scanned.
    ///   - isTaken: Directories to leave in the queue.
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

    /// A page of a directory was listed and more follow.
    mutating func goOn(_ directory: SideDirectory, _ listing: PagedListing) { pages[directory] = listing }

    /// The directory has no more pages; returns the progress.
    mutating func end(_ directory: SideDirectory) -> PagedListing? { pages.removeValue(forKey: directory) }

    /// Notes that something in the directory was looked at separately, or changed.
    mutating func noteChange(in directory: SideDirectory, of name: EntryName) {
        if !pages.isEmpty { pages[directory]?.changed.insert(name) }
    }

    /// Notes that these rows were in no page so far.
    mutating func noteUnseen(_ rows: some Sequence<Node>, in directory: SideDirectory) {
        for row in rows { pages[directory]?.unseen[row.id] = row.name }
    }
}

/// The progress of a listing in pages.
struct PagedListing {
    /// Whether everything below is listed as well.
    var isDeep: Bool
    /// Whether it is part of a scan.
    var isScan: Bool
    /// The tag that the directory had before; empty if it is not known.
    var tag = Token.none
    /// The last name of the merged pages; nil before the first one.
    var through: EntryName?
    /// Names at which something was looked at or done since the first page. The pages contain the names of that time,
    /// so one that is not among them may exist after all.
    var changed: Set<EntryName> = []
    /// Rows that were in none of the pages, with their names. Before the last page, this means nothing.
    var unseen: [NodeID: EntryName] = [:]
}
