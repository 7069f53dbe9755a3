/// Looking: what is listed, and in which order.
extension SyncSession {
    /// Begins effects that look at things, as many as may run.
    mutating func look() throws {
        if looking.needsProbe {
            guard looking.running == 0 else { return }
            looking.needsProbe = false
            looking.running += 1
            return outbox.run(.probeRoots, for: .probe)
        }
        if isBarred { return }
        try resolveChanges()
        try lookAtMounts()
        while outbox.hasRoom, let claim = looking.claims.popLast() { try check(claim) }
        while outbox.hasRoom, let entry = looking.entries.popLast() { try check(entry) }
        while outbox.hasRoom, let directory = looking.directories.popLast() { try list(directory) }
    }

    /// Whether the roots are not there to be looked at.
    var isBarred: Bool {
        switch halt {
        case .stopped, .offline: true
        case .confirmDeletes, .restored, nil: false
        }
    }

    private mutating func list(_ directory: Looking.Directory) throws {
        let isDeep = looking.depth.removeValue(forKey: directory) ?? false
        let (side, id) = (directory.side, directory.node)
        guard let row = try items.store.node(id, in: side.tree), !row.isMissing, row.kind == .directory,
            let path = try items.store.path(of: id, in: side.tree)
        else { return }
        looking.running += 1
        let identity = id == .root ? Token.none : row[side]?.identity ?? .none
        outbox.run(.listDirectory(side, path, identity: identity), for: .list(side, id, isDeep: isDeep))
    }

    private mutating func check(_ entry: Looking.Entry) throws {
        guard let row = try items.store.node(entry.parent, in: entry.side.tree), !row.isMissing,
            let path = try items.store.path(of: entry.parent, in: entry.side.tree)
        else { return }
        looking.running += 1
        outbox.run(
            .checkEntry(entry.side, path.appending(entry.name)),
            for: .check(entry.side, Place(parent: entry.parent, name: entry.name)))
    }

    private mutating func check(_ claim: Claim) throws {
        guard let path = try items.store.path(of: claim.candidate, in: claim.side.tree) else {
            return try settle(claim, isStillThere: true)
        }
        looking.running += 1
        outbox.run(.checkEntry(claim.side, path), for: .claim(claim))
    }

    /// From so many items of one directory on, the directory is listed instead.
    private static let itemsWorthAListing = 16

    /// Turns the paths that the watcher told into what is to be looked at.
    private mutating func resolveChanges() throws {
        if looking.changes.isEmpty { return }
        let changes = looking.changes
        looking.changes = []
        var names: [Looking.Change: [EntryName]] = [:]
        var directories: [Looking.Change] = []
        for change in changes {
            let isItem = !change.isDirectory && !change.path.isRoot
            let path = isItem ? change.path.parent : change.path
            let directory = Looking.Change(side: change.side, path: path, isDirectory: !isItem)
            if names[directory] == nil { directories.append(directory) }
            names[directory, default: []] += isItem ? [change.path.names[path.names.count]] : []
        }
        for directory in directories { try lookInto(directory, names: names[directory] ?? []) }
    }

    /// Something changed in a directory: these names, or nobody knows what. An unknown directory stands for the nearest
    /// known one above it.
    private mutating func lookInto(_ directory: Looking.Change, names: [EntryName]) throws {
        var path = directory.path
        var known = try knownDirectory(at: path, on: directory.side)
        while known == nil && !path.isRoot {
            if configuration.excludes.excludes(path, kind: .directory) { return }
            path = path.parent
            known = try knownDirectory(at: path, on: directory.side)
        }
        guard let known, try !isExcluded(known) else { return }
        let isNearest = path == directory.path
        if isNearest && !directory.isDirectory && names.count < Self.itemsWorthAListing {
            for name in names { lookAt(directory.side, Place(parent: known, name: name)) }
        } else {
            looking.list(directory.side, known, isDeep: !isNearest)
        }
    }

    private func knownDirectory(at path: RelativePath, on side: Side) throws -> NodeID? {
        guard let id = try items.store.nodeID(at: path, in: side.tree),
            try items.store.node(id, in: side.tree)?.kind == .directory
        else { return nil }
        return id
    }

    private func isExcluded(_ id: NodeID) throws -> Bool {
        var current = id
        while current != .root {
            if try items.store.status(current)?.state == .excluded { return true }
            guard let row = try items.store.node(current, in: .local) else { return false }
            current = row.parent
        }
        return false
    }

    /// Looks again at one entry.
    mutating func lookAt(_ side: Side, _ place: Place) {
        if place.parent == .none {
            looking.needsProbe = true
        } else {
            looking.entries.append(Looking.Entry(side: side, parent: place.parent, name: place.name))
        }
    }

    mutating func takeProbe(_ result: EffectResult) throws {
        if case .roots(let local, let remote) = result { return try takeRoots(local: local, remote: remote) }
        if case .failed(let failure) = result { halt = .offline(failure.message) }
    }

    mutating func takeListing(_ result: EffectResult, _ side: Side, _ id: NodeID, isDeep: Bool) throws {
        if case .failed(let failure) = result { return try lookFailed(failure, side, id) }
        guard case .listing(let entries, let isComplete) = result else { return }
        if id == .root && isComplete && entries.isEmpty { looking.emptied.insert(side) }
        if looking.unlisted.remove(Looking.Directory(side: side, node: id)) != nil { try items.endError(of: id) }
        try merge(entries, of: id, on: side, scope: isComplete ? .whole : .partial, isDeep: isDeep)
    }

    mutating func takeEntry(_ result: EffectResult, _ side: Side, _ place: Place) throws {
        if case .failed(let failure) = result { return try lookFailed(failure, side, place.parent) }
        guard case .entry(let entry) = result else { return }
        try merge(entry.map { [$0] } ?? [], of: place.parent, on: side, scope: .name(place.name), isDeep: false)
    }

    mutating func takeCandidate(_ result: EffectResult, of claim: Claim) throws {
        if case .failed(let failure) = result {
            if failure.reason == .unreachable { return goOffline(failure) }
            return try settle(claim, isStillThere: failure.reason != .notFound)
        }
        guard case .entry(let entry) = result else { return }
        let identity = claim.entry.version.identity
        try settle(claim, isStillThere: entry?.version.identity == identity && entry?.kind == claim.entry.kind)
    }

    /// A directory could not be listed: nothing follows for what is in it.
    private mutating func lookFailed(_ failure: EffectFailure, _ side: Side, _ id: NodeID) throws {
        switch failure.reason {
        case .unreachable:
            goOffline(failure)
        case .changed, .notFound:
            guard let row = try items.store.node(id, in: side.tree) else { return }
            lookAt(side, row.place)
        case .notMounted:
            looking.needsMounts = true
            looking.unlisted.insert(Looking.Directory(side: side, node: id))
        case .exists, .notEmpty, .busy, .nameClash, .denied, .noSpace, .io:
            looking.unlisted.insert(Looking.Directory(side: side, node: id))
            var status = try items.store.status(id) ?? NodeStatus(state: .error, isDirty: false)
            (status.state, status.isDirty, status.message) = (.error, false, failure.message)
            try items.setStatus(status, for: id)
        }
    }

    mutating func goOffline(_ failure: EffectFailure) {
        halt = .offline(failure.message)
        looking.needsScan = true
    }
}
