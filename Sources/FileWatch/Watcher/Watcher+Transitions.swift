import SystemPackage

extension Watcher {
    /// Says what became of a folder's root, and has a new one scanned.
    func reportFolder(_ anchor: Anchor, before: Anchor.State, isSame: Bool) {
        guard let id = anchor.folder else { return }
        switch (before, anchor.state) {
        case (.pending, .attached):
            beginScan(anchor)
        case (.missing, .attached), (.blocked, .attached):
            output.append(.rootAppeared(id))
            begin(anchor)
        case (.attached, .attached) where isSame:
            break
        case (.dropped, .attached) where isSame:
            begin(anchor)
        case (_, .attached):
            output.append(.rootReplaced(id, by: .directory))
            begin(anchor)
        case (.missing, .missing), (.blocked, .missing), (.unwatchable, .unwatchable):
            break
        case (_, .missing):
            output.append(.rootLost(id))
            lose(anchor)
        case (let old, .blocked(let kind)):
            if old != anchor.state { output.append(.rootReplaced(id, by: kind)) }
            lose(anchor)
        case (.attached, .unwatchable), (.dropped, .unwatchable):
            output.append(.rootReplaced(id, by: .directory))
            lose(anchor)
        case (.pending, .unwatchable), (.missing, .unwatchable), (.blocked, .unwatchable), (_, .dropped), (_, .pending):
            // Nothing was known, or the search begins anew.
            break
        }
    }

    private func begin(_ anchor: Anchor) {
        noteOverflow(anchor)
        beginScan(anchor)
    }

    private func beginScan(_ anchor: Anchor) {
        guard let root = anchor.node else { return }
        if anchor.isRecursive {
            queueScan(root)
        } else if !anchor.isEstablished, let id = anchor.folder {
            anchor.isEstablished = true
            output.append(.established(id))
        }
    }

    private func lose(_ anchor: Anchor) {
        if anchor.isEstablished { noteOverflow(anchor) }
        anchor.lacksWatches = false
    }

    /// Ends the observing of a directory that is gone, or that another one has taken the place of.
    func reportObserved(_ anchor: Anchor, before: Anchor.State, isSame: Bool) {
        switch anchor.state {
        case .attached where before == .pending || before == .unwatchable || isSame:
            output.append(.observing(anchor.path))
        case .unwatchable, .pending, .dropped:
            return
        case .attached, .missing, .blocked:
            observed[anchor.path] = nil
            remove(anchor)
            output.append(.directoryVanished(anchor.path))
        }
    }

    /// Something was mounted or unmounted.
    func mountsChanged() {
        let old = mounts
        gate.renew()
        let points = mounts.changedPoints(since: old)
        guard !points.isEmpty else { return }
        opener.forgetAll()
        for anchor in Array(folders.values) + Array(observed.values) {
            if points.contains(where: { anchor.resolved.starts(with: $0) }) {
                locateAgain(anchor)
            } else if anchor.isRecursive, points.contains(where: { $0.starts(with: anchor.resolved) }) {
                mountsChanged(below: anchor)
            }
        }
    }

    private func mountsChanged(below anchor: Anchor) {
        anchor.unwatchablePoints = mounts.unwatchablePoints(below: anchor.resolved)
        for point in anchor.unwatchablePoints {
            if let node = node(at: point) { removeSubtree(node) }
        }
        noteOverflow(anchor)
        rescan(anchor)
    }

    private func node(at path: FilePath) -> NodeID? {
        var node = WatchTree.root
        for component in path.components {
            guard let child = component.withBytes({ tree.child(of: node, named: $0) }) else { return nil }
            node = child
        }
        return node
    }
}
