import CLinux
import Glibc
import SystemPackage

extension Watcher {
    /// Queues an anchor: its path is followed (again) before anything else is done.
    func locateAgain(_ anchor: Anchor) {
        if !toLocate.contains(where: { $0 === anchor }) { toLocate.append(anchor) }
    }

    /// Follows the path of every queued anchor. One may queue another, but each turn removes what was out of date.
    func locateAnchors() {
        for _ in 0..<8 where !toLocate.isEmpty {
            let anchors = toLocate
            toLocate = []
            // Folders first: observed directories are found by way of their roots.
            for anchor in anchors.filter({ $0.folder != nil }) + anchors.filter({ $0.folder == nil })
            where isCurrent(anchor) {
                update(anchor)
            }
        }
    }

    private func isCurrent(_ anchor: Anchor) -> Bool {
        if let id = anchor.folder { folders[id] === anchor } else { observed[anchor.path] === anchor }
    }

    private func update(_ anchor: Anchor) {
        let before = anchor.state
        let identity = anchor.identity
        release(anchor)
        anchor.state = locate(anchor)
        if anchor.folder != nil {
            reportFolder(anchor, before: before, isSame: anchor.identity == identity)
        } else {
            reportObserved(anchor, before: before, isSame: anchor.identity == identity)
        }
    }

    // MARK: Finding

    private func locate(_ anchor: Anchor) -> Anchor.State {
        guard let path = resolvedPath(of: anchor) else { return .unwatchable }
        anchor.resolved = path
        if anchor.isRecursive { anchor.unwatchablePoints = mounts.unwatchablePoints(below: path) }
        return walk(anchor, Array(path.components))
    }

    /// The anchor's path without symbolic links among the ancestors; nil if it is on an unwatchable file system.
    private func resolvedPath(of anchor: Anchor) -> FilePath? {
        if anchor.folder == nil, let path = pathBelowFolder(anchor.path) {
            return mounts.kind(at: path) == .local ? path : nil
        }
        // An observed directory outside all folders is a parent of one, and may itself be a link to a directory.
        let wanted = anchor.folder == nil ? anchor.path.appending(".") : anchor.path
        switch PathResolver(mounts: mounts, gate: gate).resolve(wanted) {
        case .resolved(let resolution): return resolution.resolved
        case .unwatchable(let resolution):
            anchor.resolved = resolution.resolved
            return nil
        }
    }

    /// Below a root no symbolic link is followed, so the rest of the path is taken as it is.
    private func pathBelowFolder(_ path: FilePath) -> FilePath? {
        var best: (length: Int, path: FilePath)?
        for folder in folders.values {
            for root in [folder.path, folder.resolved] where path.starts(with: root) {
                let length = root.components.count
                guard length > best?.length ?? 0 else { continue }
                var below = folder.resolved
                for component in path.components.dropFirst(length) { below.append(component) }
                best = (length, below)
            }
        }
        return best?.path
    }

    /// Goes down from `/`, watching each directory before it looks for the next component.
    private func walk(_ anchor: Anchor, _ components: [FilePath.Component]) -> Anchor.State {
        var node = WatchTree.root
        var path: FilePath = "/"
        var directory = clinux_open_at(AT_FDCWD, "/", CLINUX_PASS_DIRECTORY)
        defer { close(directory) }
        for (index, component) in components.enumerated() {
            if index == components.count - 1 { use(node, by: anchor) }
            _ = ensureWatch(node, directory)
            guard !tree.isFree(node) else { return startOver(anchor) }
            path.append(component)
            do throws(Errno) {
                let next = try descend(anchor, to: component, at: path, from: node, directory)
                close(directory)
                directory = next
            } catch {
                guard anchor.waitsAt != nil || error == .improperLink else { return startOver(anchor) }
                return error == .improperLink ? .unwatchable : obstacle(component, in: directory)
            }
            node = component.withBytes { tree.child(of: node, named: $0) ?? tree.add($0, to: node) }
        }
        return attach(anchor, to: node, directory)
    }

    /// Opens the next directory on the way. If it is missing the anchor waits for it.
    private func descend(
        _ anchor: Anchor, to component: FilePath.Component, at path: FilePath, from node: NodeID, _ directory: Int32
    ) throws(Errno) -> Int32 {
        do throws(Errno) {
            return try gate.open(component, in: directory, for: .pass, at: path)
        } catch .improperLink {
            throw .improperLink
        } catch {
            // Only now it is known that this directory has to be followed; something may have come in between.
            wait(anchor, at: node, for: component, directory)
            guard anchor.waitsAt != nil else { throw error }
            let next = try gate.open(component, in: directory, for: .pass, at: path)
            stopWaiting(anchor)
            return next
        }
    }

    /// What was known on the way to the anchor turned out to be out of date.
    private func startOver(_ anchor: Anchor) -> Anchor.State {
        locateAgain(anchor)
        return .dropped
    }

    private func attach(_ anchor: Anchor, to node: NodeID, _ directory: Int32) -> Anchor.State {
        places.end(anchor, at: node)
        tree.set(anchor.isRecursive ? [.anchored, .covers] : .anchored, of: node)
        anchor.identity = Self.identity(of: directory)
        forgetCaches()
        if ensureWatch(node, directory) != .watched, !tree.isFree(node), anchor.isRecursive { refuse(node) }
        return tree.isFree(node) ? .dropped : .attached(node)
    }

    private func wait(
        _ anchor: Anchor, at node: NodeID, for component: FilePath.Component, _ directory: Int32
    ) {
        component.withBytes { anchor.waitsAt = (node, Array($0)) }
        places.wait(anchor, at: node)
        tree.set(.anchored, of: node)
        use(node, by: anchor)
        _ = ensureWatch(node, directory)
        if let parent = tree.parent(of: node) {
            use(parent, by: anchor)
            refreshWatch(parent)
        }
        forgetCaches()
    }

    private func use(_ node: NodeID, by anchor: Anchor) {
        guard !anchor.nameNodes.contains(node) else { return }
        anchor.nameNodes.append(node)
        places.use(node)
    }

    private func obstacle(_ component: FilePath.Component, in directory: Int32) -> Anchor.State {
        // The path matters for a mount alone, and a directory that is mounted there would not be in the way.
        guard let found = try? gate.open(component, in: directory, for: .look, at: "/") else { return .missing }
        defer { close(found) }
        var status = stat()
        let kind = fstat(found, &status) == 0 ? PathResolver.kind(ofMode: status.st_mode & S_IFMT) : .missing
        return kind == .symbolicLink || kind == .file ? .blocked(kind) : .missing
    }

    // MARK: Letting go

    /// Takes everything back that finding the anchor left behind, but for the tree itself.
    private func release(_ anchor: Anchor) {
        stopWaiting(anchor)
        if let node = anchor.node {
            places.removeEnd(of: anchor, at: node)
            if !places.ending(at: node).contains(where: \.isRecursive) { tree.clear(.covers, of: node) }
            clearAnchored(node)
        }
        for node in anchor.nameNodes { places.endUse(of: node) }
        anchor.nameNodes = []
        sinks.removeAll(keepingCapacity: true)
    }

    private func stopWaiting(_ anchor: Anchor) {
        guard let place = anchor.waitsAt else { return }
        places.removeWait(of: anchor, at: place.node)
        anchor.waitsAt = nil
        clearAnchored(place.node)
    }

    private func clearAnchored(_ node: NodeID) {
        if !places.isBound(node) { tree.clear(.anchored, of: node) }
    }

    /// Ends an anchor for good, with the watches that nobody else needs.
    func remove(_ anchor: Anchor) {
        let top = anchor.node ?? anchor.waitsAt?.node
        let used = anchor.nameNodes
        release(anchor)
        anchor.state = .dropped
        guard let top else { return }
        for node in tree.subtree(of: top).reversed() where node != top { trim(node) }
        var current: NodeID? = top
        while let node = current {
            current = tree.parent(of: node)
            trim(node)
        }
        for node in used where !tree.isFree(node) && tree.watch(of: node) != nil { refreshWatch(node) }
    }

    /// Removes a directory that nobody needs; one that somebody needs keeps the events that are needed.
    private func trim(_ node: NodeID) {
        guard !tree.isFree(node), !isCovered(node) else { return }
        if node == WatchTree.root, tree.firstChild(of: node) == nil {
            endWatch(of: node)
        } else if tree.firstChild(of: node) == nil, !places.isBound(node) {
            removeSubtree(node)
        } else {
            refreshWatch(node)
        }
    }

    /// Directories are about to leave the tree: the paths of anchors there have to be followed again.
    func dropAnchors(in nodes: [NodeID]) {
        for node in nodes where tree.flags(of: node).contains(.anchored) {
            for anchor in places.bound(to: node) {
                let wasAttached = anchor.node != nil
                release(anchor)
                if wasAttached { anchor.state = .dropped }
                locateAgain(anchor)
            }
            places.forget(node)
            tree.clear([.anchored, .covers], of: node)
        }
    }

    func wakeWaiting(at node: NodeID, for name: UnsafeBufferPointer<UInt8>) {
        for anchor in places.waiting(at: node) where anchor.waitsAt?.name.elementsEqual(name) ?? false {
            locateAgain(anchor)
        }
    }
}
