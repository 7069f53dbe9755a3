import CLinux
import Glibc
import Support
import SystemPackage

/// Watches and lists the directories of the backlog, and updates the tree accordingly.
final class DirectoryScanner {
    /// How long to scan before events and commands are handled.
    private static let slice = Duration.milliseconds(5)

    private let tree: AnchoredTree
    private let watches: DirectoryWatches
    private let backlog: Backlog
    private let router: ChangeRouter
    private let opener: DirectoryOpener
    private let gate: MountGate
    private let listing: DirectoryListing

    init(
        tree: AnchoredTree, watches: DirectoryWatches, backlog: Backlog, router: ChangeRouter, opener: DirectoryOpener,
        gate: MountGate, listing: DirectoryListing
    ) {
        self.tree = tree
        self.watches = watches
        self.backlog = backlog
        self.router = router
        self.opener = opener
        self.gate = gate
        self.listing = listing
    }

    /// Scans for some milliseconds; returns whether the queue is now empty.
    func scanSlice(at now: Instant) -> Bool {
        guard backlog.hasScans else { return false }
        let end = Instant.now + Self.slice
        var count = 0
        while let node = backlog.removeScan() {
            scan(node, at: now)
            count += 1
            if count % 16 == 0, Instant.now > end { break }
        }
        guard !backlog.hasScans else { return false }
        opener.forgetAll()
        backlog.shrink()
        return true
    }

    private func scan(_ node: WatchNodeID, at now: Instant) {
        guard !tree.nodes.isFree(node), tree.nodes.flags(of: node).contains(.needsScan), tree.isAttached(node) else {
            return
        }
        tree.unmark(.needsScan, on: node)
        watches.permit(node)
        guard tree.isCovered(node) else { return }
        let descriptor: Int32
        do throws(Errno) { descriptor = try opener.open(node, in: tree) } catch {
            return cannotOpen(node, error, at: now)
        }
        defer { close(descriptor) }
        let outcome = watches.ensureWatch(node, descriptor)
        guard !tree.nodes.isFree(node) else { return }
        noteIfNew(node, at: now)
        switch outcome {
        case .watched: compare(node, descriptor)
        case .refused: watches.refuse(node)
        case .impossible: break
        }
    }

    private func noteIfNew(_ node: WatchNodeID, at now: Instant) {
        guard tree.nodes.flags(of: node).contains(.isNew) else { return }
        tree.unmark(.isNew, on: node)
        router.noteDirectory(node, at: now)
    }

    private func cannotOpen(_ node: WatchNodeID, _ error: Errno, at now: Instant) {
        switch error {
        case .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .staleNFSFileHandle, .improperLink:
            // An improper link means a mount that may not respond, there or in a parent; the mount table decides what
            // follows.
            watches.removeSubtree(node)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .ioError:
            watches.refuse(node)
        default:
            // Without permission it cannot be listed; a change of permissions causes an event in its parent.
            noteIfNew(node, at: now)
        }
    }

    /// Updates the known children of a directory from its listing.
    private func compare(_ node: WatchNodeID, _ descriptor: Int32) {
        let forbidden = forbiddenNames(in: node)
        var hasNew = false
        do throws(Errno) {
            try listing.forEachEntry(of: descriptor) { name, type in
                guard type != .other, forbidden.isEmpty || !forbidden.contains(Array(name)) else { return }
                if type == .unknown, !isDirectory(name, in: descriptor, of: node) { return }
                if let known = tree.nodes.child(of: node, named: name) {
                    tree.mark(.seen, on: known)
                    return
                }
                let child = tree.add(name, to: node)
                tree.mark([.seen, .isNew], on: child)
                watches.queueScan(child)
                hasNew = true
            }
        } catch {
            return watches.refuse(node)
        }
        sweep(node)
        if hasNew { opener.keep(node, descriptor) }
    }

    /// Removes the children that were missing in the listing.
    private func sweep(_ node: WatchNodeID) {
        var child = tree.nodes.firstChild(of: node)
        while let current = child {
            child = tree.nodes.nextSibling(of: current)
            if tree.nodes.flags(of: current).contains(.seen) {
                tree.unmark(.seen, on: current)
            } else {
                watches.removeSubtree(current)
            }
        }
    }

    /// Names at which something is mounted that must not be entered.
    private func forbiddenNames(in node: WatchNodeID) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        for (anchor, root) in tree.coveringFolders(of: node) where !anchor.unwatchablePoints.isEmpty {
            let path = anchor.resolved.pushing(tree.nodes.path(of: node, from: root))
            for point in anchor.unwatchablePoints where point.removingLastComponent() == path {
                point.lastComponent?.withBytes { _ = names.insert(Array($0)) }
            }
        }
        return names
    }

    private func isDirectory(_ name: UnsafeBufferPointer<UInt8>, in directory: Int32, of node: WatchNodeID) -> Bool {
        guard let component = FilePath.Component(bytes: name) else { return false }
        let path = tree.nodes.path(of: node).appending(component)
        guard let found = try? gate.open(component, in: directory, for: .look, at: path) else { return false }
        defer { close(found) }
        var status = stat()
        return fstat(found, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
