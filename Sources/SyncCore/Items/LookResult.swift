/// What a look at a side came to: it is merged into the trees, and leads to further looks.
struct LookResult {
    private let result: EffectResult

    init(_ result: EffectResult) { self.result = result }

    /// Handles the result of a look with this purpose.
    func handle(_ purpose: Purpose, _ items: inout Items, _ survey: inout Survey) throws {
        switch purpose {
        case .list(let side, let directory, let path, let asked):
            try handleListing(of: directory, at: path, on: side, asked, &items, &survey)
        case .check(let side, let place, let path): try handleEntry(at: place, in: path, on: side, &items, &survey)
        case .claim(let claim): try handleCandidate(of: claim, &items, &survey)
        case .probe, .mark, .hash, .stage, .contents, .publish, .renames, .discard: break
        }
    }

    /// A directory was listed, or that failed.
    ///
    /// - Parameters:
    ///   - path: Its path at that time.
    ///   - asked: The listing that was requested.
    private func handleListing(
        of id: NodeID, at path: RelativePath, on side: Side, _ asked: PagedListing, _ items: inout Items,
        _ survey: inout Survey
    ) throws {
        let directory = SideDirectory(side: side, node: id)
        var paged = survey.queue.directories.end(directory)
        let isStale = try paged?.through != asked.through || hasMoved(id, from: path, on: side, items)
        if isStale { return survey.list(side, id, isDeep: asked.isDeep || paged?.isDeep == true) }
        if case .failed(let failure) = result {
            return try lookFailed(failure, side, id, isListing: true, &items, &survey)
        }
        if case .page(let entries, let last) = result {
            let first = asked.through
            paged = paged ?? asked
            paged?.through = last
            if let paged { survey.queue.directories.goOn(directory, paged) }
            return try merge(entries, .part(after: first, through: last), directory, asked, &items, &survey)
        }
        guard case .listing(let entries, let isComplete, let tag) = result else { return }
        var asked = asked
        // The contents do not have the requested tag: if that returns, for example after a power failure there, its
        // contents are unknown.
        if tag != asked.tag { asked.tag = .none }
        if id == .root && isComplete && entries.isEmpty && paged == nil { survey.noteEmptied(side) }
        guard isComplete else {
            try merge(entries, .partial, directory, asked, &items, &survey)
            let failure = EffectFailure(.io, Explanation(.failed, side, "\(path)", "5"))
            return try lookFailed(failure, side, id, isListing: true, &items, &survey)
        }
        if survey.unlisted.remove(directory) { try items.endError(of: id) }
        guard let paged else { return try merge(entries, .whole, directory, asked, &items, &survey) }
        survey.queue.directories.goOn(directory, paged)
        try merge(entries, .part(after: asked.through, through: nil), directory, asked, &items, &survey)
        guard let seen = survey.queue.directories.end(directory) else { return }
        try LostSight.note(of: seen, in: directory, &items, &survey)
    }

    private func merge(
        _ entries: [ListedEntry], _ scope: SightScope, _ directory: SideDirectory, _ asked: PagedListing,
        _ items: inout Items, _ survey: inout Survey
    ) throws {
        var merge = DirectoryMerge(
            side: directory.side, directory: directory.node, scope: scope, isDeep: asked.isDeep, tag: asked.tag,
            isUrgent: survey.isScanning && !asked.isScan)
        try merge.run(entries, &items, &survey)
    }

    /// One entry was looked at, or that failed.
    ///
    /// - Parameter path: The path of its directory at that time.
    private func handleEntry(
        at place: Place, in path: RelativePath, on side: Side, _ items: inout Items, _ survey: inout Survey
    ) throws {
        if try hasMoved(place.parent, from: path, on: side, items) { return survey.check(side, place) }
        if case .failed(let failure) = result {
            // The pages that were listed before may contain an older state of the entry.
            if let paged = survey.pagedListing(of: place.parent, on: side) {
                survey.list(side, place.parent, isDeep: paged.isDeep)
            }
            return try lookFailed(failure, side, place.parent, isListing: false, &items, &survey)
        }
        guard case .entry(let entry) = result else { return }
        survey.noteChange(side, place)
        var merge = DirectoryMerge(
            side: side, directory: place.parent, scope: .name(place.name), isDeep: false, isUrgent: survey.isScanning)
        try merge.run(entry.map { [$0] } ?? [], &items, &survey)
    }

    /// Whether a directory was seen elsewhere while something was looked at by its old path: what was found there says
    /// nothing about the directory's contents.
    private func hasMoved(_ id: NodeID, from path: RelativePath, on side: Side, _ items: Items) throws -> Bool {
        guard let now = try items.store.path(of: id, in: side.tree) else { return false }
        return now != path
    }

    /// It was checked whether an item is still where it was.
    private func handleCandidate(of claim: Claim, _ items: inout Items, _ survey: inout Survey) throws {
        if case .failed(let failure) = result {
            let isElsewhere = failure.reason == .notFound || failure.reason == .changed
            let isMissing = try items.store.node(claim.candidate, in: claim.side.tree)?.isMissing == true
            try DirectoryMerge.settle(claim, isStillThere: !isElsewhere && !isMissing, &items, &survey)
            // Its directory may have been moved at that moment: a file with several names may still be there.
            if isElsewhere { survey.check(claim.side, claim.from) }
            return
        }
        guard case .entry(let entry) = result else { return }
        let isSame = entry?.version.identity == claim.entry.version.identity && entry?.kind == claim.entry.kind
        try DirectoryMerge.settle(claim, isStillThere: isSame, &items, &survey)
        // What is there instead may be the item whose place the moved one took.
        if entry != nil && !isSame { survey.check(claim.side, claim.from) }
    }

    /// A directory, or an entry of it, could not be looked at: that says nothing about its contents.
    ///
    /// - Parameter isListing: Whether it is the directory that could not be listed.
    private func lookFailed(
        _ failure: EffectFailure, _ side: Side, _ id: NodeID, isListing: Bool, _ items: inout Items,
        _ survey: inout Survey
    ) throws {
        let directory = SideDirectory(side: side, node: id)
        // It may have been excluded or found to be gone since.
        guard let row = try items.store.node(id, in: side.tree) else { return }
        if try items.store.status(id)?.state == .excluded {
            survey.unlisted.remove(directory)
            return
        }
        let isThere = !row.isMissing
        if isThere { try LostSight.takeBack(ofEntriesOf: id, side, &items) }
        switch failure.reason {
        case .unreachable:
            // Everything on that side waits.
            break
        case .changed, .notFound:
            let isFirst = !survey.unlisted.contains(directory)
            survey.check(side, row.place)
            // If it exists after all, nothing else would lead to a look at its contents.
            survey.unlisted.note(directory, at: items.now)
            // Most often it is gone or was moved, which the look at its place shows.
            // A root does not move: it is listed at once.
            if id == .root && isFirst { survey.list(side, .root, isDeep: true) }
            guard isThere, !isFirst || (id == .root && isListing) else { break }
            try items.setUnlisted(id, failure.message, mayBeGone: true)
        case .notMounted:
            survey.queue.requestMounts()
            survey.unlisted.note(directory, at: items.now)
            if id == .root { try items.setUnlisted(id, failure.message) }
        case .exists, .notEmpty, .busy, .putOff, .nameClash, .denied, .noSpace, .io:
            survey.unlisted.note(directory, at: items.now)
            try items.setUnlisted(id, failure.message)
        }
    }
}
