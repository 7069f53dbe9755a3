/// What must still be looked at on both sides, and whether anything was seen that is not decided on yet.
///
/// What is seen is merged into the trees at once. What is missing is decided on when everything was looked at.
struct Survey {
    private struct Entry: Hashable {
        var side: Side
        var place: Place

        var directory: SideDirectory { SideDirectory(side: side, node: place.parent) }
    }

    /// How long to wait for further deletions; longer than a watcher takes to report them.
    private let quiet: Duration
    /// The names that are not synced.
    private(set) var excludes: ExcludePatterns

    private var needsProbe = false
    /// Whether the places at which file systems were mounted must be looked at.
    private var needsMounts = false
    /// The sides that are listed completely after the next probe.
    private var needsScan: Set<Side> = []
    private var directories = ListingQueue()
    private var entries: [Entry] = []
    private var claims = Claims()
    /// The watchers' reports; they are resolved when nothing is being published.
    private var changes = ReportedChanges()
    /// Files whose places were found to be taken by others since items were last planned.
    private var ousted = OustedFiles()
    /// Looks in progress.
    private var running = 0
    /// Those of them that are part of a scan.
    private var scanning = 0
    /// The most parts of a scan in progress, so that urgent items do not wait long for them.
    private let scanLimit: Int
    /// Parts of the scan that ended since something was last published during it.
    private var scanned = 0
    /// Directories and entries that are being looked at. None of them is looked at again meanwhile, because the first
    /// result could arrive last.
    private var listing: Set<SideDirectory> = []
    private var checking: Set<Entry> = []
    private var unlisted = UnlistedDirectories()
    /// Sides whose root was listed without any entry.
    private var emptied: Set<Side> = []

    /// Whether rows may be missing that must be decided on.
    private(set) var isUnsettled = false
    /// Whether the roots were probed since anything was last looked at.
    private(set) var wasProbed = false

    /// Synced items that disappeared one after the other, without a pause longer than ``quiet``.
    private var losses = 0
    /// When the last of them disappeared; nil if none did.
    private var lastLoss: ContinuousClock.Instant?
    /// Whether the decision on missing rows waits because more may disappear.
    private(set) var isAwaitingQuiet = false
    /// When the timer for the end of that wait is due, if it is set.
    private var quietDue: ContinuousClock.Instant?

    /// - Parameters:
    ///   - scanLimit: How many parts of a scan may be in progress at the same time.
    ///   - quiet: How long to wait for further deletions.
    init(excludes: ExcludePatterns, scanLimit: Int, quiet: Duration) {
        self.excludes = excludes
        self.scanLimit = scanLimit
        self.quiet = quiet
    }

    // MARK: Requesting looks

    /// Another file was seen in the place of this one, which may have been moved.
    mutating func noteOusted(_ row: Node, by version: Version, on side: Side) { ousted.add(row, by: version, on: side) }

    /// Takes the file with this identity whose place was found to be taken by another; nil if there is none.
    mutating func takeOusted(_ identity: Token, on side: Side) -> Node? { ousted.take(identity, on: side) }

    /// Items are being planned: files that were seen in the places of others now count as their next versions.
    mutating func forgetOusted() { ousted.removeAll() }

    /// The same, during a scan, for those that have an operation already.
    mutating func forgetOusted(where isPlanned: (NodeID) -> Bool) { ousted.removeAll(where: isPlanned) }

    /// Requests a probe of the roots.
    mutating func requestProbe() { needsProbe = true }

    /// Requests a full scan, of one side if it is given, for when the roots are found.
    mutating func requestScanAfterProbe(of side: Side? = nil) {
        needsScan.formUnion(side.map { [$0] } ?? Side.allCases)
    }

    /// Requests a probe of the roots and then a full scan, of one side if it is given.
    mutating func requestScan(of side: Side? = nil) {
        needsProbe = true
        requestScanAfterProbe(of: side)
    }

    /// Requests a look at the places at which file systems are mounted.
    mutating func requestMounts() { needsMounts = true }

    /// Sets new exclude patterns.
    mutating func setExcludes(_ patterns: ExcludePatterns) {
        excludes = patterns
        requestScan()
    }

    /// Requests the listing of a directory.
    ///
    /// - Parameters:
    ///   - isDeep: Whether everything below it is listed as well.
    ///   - tag: Its present tag; empty if it is not known.
    mutating func list(_ side: Side, _ node: NodeID, isDeep: Bool, tag: Token = .none) {
        directories.add(SideDirectory(side: side, node: node), isDeep: isDeep, tag: tag)
    }

    /// Requests the listing of a directory and everything below it, unless its tag shows that nothing changed there;
    /// true if it is listed.
    @discardableResult
    mutating func listUnlessKnown(_ side: Side, _ node: NodeID, tag: Token, _ items: Items) throws -> Bool {
        if try side == .remote && items.tags.isUnchanged(node, at: tag, in: items.store) { return false }
        list(side, node, isDeep: true, tag: tag)
        return true
    }

    /// Requests a look at one entry.
    mutating func check(_ side: Side, _ place: Place) {
        if place.parent == .none {
            needsProbe = true
        } else {
            entries.append(Entry(side: side, place: place))
        }
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
    mutating func noteSight(in directory: NodeID, on side: Side, of scope: DirectoryMerge.Scope) {
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
        if isOverflow { requestScan(of: side) }
        changes.note(side, directories: directories, items: items)
    }

    /// Tries again what could not be looked at, unless it is gone.
    mutating func retry(_ items: inout Items) throws {
        followRenumbered(&items)
        needsMounts = items.mounts.hasAway
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

    /// A directory was made. If it was there before and could not be listed when it was gone, that is over.
    mutating func noteMade(_ id: NodeID, on side: Side) { unlisted.remove(SideDirectory(side: side, node: id)) }

    /// Whether any directory could not be listed.
    var hasUnlisted: Bool { !unlisted.isEmpty }

    /// Whether nobody knows what is in a part of the folder: a directory was not listed since that last failed.
    func isPartlyUnknown(_ items: Items) throws -> Bool {
        try unlisted.all.contains { directory in
            try items.store.node(directory.node, in: directory.side.tree)?.isMissing == false
                && items.store.status(directory.node)?.state != .excluded
        }
    }

    /// Whether looks are in progress.
    var isRunning: Bool { running > 0 }

    /// Whether nothing is being looked at or waits for it.
    var isIdle: Bool {
        running == 0 && !needsProbe && !needsMounts && directories.isEmpty && entries.isEmpty && claims.isEmpty
            && changes.isEmpty
    }

    /// Whether directories are being listed with everything below them.
    var isScanning: Bool { scanning > 0 || directories.hasScan }

    /// Whether only a scan is looking at anything, and nothing else waits for a look.
    var isScanningAlone: Bool {
        isScanning && running == scanning && !needsProbe && !needsMounts && !directories.hasChanged && entries.isEmpty
            && claims.isEmpty && changes.isEmpty
    }

    /// Whether a scan has progressed enough since it was last held that it may be held again.
    var mayBeHeld: Bool { isScanning && scanned >= scanLimit }

    /// The scan was held so that something could be published.
    mutating func wasHeld() { scanned = 0 }

    /// Whether something is being looked at or must be. During the wait for further deletions, everything that is not
    /// missing continues.
    var isBusy: Bool { !isIdle || (isUnsettled && !isAwaitingQuiet) }

    // MARK: Looking

    /// Starts as many looks as may run.
    ///
    /// - Parameters:
    ///   - isBarred: Whether the roots cannot be looked at.
    ///   - isHeld: Whether nothing is started, so that what is running ends.
    mutating func look(_ items: inout Items, _ outbox: inout Outbox, isBarred: Bool, isHeld: Bool) throws {
        followRenumbered(&items)
        if isHeld { return }
        if needsProbe {
            if running == 0 { probe(&outbox) }
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
        var later: [Entry] = []
        while outbox.hasRoom, let entry = entries.popLast() {
            if listing.contains(entry.directory) || checking.contains(entry) {
                later.append(entry)
            } else {
                try begin(entry, items, &outbox)
            }
        }
        entries += later.reversed()
    }

    private mutating func beginListings(_ items: Items, _ outbox: inout Outbox) throws {
        let checked = Set(checking.map(\.directory))
        for isScan in [false, true] {
            while outbox.hasRoom && !(isScan && scanning >= scanLimit),
                let (directory, listing) = directories.next(
                    isScan: isScan, unless: { self.listing.contains($0) || checked.contains($0) })
            {
                try begin(directory, listing, items, &outbox)
            }
        }
    }

    /// Probes the roots.
    mutating func probe(_ outbox: inout Outbox) {
        needsProbe = false
        running += 1
        outbox.run(.probeRoots, for: .probe)
    }

    private mutating func begin(
        _ directory: SideDirectory, _ paged: PagedListing, _ items: Items, _ outbox: inout Outbox
    ) throws {
        let (side, id) = (directory.side, directory.node)
        guard let row = try items.store.node(id, in: side.tree), !row.isMissing, row.kind == .directory,
            let path = try items.store.path(of: id, in: side.tree)
        else {
            _ = directories.end(directory)
            return
        }
        // If it could not be listed before, nothing below it was looked at either.
        let isDeep = paged.isDeep || unlisted.contains(directory)
        running += 1
        if paged.isScan { scanning += 1 }
        listing.insert(directory)
        let identity = id == .root ? Token.none : row[side]?.identity ?? .none
        outbox.run(
            .listDirectory(side, path, ListingPart(identity: identity, after: paged.through)),
            for: .list(
                side, id, path,
                PagedListing(isDeep: isDeep, isScan: paged.isScan, tag: paged.tag, through: paged.through)))
    }

    private mutating func begin(_ entry: Entry, _ items: Items, _ outbox: inout Outbox) throws {
        let (side, place) = (entry.side, entry.place)
        guard let row = try items.store.node(place.parent, in: side.tree), !row.isMissing,
            let path = try items.store.path(of: place.parent, in: side.tree)
        else { return }
        running += 1
        checking.insert(entry)
        let identity = place.parent == .root ? Token.none : row[side]?.identity ?? .none
        outbox.run(
            .checkEntry(side, path.appending(place.name), in: identity), for: .check(side, place, in: path))
    }

    private mutating func begin(_ claim: Claim, _ items: inout Items, _ outbox: inout Outbox) throws {
        let tree = claim.side.tree
        guard let path = try items.store.path(of: claim.candidate, in: tree),
            let candidate = try items.store.node(claim.candidate, in: tree)
        else { return try DirectoryMerge.settle(claim, isStillThere: true, &items, &self) }
        running += 1
        claims.begin(claim)
        let directory = try items.store.node(candidate.parent, in: tree)
        let identity = candidate.parent == .root ? Token.none : directory?[claim.side]?.identity ?? .none
        outbox.run(.checkEntry(claim.side, path, in: identity), for: .claim(claim))
    }

    private mutating func lookAtMounts(_ items: Items) throws {
        guard needsMounts else { return }
        needsMounts = false
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

    /// The engine itself changed a directory.
    mutating func noteOwn(_ directory: NodeID, on side: Side, at now: Moment) {
        changes.noteOwn(SideDirectory(side: side, node: directory), at: now)
    }

    /// A directory was seen or moved elsewhere. If one of its former ancestors could not be listed, neither were its
    /// contents.
    mutating func noteMove(of directory: NodeID, from path: RelativePath, on side: Side, _ items: Items) throws {
        changes.noteMove(of: SideDirectory(side: side, node: directory), from: path, at: items.now)
        if unlisted.isEmpty { return }
        let above = try (0..<path.names.count).compactMap {
            try items.knownDirectory(at: RelativePath(Array(path.names.prefix($0))), on: side)
        }
        if above.contains(where: { unlisted.contains(SideDirectory(side: side, node: $0)) }) {
            list(side, directory, isDeep: true)
        }
    }

    /// A local directory went to the trash, from this path, because the user decided so.
    mutating func noteDiscard(_ path: RelativePath, _ items: Items) { changes.noteDiscard(path, at: items.now) }

    // MARK: Results

    /// A look ended.
    mutating func effectEnded(_ purpose: Purpose) {
        switch purpose {
        case .probe, .claim: running -= 1
        case .list(let side, let node, _, let asked):
            running -= 1
            if asked.isScan {
                scanning -= 1
                scanned += 1
            }
            listing.remove(SideDirectory(side: side, node: node))
        case .check(let side, let place, _):
            running -= 1
            checking.remove(Entry(side: side, place: place))
        case .mark, .hash, .stage, .contents, .publish, .renames, .discard: break
        }
    }

    /// Both roots are there.
    ///
    /// - Parameter tag: The tag of the remote root; empty if it has none.
    mutating func rootsFound(remoteTag tag: Token, _ items: inout Items) throws {
        wasProbed = true
        // A change that was reported since the probe began is not reflected in this tag, but in the one that the next
        // probe returns.
        let later: Set<Side> = needsProbe && !tag.isEmpty ? [.remote] : []
        let sides = needsScan.subtracting(later)
        needsScan.formIntersection(later)
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

    /// A directory was listed, or that failed.
    ///
    /// - Parameters:
    ///   - path: Its path at that time.
    ///   - asked: The listing that was requested.
    mutating func handleListing(
        _ result: EffectResult, of id: NodeID, at path: RelativePath, on side: Side, _ asked: PagedListing,
        _ items: inout Items
    ) throws {
        let directory = SideDirectory(side: side, node: id)
        var paged = directories.end(directory)
        let isStale = try paged?.through != asked.through || hasMoved(id, from: path, on: side, items)
        if isStale { return list(side, id, isDeep: asked.isDeep || paged?.isDeep == true) }
        if case .failed(let failure) = result { return try lookFailed(failure, side, id, isListing: true, &items) }
        if case .page(let entries, let last) = result {
            let first = asked.through
            paged = paged ?? asked
            paged?.through = last
            if let paged { directories.goOn(directory, paged) }
            return try merge(entries, .part(after: first, through: last), directory, asked, &items)
        }
        guard case .listing(let entries, let isComplete, let tag) = result else { return }
        var asked = asked
        // The contents do not have the requested tag: if that returns, for example after a power failure there, its
        // contents are unknown.
        if tag != asked.tag { asked.tag = .none }
        if id == .root && isComplete && entries.isEmpty && paged == nil { emptied.insert(side) }
        guard isComplete else {
            try merge(entries, .partial, directory, asked, &items)
            let failure = EffectFailure(.io, Explanation(.failed, side, "\(path)", "5"))
            return try lookFailed(failure, side, id, isListing: true, &items)
        }
        if unlisted.remove(directory) { try items.endError(of: id) }
        guard let paged else { return try merge(entries, .whole, directory, asked, &items) }
        directories.goOn(directory, paged)
        try merge(entries, .part(after: asked.through, through: nil), directory, asked, &items)
        guard let seen = directories.end(directory) else { return }
        try DirectoryMerge.loseSight(of: seen, in: directory, &items, &self)
    }

    private mutating func merge(
        _ entries: [ListedEntry], _ scope: DirectoryMerge.Scope, _ directory: SideDirectory, _ asked: PagedListing,
        _ items: inout Items
    ) throws {
        var merge = DirectoryMerge(
            side: directory.side, directory: directory.node, scope: scope, isDeep: asked.isDeep, tag: asked.tag,
            isUrgent: isScanning && !asked.isScan)
        try merge.run(entries, &items, &self)
    }

    /// An item was placed or seen at a place: older listings do not show that.
    mutating func noteChange(_ side: Side, _ place: Place) {
        directories.noteChange(in: SideDirectory(side: side, node: place.parent), of: place.name)
    }

    /// The progress of a listing in pages; nil if there is none.
    func pagedListing(of directory: NodeID, on side: Side) -> PagedListing? {
        directories.pages[SideDirectory(side: side, node: directory)]
    }

    /// Whether an item was in none of the pages so far in which it should have been.
    func isUnseen(_ row: Node, on side: Side) -> Bool {
        guard let listing = pagedListing(of: row.parent, on: side) else { return false }
        // An item that was looked at separately meanwhile was seen then, or counts as missing.
        return listing.unseen[row.id] == row.name && !listing.changed.contains(row.name)
    }

    /// Rows of a directory have been in no page of its listing so far.
    mutating func noteUnseen(_ rows: some Sequence<Node>, in directory: NodeID, on side: Side) {
        directories.noteUnseen(rows, in: SideDirectory(side: side, node: directory))
    }

    /// One entry was looked at, or that failed.
    ///
    /// - Parameter path: The path of its directory at that time.
    mutating func handleEntry(
        _ result: EffectResult, at place: Place, in path: RelativePath, on side: Side, _ items: inout Items
    ) throws {
        if try hasMoved(place.parent, from: path, on: side, items) { return check(side, place) }
        if case .failed(let failure) = result {
            // The pages that were listed before may contain an older state of the entry.
            if let paged = pagedListing(of: place.parent, on: side) {
                list(side, place.parent, isDeep: paged.isDeep)
            }
            return try lookFailed(failure, side, place.parent, isListing: false, &items)
        }
        guard case .entry(let entry) = result else { return }
        noteChange(side, place)
        var merge = DirectoryMerge(
            side: side, directory: place.parent, scope: .name(place.name), isDeep: false, isUrgent: isScanning)
        try merge.run(entry.map { [$0] } ?? [], &items, &self)
    }

    /// Whether a directory was seen elsewhere while something was looked at by its old path: what was found there says
    /// nothing about the directory's contents.
    private func hasMoved(_ id: NodeID, from path: RelativePath, on side: Side, _ items: Items) throws -> Bool {
        guard let now = try items.store.path(of: id, in: side.tree) else { return false }
        return now != path
    }

    /// Handles the result of the check whether an item is still where it was.
    mutating func handleCandidate(_ result: EffectResult, of claim: Claim, _ items: inout Items) throws {
        if case .failed(let failure) = result {
            let isElsewhere = failure.reason == .notFound || failure.reason == .changed
            let isMissing = try items.store.node(claim.candidate, in: claim.side.tree)?.isMissing == true
            try DirectoryMerge.settle(claim, isStillThere: !isElsewhere && !isMissing, &items, &self)
            // Its directory may have been moved at that moment: a file with several names may still be there.
            if isElsewhere { check(claim.side, claim.from) }
            return
        }
        guard case .entry(let entry) = result else { return }
        let isSame = entry?.version.identity == claim.entry.version.identity && entry?.kind == claim.entry.kind
        try DirectoryMerge.settle(claim, isStillThere: isSame, &items, &self)
        // What is there instead may be the item whose place the moved one took.
        if entry != nil && !isSame { check(claim.side, claim.from) }
    }

    /// A directory, or an entry of it, could not be looked at: that says nothing about its contents.
    ///
    /// - Parameter isListing: Whether it is the directory that could not be listed.
    private mutating func lookFailed(
        _ failure: EffectFailure, _ side: Side, _ id: NodeID, isListing: Bool, _ items: inout Items
    ) throws {
        // It may have been excluded or found to be gone since.
        guard let row = try items.store.node(id, in: side.tree) else { return }
        if try items.store.status(id)?.state == .excluded {
            unlisted.remove(SideDirectory(side: side, node: id))
            return
        }
        let isThere = !row.isMissing
        if isThere { try DirectoryMerge.keepSight(ofEntriesOf: id, side, &items) }
        switch failure.reason {
        case .unreachable:
            // Everything on that side waits.
            break
        case .changed, .notFound:
            let isFirst = !unlisted.contains(SideDirectory(side: side, node: id))
            check(side, row.place)
            // If it exists after all, nothing else would lead to a look at its contents.
            noteUnlisted(id, on: side, items)
            // Most often it is gone or was moved, which the look at its place shows.
            // A root does not move: it is listed at once.
            if id == .root && isFirst { list(side, .root, isDeep: true) }
            guard isThere, !isFirst || (id == .root && isListing) else { break }
            try items.setUnlisted(id, failure.message, mayBeGone: true)
        case .notMounted:
            needsMounts = true
            noteUnlisted(id, on: side, items)
            if id == .root { try items.setUnlisted(id, failure.message) }
        case .exists, .notEmpty, .busy, .putOff, .nameClash, .denied, .noSpace, .io:
            noteUnlisted(id, on: side, items)
            try items.setUnlisted(id, failure.message)
        }
    }

    private mutating func noteUnlisted(_ id: NodeID, on side: Side, _ items: Items) {
        unlisted.note(SideDirectory(side: side, node: id), at: items.now)
    }

    // MARK: Missing items

    /// A synced item disappeared, or a file returned to an older version.
    mutating func noteLoss(at now: Moment) {
        let isOneOfMany = lastLoss.map { now.instant - $0 < quiet } ?? false
        losses = isOneOfMany ? losses + 1 : 1
        lastLoss = now.instant
    }

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
            try !items.restored.returned.isEmpty || (losses > 1 && !isConfirmed && items.isAnythingMissing())
        let causes = untried.compactMap { unlisted.since($0) } + (isOneOfMany ? [lastLoss].compactMap(\.self) : [])
        let due = causes.max().map { $0 + quiet }
        isAwaitingQuiet = due.map { items.now.instant < $0 } ?? false
        guard let due, isAwaitingQuiet else {
            for directory in untried { listAgain(directory) }
            return !untried.isEmpty
        }
        wasProbed = false
        if quietDue != due {
            quietDue = due
            outbox.setTimer(.settle, after: due - items.now.instant)
        }
        return true
    }

    /// Directories that could not be listed and were not tried again, on sides where something is missing.
    private func untriedDirectories(_ items: Items) throws -> [SideDirectory] {
        if unlisted.isEmpty { return [] }
        let sides = try Side.allCases.filter { try items.store.missingCount(on: $0) > 0 }
        return try unlisted.untried.filter {
            try sides.contains($0.side) && items.store.node($0.node, in: $0.side.tree)?.isMissing == false
        }
    }

    /// The timer for the end of the wait has fired.
    mutating func quietTimerFired() { quietDue = nil }
}
