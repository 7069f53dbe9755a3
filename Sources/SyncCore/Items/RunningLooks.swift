/// The looks in progress. Nothing is looked at twice at the same time, because the first result could arrive last.
struct RunningLooks {
    /// The most parts of a scan in progress, so that urgent items do not wait long for them.
    private let scanLimit: Int
    private var count = 0
    /// Those of them that are part of a scan.
    private var scans = 0
    /// Parts of the scan that ended since something was last published during it.
    private var scanned = 0
    /// Looks of any kind that ended since then.
    private var looked = 0
    private var listed: Set<SideDirectory> = []
    private var checked: Set<LookQueue.Entry> = []

    init(scanLimit: Int) { self.scanLimit = scanLimit }

    var isEmpty: Bool { count == 0 }
    var isScanning: Bool { scans > 0 }
    /// Whether all of them are part of a scan.
    var isScanAlone: Bool { count == scans }
    /// Whether one more part of a scan may be looked at.
    var mayScan: Bool { scans < scanLimit }
    /// Whether a scan has progressed enough since it was last held that it may be held again.
    var mayBeHeld: Bool { scanned >= scanLimit }

    /// Whether looks may be held again for what somebody waits for.
    var mayYield: Bool { looked > 0 }

    /// The directories of which an entry is being looked at.
    var checkedDirectories: Set<SideDirectory> { Set(checked.map(\.directory)) }

    func isListing(_ directory: SideDirectory) -> Bool { listed.contains(directory) }

    /// Whether an entry or its whole directory is being looked at.
    func isAt(_ entry: LookQueue.Entry) -> Bool { isListing(entry.directory) || checked.contains(entry) }

    /// A look at something else begins.
    mutating func begin() { count += 1 }

    mutating func begin(_ directory: SideDirectory, isScan: Bool) {
        begin()
        if isScan { scans += 1 }
        listed.insert(directory)
    }

    mutating func begin(_ entry: LookQueue.Entry) {
        begin()
        checked.insert(entry)
    }

    /// An effect ended, which may have been a look.
    mutating func end(_ purpose: Purpose) {
        switch purpose {
        case .probe, .claim:
            count -= 1
            looked += 1
        case .list(let side, let node, _, let asked):
            count -= 1
            looked += 1
            if asked.isScan {
                scans -= 1
                scanned += 1
            }
            listed.remove(SideDirectory(side: side, node: node))
        case .check(let side, let place, _):
            count -= 1
            looked += 1
            checked.remove(LookQueue.Entry(side: side, place: place))
        case .mark, .hash, .stage, .contents, .publish, .renames, .discard: break
        }
    }

    /// The scan was held so that something could be published.
    mutating func wasHeld() { (scanned, looked) = (0, 0) }
}
