/// What must still be looked at on both sides, and whether anything was seen that is not decided on yet.
///
/// What is seen is merged into the trees at once. What is missing is decided on when everything was looked at.
struct Survey {
    /// The names that are not synced.
    private(set) var excludes: ExcludePatterns
    /// What must be looked at.
    var queue = LookQueue()
    /// Directories that could not be listed.
    var unlisted = UnlistedDirectories()
    /// Files whose places were found to be taken by others since items were last planned.
    var ousted = OustedFiles()
    /// Synced items that disappeared.
    var losses: RecentLosses
    /// The watchers' reports; they are resolved when nothing is being published.
    var changes = ReportedChanges()
    private var claims = Claims()
    private var running: RunningLooks
    /// Sides whose root was listed without any entry.
    private var emptied: Set<Side> = []

    /// Whether rows may be missing that must be decided on.
    private(set) var isUnsettled = false
    /// Whether the roots were probed since anything was last looked at.
    private(set) var wasProbed = false
    /// Whether nothing of the remote but its root is ever looked at.
    private let isUploadOnly: Bool

    /// - Parameters:
    ///   - scanLimit: How many parts of a scan may be in progress at the same time.
    ///   - quiet: How long to wait for further deletions.
    ///   - isUploadOnly: Whether nothing of the remote but its root is ever looked at.
    init(excludes: ExcludePatterns, scanLimit: Int, quiet: Duration, isUploadOnly: Bool = false) {
        self.excludes = excludes
        self.isUploadOnly = isUploadOnly
        running = RunningLooks(scanLimit: scanLimit)
        losses = RecentLosses(quiet: quiet)
    }

    // MARK: Requesting looks

    /// Sets new exclude patterns.
    mutating func setExcludes(_ patterns: ExcludePatterns) {
        excludes = patterns
        queue.requestScan()
    }

    /// Requests the listing of a directory.
    ///
    /// - Parameters:
    ///   - isDeep: Whether everything below it is listed as well.
    ///   - tag: Its present tag; empty if it is not known.
    mutating func list(_ side: Side, _ node: NodeID, isDeep: Bool, tag: Token = .none) {
        if isUploadOnly && side == .remote { return }
        queue.directories.add(SideDirectory(side: side, node: node), isDeep: isDeep, tag: tag)
    }

    /// Requests the listing of a directory and everything below it, unless its tag shows that nothing changed there;
    /// true if it is listed.
    @discardableResult
    mutating func listUnlessKnown(_ side: Side, _ node: NodeID, tag: Token, _ items: Items) throws -> Bool {
        if try side == .remote && items.tags.isUnchanged(node, at: tag, in: items.store) { return false }
        list(side, node, isDeep: true, tag: tag)
        return true
    }

    /// Requests a look at one entry, or at the roots.
    mutating func check(_ side: Side, _ place: Place) {
        if isUploadOnly && side == .remote && place.parent != .none { return }
        queue.check(side, place)
    }

    /// A file that was written under one name, or got other permissions, shows that under its other names as well (hard
    /// links), and no watcher reports those.
    ///
    /// - Parameter isGone: It no longer has the name that it was known by; it may have been written before.
    mutating func checkOtherNames(of row: Node, on side: Side, _ items: Items, isGone: Bool = false) throws {
        guard row.kind == .file, let version = row[side], !version.identity.isEmpty else { return }
        for other in try items.store.nodes(withIdentity: version.identity, on: side)
        where other.id != row.id && other.kind == .file && !other.isMissing
            && (isGone || other[side]?.showsTheSame(as: version) != true)
        {
            if try items.store.status(other.id)?.state != .excluded { check(side, other.place) }
        }
    }

    /// Requests a check whether an item is still where it was.
    mutating func check(_ claim: Claim) { claims.add(claim) }

    /// Entries of a directory were looked at: what was seen earlier in the places of claims is outdated.
    mutating func noteSight(in directory: NodeID, on side: Side, of scope: SightScope) {
        noteSight()
        claims.noteSight(in: SideDirectory(side: side, node: directory), of: scope)
    }

    /// Ends a claim. True if it must be looked at again, because its entry was seen again since, or its candidate with
    /// another result.
    mutating func endClaim(_ claim: Claim, isStillThere: Bool, _ items: Items) throws -> Bool {
        let sights = claims.end(claim)
        guard try sights.ofEntry || (sights.ofCandidate && isRefuted(claim, isStillThere, items)) else { return false }
        check(claim.side, claim.place)
        return true
    }

    /// Whether the last look at the candidate's place contradicts the result of the claim.
    private func isRefuted(_ claim: Claim, _ isStillThere: Bool, _ items: Items) throws -> Bool {
        guard let row = try items.store.node(claim.candidate, in: claim.side.tree), row.place == claim.from else {
            return false
        }
        return (row.isMissing || isUnseen(row, on: claim.side)) == isStillThere
    }

    /// Notes changes that the watcher saw. The engine's own files are ignored.
    mutating func note(_ side: Side, directories: [RelativePath], items: [RelativePath], isOverflow: Bool) {
        if isUploadOnly && side == .remote { return }
        if isOverflow { queue.requestScan(of: side) }
        changes.note(side, directories: directories, items: items)
    }

    /// Tries again what could not be looked at, unless it is gone.
    mutating func retry(_ items: inout Items) throws {
        followRenumbered(&items)
        if items.mounts.hasAway { queue.requestMounts() }
        for directory in unlisted.all {
            if try items.store.node(directory.node, in: directory.side.tree) == nil {
                unlisted.remove(directory)
            } else {
                listAgain(directory)
            }
        }
    }

    private mutating func listAgain(_ directory: SideDirectory) {
        unlisted.noteTrial(of: directory)
        list(directory.side, directory.node, isDeep: true)
    }

    /// Renames directories whose id changed.
    private mutating func followRenumbered(_ items: inout Items) {
        for (side, old, new) in items.takeRenumbered() { continueUnlisted(old, as: new, on: side) }
    }

    /// A directory has another id from now on; true if it could not be listed.
    @discardableResult
    mutating func continueUnlisted(_ old: NodeID, as new: NodeID, on side: Side) -> Bool {
        unlisted.rename(SideDirectory(side: side, node: old), as: new)
    }

    /// Whether nobody knows what is in a part of the folder: a directory was not listed since that last failed.
    ///
    /// - Parameter sides: The sides that count.
    func isPartlyUnknown(_ items: Items, on sides: [Side] = Side.allCases) throws -> Bool {
        try unlisted.all.contains { directory in
            try sides.contains(directory.side)
                && items.store.node(directory.node, in: directory.side.tree)?.isMissing == false
                && items.store.status(directory.node)?.state != .excluded
        }
    }

    /// Whether looks are in progress.
    var isRunning: Bool { !running.isEmpty }

    /// Whether nothing is being looked at or waits for it.
    var isIdle: Bool { running.isEmpty && queue.isEmpty && claims.isEmpty && changes.isEmpty }

    /// Whether directories are being listed with everything below them.
    var isScanning: Bool { running.isScanning || queue.directories.hasScan }

    /// Whether only a scan is looking at anything, and nothing else waits for a look.
    var isScanningAlone: Bool {
        isScanning && running.isScanAlone && queue.isScanAlone && claims.isEmpty && changes.isEmpty
    }

    /// Whether a scan has progressed enough since it was last held that it may be held again.
    var mayBeHeld: Bool { isScanning && running.mayBeHeld }

    /// The scan was held so that something could be published.
    mutating func wasHeld() { running.wasHeld() }

    /// Whether enough was looked at since looks were last held that they may be held again for what somebody waits for.
    var mayYield: Bool { isIdle || running.mayYield }

    /// Whether something is being looked at or must be. During the wait for further deletions, everything that is not
    /// missing continues.
    var isBusy: Bool { !isIdle || (isUnsettled && !losses.isAwaitingQuiet) }

    // MARK: Looking

    /// Starts as many looks as may run.
    ///
    /// - Parameters:
    ///   - isBarred: Whether the roots cannot be looked at.
    ///   - isHeld: Whether nothing is started, so that what is running ends.
    mutating func look(_ items: inout Items, _ outbox: inout Outbox, isBarred: Bool, isHeld: Bool) throws {
        followRenumbered(&items)
        if isHeld { return }
        if queue.needsProbe {
            if running.isEmpty { probe(&outbox) }
            return
        }
        if isBarred { return }
        try resolveChanges(items)
        try lookAtMounts(items)
        while outbox.hasRoom, let claim = claims.next() { try begin(claim, &items, &outbox) }
        try beginChecks(items, &outbox)
        try beginListings(items, &outbox)
    }

    private mutating func beginChecks(_ items: Items, _ outbox: inout Outbox) throws {
        while outbox.hasRoom, let entry = queue.nextCheck(unless: { running.isAt($0) }) {
            try begin(entry, items, &outbox)
        }
    }

    private mutating func beginListings(_ items: Items, _ outbox: inout Outbox) throws {
        let checked = running.checkedDirectories
        for isScan in [false, true] {
            while outbox.hasRoom && !(isScan && !running.mayScan),
                let (directory, listing) = queue.directories.next(
                    isScan: isScan, unless: { running.isListing($0) || checked.contains($0) })
            {
                try begin(directory, listing, items, &outbox)
            }
        }
    }

    /// Probes the roots.
    mutating func probe(_ outbox: inout Outbox) {
        queue.endProbe()
        running.begin()
        outbox.run(.probeRoots, for: .probe)
    }

    private mutating func begin(
        _ directory: SideDirectory, _ paged: PagedListing, _ items: Items, _ outbox: inout Outbox
    ) throws {
        let (side, id) = (directory.side, directory.node)
        guard let row = try items.store.node(id, in: side.tree), !row.isMissing, row.kind == .directory,
            let path = try items.store.path(of: id, in: side.tree)
        else {
            _ = queue.directories.end(directory)
            return
        }
        // If it could not be listed before, nothing below it was looked at either.
        let isDeep = paged.isDeep || unlisted.contains(directory)
        running.begin(directory, isScan: paged.isScan)
        let identity = id == .root ? Token.none : row[side]?.identity ?? .none
        outbox.run(
            .listDirectory(side, path, ListingPart(identity: identity, after: paged.through)),
            for: .list(
                side, id, path,
                PagedListing(isDeep: isDeep, isScan: paged.isScan, tag: paged.tag, through: paged.through)))
    }

    private mutating func begin(_ entry: LookQueue.Entry, _ items: Items, _ outbox: inout Outbox) throws {
        let (side, place) = (entry.side, entry.place)
        guard let row = try items.store.node(place.parent, in: side.tree), !row.isMissing,
            let path = try items.store.path(of: place.parent, in: side.tree)
        else { return }
        running.begin(entry)
        let identity = place.parent == .root ? Token.none : row[side]?.identity ?? .none
        outbox.run(
            .checkEntry(side, path.appending(place.name), in: identity), for: .check(side, place, in: path))
    }

    private mutating func begin(_ claim: Claim, _ items: inout Items, _ outbox: inout Outbox) throws {
        let tree = claim.side.tree
        guard let path = try items.store.path(of: claim.candidate, in: tree),
            let candidate = try items.store.node(claim.candidate, in: tree)
        else { return try DirectoryMerge.settle(claim, isStillThere: true, &items, &self) }
        running.begin()
        claims.begin(claim)
        let directory = try items.store.node(candidate.parent, in: tree)
        let identity = candidate.parent == .root ? Token.none : directory?[claim.side]?.identity ?? .none
        outbox.run(.checkEntry(claim.side, path, in: identity), for: .claim(claim))
    }

    private mutating func lookAtMounts(_ items: Items) throws {
        guard queue.takeMounts() else { return }
        for side in Side.allCases {
            for id in items.mounts.roots(on: side) {
                if let row = try items.store.node(id, in: side.tree) { check(side, row.place) }
            }
        }
    }

    /// Converts the paths that the watcher reported to looks.
    private mutating func resolveChanges(_ items: Items) throws {
        for target in try changes.resolve(items, excluding: excludes) {
            switch target {
            case .list(let directory, let isDeep): list(directory.side, directory.node, isDeep: isDeep)
            case .check(let side, let place): check(side, place)
            }
        }
    }

    /// A directory was seen or moved elsewhere. If one of its former ancestors could not be listed, neither were its
    /// contents.
    mutating func noteMove(of directory: NodeID, from path: RelativePath, on side: Side, _ items: inout Items) throws {
        changes.noteMove(of: SideDirectory(side: side, node: directory), from: path, at: items.now)
        if side == .local && !items.wishes.isEmpty { try items.reviseWishes(from: directory) }
        if unlisted.isEmpty { return }
        let above = try (0..<path.names.count).compactMap {
            try items.knownDirectory(at: RelativePath(Array(path.names.prefix($0))), on: side)
        }
        if above.contains(where: { unlisted.contains(SideDirectory(side: side, node: $0)) }) {
            list(side, directory, isDeep: true)
        }
    }

    // MARK: Results

    /// A look ended.
    mutating func effectEnded(_ purpose: Purpose) { running.end(purpose) }

    /// Both roots are there.
    ///
    /// - Parameter tag: The tag of the remote root; empty if it has none.
    mutating func rootsFound(remoteTag tag: Token, _ items: inout Items) throws {
        wasProbed = true
        // A change that was reported since the probe began is not reflected in this tag, but in the one that the next
        // probe returns.
        let sides = queue.takeScan(except: queue.needsProbe && !tag.isEmpty ? [.remote] : [])
        if sides.contains(.remote) { items.beginScan() }
        for side in sides.sorted(by: { $0.rawValue < $1.rawValue }) {
            emptied.remove(side)
            try listUnlessKnown(side, .root, tag: side == .remote ? tag : .none, items)
        }
    }

    /// What was seen may affect what is missing.
    mutating func noteSight() {
        isUnsettled = true
        wasProbed = false
    }

    /// An item was placed or seen at a place: older listings do not show that.
    mutating func noteChange(_ side: Side, _ place: Place) {
        queue.directories.noteChange(in: SideDirectory(side: side, node: place.parent), of: place.name)
    }

    /// The progress of a listing in pages; nil if there is none.
    func pagedListing(of directory: NodeID, on side: Side) -> PagedListing? {
        queue.directories.pages[SideDirectory(side: side, node: directory)]
    }

    /// Whether an item was in none of the pages so far in which it should have been.
    func isUnseen(_ row: Node, on side: Side) -> Bool {
        guard let listing = pagedListing(of: row.parent, on: side) else { return false }
        // An item that was looked at separately meanwhile was seen then, or counts as missing.
        return listing.unseen[row.id] == row.name && !listing.changed.contains(row.name)
    }

    /// Rows of a directory have been in no page of its listing so far.
    mutating func noteUnseen(_ rows: some Sequence<Node>, in directory: NodeID, on side: Side) {
        queue.directories.noteUnseen(rows, in: SideDirectory(side: side, node: directory))
    }

    // MARK: Missing items

    /// A root was listed without any entry.
    mutating func noteEmptied(_ side: Side) { emptied.insert(side) }

    /// Whether a side seems to be empty.
    func isEmptied(_ side: Side) -> Bool { emptied.contains(side) }

    /// Stops asking the user about sides that seemed empty.
    mutating func forgetEmptied() { emptied = [] }

    /// What is missing was decided on, or the user is being asked.
    mutating func endUnsettled() { isUnsettled = false }

    /// While items are deleted one after the other, their final number is unknown. So none of them is decided on until
    /// no further one has disappeared for a while. A single item does not wait, unless it returned to an older version.
    /// What is missing may also be in a directory that could not be listed, which is tried once more first.
    ///
    /// - Parameter isConfirmed: Whether all deletions are confirmed, however many they are.
    mutating func mayMoreGoMissing(_ items: Items, isConfirmed: Bool, _ outbox: inout Outbox) throws -> Bool {
        let untried = try untriedDirectories(items)
        let isOneOfMany =
            try !items.restored.returned.isEmpty || (losses.areMany && !isConfirmed && items.isAnythingMissing())
        let causes = untried.compactMap { unlisted.since($0) } + (isOneOfMany ? [losses.last].compactMap(\.self) : [])
        if losses.awaitQuiet(after: causes, at: items.now, &outbox) {
            wasProbed = false
            return true
        }
        for directory in untried { listAgain(directory) }
        return !untried.isEmpty
    }

    /// Directories that could not be listed and were not tried again, on sides where something is missing.
    private func untriedDirectories(_ items: Items) throws -> [SideDirectory] {
        if unlisted.isEmpty { return [] }
        let sides = try Side.allCases.filter { try items.store.missingCount(on: $0) > 0 }
        return try unlisted.untried.filter {
            try sides.contains($0.side) && items.store.node($0.node, in: $0.side.tree)?.isMissing == false
        }
    }
}
