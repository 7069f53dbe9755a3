import CLinux
import Glibc
import SystemPackage

extension Watcher {
    /// Queues a directory to be watched and listed.
    func queueScan(_ node: NodeID) {
        tree.set(.needsScan, of: node)
        scanQueue.append(node)
    }

    /// Scans for some milliseconds; then events and commands have their turn.
    func scanSlice() {
        guard !scanQueue.isEmpty else { return }
        let end = Self.monotonicTime() + 5_000_000
        var count = 0
        // The youngest first: its parent is likely to be open still.
        while let node = scanQueue.popLast() {
            scan(node)
            count += 1
            if count % 16 == 0, Self.monotonicTime() > end { break }
        }
        if scanQueue.isEmpty {
            opener.forgetAll()
            scanQueue = []
            establish()
        }
    }

    private func establish() {
        for anchor in folders.values where anchor.node != nil && !anchor.isEstablished {
            anchor.isEstablished = true
            if let id = anchor.folder { output.append(.established(id)) }
        }
    }

    private func scan(_ node: NodeID) {
        guard !tree.isFree(node), tree.flags(of: node).contains(.needsScan), isAttached(node) else { return }
        tree.clear(.needsScan, of: node)
        refused.remove(node)
        guard isCovered(node) else { return }
        let descriptor: Int32
        do throws(Errno) { descriptor = try opener.open(node, in: tree) } catch {
            return cannotOpen(node, error)
        }
        defer { close(descriptor) }
        let outcome = ensureWatch(node, descriptor)
        guard !tree.isFree(node) else { return }
        if tree.flags(of: node).contains(.isNew) {
            tree.clear(.isNew, of: node)
            noteDirectory(node)
        }
        switch outcome {
        case .watched: compare(node, descriptor)
        case .refused: refuse(node)
        case .impossible: break
        }
    }

    private func cannotOpen(_ node: NodeID, _ error: Errno) {
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .staleNFSFileHandle, .improperLink:
            // An improper link is a mount that may not answer, there or on the way; the mount table says what follows.
            removeSubtree(node)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .ioError:
            refuse(node)
        default:
            // Without permission nobody can list it; a change of permissions is an event in its parent.
            if tree.flags(of: node).contains(.isNew) { noteDirectory(node) }
            tree.clear(.isNew, of: node)
        }
    }

    /// Whether a directory has its place below `/`; one that is being moved has none.
    private func isAttached(_ node: NodeID) -> Bool {
        var current = node
        while let parent = tree.parent(of: current) { current = parent }
        return current == WatchTree.root
    }

    /// Brings the known children of a directory into line with its listing.
    private func compare(_ node: NodeID, _ descriptor: Int32) {
        let forbidden = forbiddenNames(in: node)
        var hasNew = false
        do throws(Errno) {
            try listing.forEachEntry(of: descriptor) { name, type in
                guard type != .other, forbidden.isEmpty || !forbidden.contains(Array(name)) else { return }
                if type == .unknown, !isDirectory(name, in: descriptor, of: node) { return }
                if let known = tree.child(of: node, named: name) {
                    tree.set(.seen, of: known)
                    return
                }
                let child = tree.add(name, to: node)
                tree.set([.seen, .isNew], of: child)
                queueScan(child)
                hasNew = true
            }
        } catch {
            return refuse(node)
        }
        sweep(node)
        if hasNew { opener.keep(node, descriptor) }
    }

    /// Removes the children that were not in the listing.
    private func sweep(_ node: NodeID) {
        var child = tree.firstChild(of: node)
        while let current = child {
            child = tree.nextSibling(of: current)
            if tree.flags(of: current).contains(.seen) {
                tree.clear(.seen, of: current)
            } else {
                removeSubtree(current)
            }
        }
    }

    /// Names at which something is mounted that must not be entered.
    private func forbiddenNames(in node: NodeID) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for (anchor, root) in coveringFolders(of: node) where !anchor.unwatchablePoints.isEmpty {
            let path = anchor.resolved.pushing(tree.path(of: node, from: root))
            for point in anchor.unwatchablePoints where point.removingLastComponent() == path {
                point.lastComponent?.withBytes { _ = names.insert(Array($0)) }
            }
        }
        return names
    }

    private func isDirectory(_ name: UnsafeBufferPointer<UInt8>, in directory: Int32, of node: NodeID) -> Bool {
        guard let component = FilePath.Component(bytes: name) else { return false }
        let path = tree.path(of: node).appending(component)
        guard let found = try? gate.open(component, in: directory, for: .look, at: path) else { return false }
        defer { close(found) }
        var status = stat()
        return fstat(found, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Tells what is in an observed directory after events were lost.
    func reportPresent(_ anchor: Anchor) {
        guard let node = anchor.node, let descriptor = try? opener.open(node, in: tree) else { return }
        defer { close(descriptor) }
        var names: [FilePath.Component] = []
        let isComplete =
            (try? listing.forEachEntry(of: descriptor) { name, _ in
                if let component = FilePath.Component(bytes: name) { names.append(component) }
            }) != nil
        guard isComplete else { return }
        anchor.vanished = []
        anchor.vanishPeriod = nil
        output.append(.itemsPresent(directory: anchor.path, names: names))
    }
}
