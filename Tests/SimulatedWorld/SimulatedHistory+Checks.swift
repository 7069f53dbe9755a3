import SyncCore

/// What must hold when a history has come to rest.
extension SimulatedHistory {
    func checkRest() throws {
        try checkConvergence()
        try checkPermissions()
        try checkConservation()
        try checkOutcome()
        try checkWishes()
        try checkDemands()
        try checkStates()
    }

    /// What of a side is to be synced.
    private func synced(on side: Side) -> [(path: RelativePath, inode: SimulatedDisk.Inode)] {
        // What is in a directory comes after it.
        var hidden: Set<Int> = []
        return edge[side].walk().compactMap { path, number in
            guard let inode = edge[side].state.inodes[number] else { return nil }
            if hidden.contains(inode.parent) || isApart(path) {
                hidden.insert(number)
                return nil
            }
            return (path, inode)
        }
    }

    /// The contents of the files of a side that are to be synced.
    ///
    /// - Parameter isHere: Whether placeholders are left out.
    func syncedFiles(on side: Side, isHere: Bool = false) -> Set<Int> {
        let files = synced(on: side).map(\.inode).filter { $0.kind == .file }
        return Set(files.filter { !isHere || $0.residence == .here }.map(\.content))
    }

    /// Contents are where a person wants them, and nothing was freed without being asked, unless something is in error.
    private func checkWishes() throws {
        guard has(.onDemand), try store.trees.nodes(inState: .error, after: .none, limit: 1).isEmpty else { return }
        let here = syncedFiles(on: .local, isHere: true)
        for (path, inode) in synced(on: .local) where inode.kind == .file {
            guard let node = try store.trees.localNode(at: path) else { continue }
            let wish = try lastingWish(for: node)
            if inode.residence == .remoteAlone, wish != .remoteAlone, !here.contains(inode.content),
                let objection = user.ledger.objectionToPlaceholder(of: inode.content)
            {
                throw violation("\(objection): \(path)")
            }
            // What holds nothing is never away.
            if inode.size == 0 && inode.residence == .here { continue }
            if inode.residence == (wish == .alwaysHere ? .remoteAlone : .here) && wish != .none {
                throw violation("\(path) is \(inode.residence), and wanted \(wish)")
            }
        }
    }

    func lastingWish(for node: NodeID) throws -> Wish {
        let wishes = try store.trees.wishes()
        var current = node
        while current != .none {
            if let wish = wishes[current] { return wish }
            current = try store.trees.node(current, in: .local)?.parent ?? .none
        }
        return .none
    }

    /// The same by path, as text that compares kind and contents.
    private func contents(of side: Side) -> [RelativePath: String] {
        var found: [RelativePath: String] = [:]
        for (path, inode) in synced(on: side) {
            found[path] = inode.kind == .directory ? "directory" : "\(inode.kind) \(inode.content)"
        }
        return found
    }

    /// Excluded on one of the sides, which the other has to respect.
    func isApart(_ path: RelativePath) -> Bool {
        Side.allCases.contains { side in
            guard let number = edge[side].inode(at: path), let kind = edge[side].state.inodes[number]?.kind else {
                return false
            }
            return kind == .symlink || excludes.excludes(path, kind: kind)
        }
    }

    private func checkConvergence() throws {
        let (local, remote) = (contents(of: .local), contents(of: .remote))
        let blocked = try blockedPaths()
        for path in Set(local.keys).union(remote.keys) where local[path] != remote[path] {
            if blocked.contains(where: { path.names.starts(with: $0.names) }) { continue }
            throw violation("\(path) is \(local[path] ?? "absent") here and \(remote[path] ?? "absent") there")
        }
    }

    /// What differs at rest while a side refuses something is what that concerns, and it is shown.
    func checkShown() throws {
        try checkReasons()
        guard let refusal = edge.refusal, heldDeletions == nil, !isAskingAboutRestore, user.ledger.isSettled else {
            return
        }
        let (local, remote) = (contents(of: .local), contents(of: .remote))
        let different = Set(local.keys).union(remote.keys).filter { local[$0] != remote[$0] }
        if different.isEmpty { return }
        if case .full(let side) = refusal, user.ledger.touched == [side] {
            throw violation("\(different) is held up, though \(side) alone is full")
        }
        let state = try session.folderStatus().state
        if state != .error { throw violation("\(different) is refused, and \(state) is shown") }
        for path in different where !concerns(refusal, path) {
            throw violation("\(path) is held up by \(refusal)")
        }
    }

    private func concerns(_ refusal: SimulatedRefusal, _ path: RelativePath) -> Bool {
        switch refusal {
        case .full(let side):
            return edge[side.other].inode(at: path) != nil
        case .name(_, let name):
            return path.names.contains(name)
        case .unlisted(let side, let directory), .unwritable(let side, let directory):
            guard let place = edge[side].path(of: directory) else { return true }
            return path.names.starts(with: place.names)
        }
    }

    /// What both sides hold has one owner's permissions.
    private func checkPermissions() throws {
        guard Side.allCases.allSatisfy({ edge[$0].keepsPermissions }) else { return }
        let blocked = try blockedPaths()
        let (local, remote) = (contents(of: .local), contents(of: .remote))
        for path in Set(local.keys).intersection(remote.keys) {
            if blocked.contains(where: { path.names.starts(with: $0.names) }) { continue }
            let modes = Side.allCases.map { edge[$0].permissions(at: path) }
            if (modes[0]?.bits ?? 0) & 0o700 != (modes[1]?.bits ?? 0) & 0o700 {
                throw violation("\(path) has the permissions \(modes)")
            }
        }
    }

    private static let clashes: Set<Explanation.Code?> = [
        .obstructed, .nameClash, .movedAcross, .inUse, .contentsNowhere, .severalNames,
    ]

    /// Where items stand that wait for the user, as something that is not synced is in their way.
    private func blockedPaths() throws -> Set<RelativePath> {
        let errors = try store.trees.nodes(inState: .error, after: .none, limit: .max)
        let messages = try errors.map { try store.trees.status($0)?.message ?? .nothing }
        // What failed before may wait for what is in its way.
        if let other = messages.first(where: { !Self.clashes.contains($0.code) }),
            Self.clashes.isDisjoint(with: messages.map(\.code))
        {
            throw violation("\(errors): \(other)")
        }
        if errors.isEmpty { return [] }
        let waiting = try store.trees.dirty(after: .none, limit: .max)
        var paths: Set<RelativePath> = []
        for id in errors + waiting {
            for side in Side.allCases { try store.trees.path(of: id, in: side.tree).map { _ = paths.insert($0) } }
        }
        return paths
    }

    /// No path shows partial bytes (promise 1).
    func checkNothingPartial() throws {
        for side in Side.allCases {
            for (path, number) in edge[side].walk()
            where edge[side].state.inodes[number]?.content == SimulatedDisk.rubbish {
                throw violation("\(path) on \(side) holds partial contents")
            }
        }
    }

    /// The contents of every file on both sides, and of what is kept.
    func presentContents() -> Set<Int> {
        var present: Set<Int> = []
        for side in Side.allCases {
            present.formUnion(edge[side].state.kept)
            for (_, number) in edge[side].walk() {
                guard let inode = edge[side].state.inodes[number], inode.kind == .file, inode.residence == .here
                else { continue }
                present.insert(inode.content)
            }
        }
        return present
    }

    private func checkConservation() throws {
        if Side.allCases.contains(where: { !edge[$0].state.slots.isEmpty }) {
            throw violation("something was never set beside its place")
        }
        let present = presentContents()
        let lost = user.owned.subtracting(present).sorted()
        if !lost.isEmpty { throw violation("contents \(lost) were lost") }
    }

    /// Whatever is not synced has a reason in words, at every moment.
    func checkReasons() throws {
        for state in ItemSyncState.allCases {
            for id in try store.trees.nodes(inState: state, after: .none, limit: isAtRest ? .max : 32) {
                let shown = try session.presentation(of: id).state
                if shown == .synced || shown == .onlineOnly { continue }
                if try session.reason(of: id).isEmpty { throw violation("\(id) is \(shown) without a reason") }
            }
        }
        let shown = try session.presentation(of: .root).state
        if try shown != .synced && shown != .onlineOnly && session.reason(of: .root).isEmpty {
            throw violation("the folder is \(shown) without a reason")
        }
    }

    private func checkStates() throws {
        try checkReasons()
        var counts: [NodeID: StateCounts] = [:]
        var seen: Set<NodeID> = []
        for tree in [Tree.local, .remote] { try count(.root, in: tree, &counts, &seen) }
        for id in seen {
            let shown = try session.presentation(of: id).state
            if try shown != .synced && shown != .onlineOnly && session.reason(of: id).isEmpty {
                throw violation("\(id) is \(shown) without a reason")
            }
            if (published[id] ?? .synced) != shown {
                throw violation("\(id) is \(shown), told was \(String(describing: published[id]))")
            }
            let hasErrors = try session.presentation(of: .root).state == .error
            if (shown == .pending && !hasErrors) || shown == .syncing { throw violation("\(id) is still \(shown)") }
        }
        for id in seen.union([.root]) {
            let kept = try store.trees.counts(id)
            if kept != counts[id] ?? StateCounts() {
                throw violation("\(id) counts \(kept), should \(counts[id] ?? StateCounts())")
            }
        }
    }

    private func count(
        _ directory: NodeID, in tree: Tree, _ counts: inout [NodeID: StateCounts], _ seen: inout Set<NodeID>
    ) throws {
        for child in try store.trees.children(of: directory, in: tree, after: nil, limit: .max) {
            if seen.insert(child.id).inserted {
                let (own, directories) = try session.contribution(of: child.id)
                for above in directories {
                    counts[above] = (counts[above] ?? StateCounts()) + own
                }
            }
            try count(child.id, in: tree, &counts, &seen)
        }
    }

    /// Run again, even after a restart, there is nothing to do.
    mutating func checkSilence() throws {
        edge.mutations = 0
        try begin()
        try rest()
        // What clashes is tried again when a person asks for it.
        let isBlocked = try !store.trees.nodes(inState: .error, after: .none, limit: 1).isEmpty
        if edge.mutations > 0 && !isBlocked { throw violation("the second run did \(edge.mutations) things") }
    }
}
