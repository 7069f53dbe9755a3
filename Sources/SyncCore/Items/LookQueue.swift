/// What must be looked at on both sides: the roots, whole sides, mounted file systems, directories and single entries.
struct LookQueue {
    /// One entry of a directory.
    struct Entry: Hashable {
        var side: Side
        var place: Place

        var directory: SideDirectory { SideDirectory(side: side, node: place.parent) }
    }

    /// Whether the roots must be probed before anything else is looked at.
    private(set) var needsProbe = false
    /// Whether the places at which file systems were mounted must be looked at.
    private var needsMounts = false
    /// The sides that are listed completely after the next probe.
    private var needsScan: Set<Side> = []
    /// The directories that must be listed.
    var directories = ListingQueue()
    /// The next one is last.
    private var entries: [Entry] = []

    /// Whether nothing must be looked at.
    var isEmpty: Bool { !needsProbe && !needsMounts && directories.isEmpty && entries.isEmpty }

    /// Whether nothing but a scan waits.
    var isScanAlone: Bool { !needsProbe && !needsMounts && !directories.hasChanged && entries.isEmpty }

    /// Requests a probe of the roots.
    mutating func requestProbe() { needsProbe = true }

    /// The roots are being probed.
    mutating func endProbe() { needsProbe = false }

    /// Requests a full scan, of one side if it is given, for when the roots are found.
    mutating func requestScanAfterProbe(of side: Side? = nil) {
        needsScan.formUnion(side.map { [$0] } ?? Side.allCases)
    }

    /// Requests a probe of the roots and then a full scan, of one side if it is given.
    mutating func requestScan(of side: Side? = nil) {
        needsProbe = true
        requestScanAfterProbe(of: side)
    }

    /// Takes the sides that are to be scanned, except these.
    mutating func takeScan(except later: Set<Side>) -> Set<Side> {
        defer { needsScan.formIntersection(later) }
        return needsScan.subtracting(later)
    }

    /// Requests a look at the places at which file systems are mounted.
    mutating func requestMounts() { needsMounts = true }

    /// Takes that request; false if there is none.
    mutating func takeMounts() -> Bool {
        defer { needsMounts = false }
        return needsMounts
    }

    /// Requests a look at one entry.
    mutating func check(_ side: Side, _ place: Place) {
        if place.parent == .none { needsProbe = true } else { entries.append(Entry(side: side, place: place)) }
    }

    /// Takes the entry that is looked at next; those that are taken by a running look stay.
    mutating func nextCheck(unless isTaken: (Entry) -> Bool) -> Entry? {
        entries.lastIndex { !isTaken($0) }.map { entries.remove(at: $0) }
    }
}
