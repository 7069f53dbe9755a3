import CLinux
import Glibc
import SystemPackage

/// The watches of the directories: decides which directories get one when they are scarce, sets their masks, and
/// forgets data when a directory is replaced or disappears.
final class DirectoryWatches {
    /// The result of a request for a watch.
    enum Outcome {
        case watched
        /// There is no permission to watch it, or it is not a local directory.
        case impossible
        /// No watches are left.
        case refused
    }

    private var source: any EventSource
    private var budget: WatchBudget
    /// The directories that are not watched or not listed, for which folders are reported as unreliable.
    private var refused = RefusedNodes()
    private let systemLimit: @Sendable () -> Int
    private let tree: AnchoredTree
    private let backlog: Backlog
    private let opener: DirectoryOpener

    init(
        source: any EventSource, systemLimit: @escaping @Sendable () -> Int, tree: AnchoredTree, backlog: Backlog,
        opener: DirectoryOpener
    ) {
        self.source = source
        self.systemLimit = systemLimit
        self.tree = tree
        self.backlog = backlog
        self.opener = opener
        budget = WatchBudget(limit: systemLimit())
    }

    /// The maximum number of watches, according to the system.
    var limit: Int { budget.limit }

    // MARK: Events

    /// Becomes readable when events wait.
    var descriptor: Int32 { source.descriptor }

    /// Fills the buffer with whole events; 0 if there are none.
    func readEvents(into buffer: UnsafeMutableRawBufferPointer) -> Int { source.read(into: buffer) }

    // MARK: Watching

    /// Watches the directory that `descriptor` refers to as `node`, or updates its mask.
    ///
    /// If another directory than before is found there, everything known below the node is forgotten. If the directory
    /// was known at another place, everything known there is forgotten, which may include this node.
    func ensureWatch(_ node: WatchNodeID, _ descriptor: Int32) -> Outcome {
        let isCovered = tree.isCovered(node)
        let isKept = !isCovered || tree.nodes.flags(of: node).contains(.anchored)
        if tree.nodes.watch(of: node) == nil, !admit(isKept ? .kept : .tree) { return .refused }
        for attempt in 0..<2 {
            do throws(Errno) {
                // This adds to the existing mask, because the directory may also be mounted at another place.
                let mask = mask(of: node, isCovered: isCovered) | WatchMask.flags | WatchMask.adding
                return bind(node, to: try source.watch(directory: descriptor, mask: mask), descriptor)
            } catch Errno.noSpace {
                budget.systemRefused(used: tree.nodes.watchCount)
                guard isKept, attempt == 0, shedWatch() else { return .refused }
            } catch {
                return .impossible
            }
        }
        return .refused
    }

    private func admit(_ purpose: WatchBudget.Purpose) -> Bool {
        switch budget.verdict(for: purpose, used: tree.nodes.watchCount) {
        case .grant: true
        case .refuse: false
        case .shed: shedWatch()
        }
    }

    private func mask(of node: WatchNodeID, isCovered: Bool) -> UInt32 {
        if isCovered { return WatchMask.everything }
        return tree.isObserved(node) || tree.isUsed(node) ? WatchMask.names : WatchMask.itself
    }

    private func bind(_ node: WatchNodeID, to watch: Int32, _ descriptor: Int32) -> Outcome {
        defer { narrow(watch, descriptor) }
        if tree.nodes.watch(of: node) == watch { return .watched }
        for other in tree.nodes.nodes(watchedBy: watch) where tree.nodes.watch(of: other) == watch {
            if isSameDirectory(other, descriptor) { continue }
            // It was moved here, and the event for that has not been read yet.
            tree.unbind(other)
            startAfresh(other)
            if tree.nodes.isFree(node) {
                // It was known below a node that has just been forgotten, and will be found again.
                if tree.nodes.node(watchedBy: watch) == nil { source.unwatch(watch) }
                return .impossible
            }
        }
        endWatch(of: node)
        if tree.nodes.firstChild(of: node) != nil, tree.isCovered(node) { forgetChildren(of: node) }
        tree.bind(node, to: watch)
        // Changes made before the watch existed have to be found.
        tree.mark(.isNew, on: node)
        return .watched
    }

    /// Removes from a watch the events that none of its directory's places needs any more.
    private func narrow(_ watch: Int32, _ descriptor: Int32) {
        let needed = tree.nodes.nodes(watchedBy: watch).reduce(0) { $0 | mask(of: $1, isCovered: tree.isCovered($1)) }
        guard needed != 0, needed != WatchMask.everything else { return }
        _ = try? source.watch(directory: descriptor, mask: needed | WatchMask.flags)
    }

    /// Updates the mask of a directory anywhere in the tree.
    func refreshWatch(_ node: WatchNodeID) {
        guard let descriptor = try? opener.open(node, in: tree) else { return }
        _ = ensureWatch(node, descriptor)
        close(descriptor)
    }

    /// Ends the watch of a directory, unless the same directory is watched at another place.
    private func endWatch(of node: WatchNodeID) {
        if let watch = tree.unbind(node) { source.unwatch(watch) }
    }

    private func isSameDirectory(_ node: WatchNodeID, _ descriptor: Int32) -> Bool {
        guard let other = try? opener.open(node, in: tree) else { return false }
        defer { close(other) }
        return Anchor.Identity(of: other) == Anchor.Identity(of: descriptor)
    }

    // MARK: Scanning

    /// Queues a directory to be watched and listed.
    func queueScan(_ node: WatchNodeID) {
        tree.mark(.needsScan, on: node)
        backlog.scan(node)
    }

    /// Queues all known directories of a recursive folder, to compare them with the disk.
    func rescan(_ anchor: Anchor) {
        guard anchor.isRecursive, let root = anchor.node else { return }
        for node in tree.nodes.subtree(of: root).reversed() { queueScan(node) }
    }

    // MARK: Scarcity

    /// Removes the watch of a directory below a folder, for something more important.
    private func shedWatch() -> Bool {
        var node = tree.nodes.endOfNodes
        while node > 0 {
            node -= 1
            guard !tree.nodes.isFree(node), let watch = tree.nodes.watch(of: node) else { continue }
            let places = tree.nodes.nodes(watchedBy: watch)
            guard places.allSatisfy({ isForTreesAlone($0) }) else { continue }
            for place in places { endWatch(of: place) }
            for place in places { refuse(place) }
            return true
        }
        return false
    }

    private func isForTreesAlone(_ node: WatchNodeID) -> Bool {
        !tree.nodes.flags(of: node).contains(.anchored) && !tree.isUsed(node) && tree.isCovered(node)
    }

    /// Records that a directory is not watched or not listed: its folders are unreliable until it is.
    func refuse(_ node: WatchNodeID) {
        refused.insert(node, used: tree.nodes.watchCount)
        for (anchor, _) in tree.coveringFolders(of: node) { anchor.setLacksWatches(true) }
    }

    /// Called when a directory is scanned (again): it no longer counts as refused, unless that fails.
    func permit(_ node: WatchNodeID) { refused.remove(node) }

    /// Retries refused directories, as far as watches have become available.
    func retryRefused(_ anchors: AnchorTable) {
        let used = tree.nodes.watchCount
        for node in refused.retry(room: budget.roomForTrees(used: used), used: used) { queueScan(node) }
        if !backlog.hasScans, refused.haveGone { judge(anchors) }
    }

    /// Reads the system's limit again, which the user may have raised.
    func renewLimit(_ anchors: AnchorTable) {
        let limit = systemLimit()
        guard limit > budget.limit else { return }
        budget.renew(limit: limit)
        refused.permitRetry()
        retryRefused(anchors)
    }

    /// Determines which folders still lack watches.
    private func judge(_ anchors: AnchorTable) {
        refused.haveBeenJudged()
        var lacking: Set<ObjectIdentifier> = []
        for node in refused.all {
            for (anchor, _) in tree.coveringFolders(of: node) { lacking.insert(ObjectIdentifier(anchor)) }
        }
        for anchor in anchors.folders { anchor.setLacksWatches(lacking.contains(ObjectIdentifier(anchor))) }
    }

    // MARK: Moving and removing

    /// Removes a directory from below its parent; it keeps its children and watches. Anchors there are located again.
    func detach(_ node: WatchNodeID) {
        releaseAnchors(in: tree.nodes.subtree(of: node))
        opener.forgetAll()
        tree.detach(node)
    }

    /// Puts a detached directory below `parent`.
    func attach(_ node: WatchNodeID, to parent: WatchNodeID, named name: UnsafeBufferPointer<UInt8>) {
        opener.forgetAll()
        tree.attach(node, to: parent, named: name)
    }

    /// Called when the watch of a directory has ended by itself.
    func watchEnded(of node: WatchNodeID) { tree.unbind(node) }

    /// Forgets what is known about a directory and below it, because it is outdated.
    func startAfresh(_ node: WatchNodeID) {
        forgetChildren(of: node)
        if tree.isCovered(node) { queueScan(node) }
        for anchor in tree.anchors(at: node) { backlog.locate(anchor) }
    }

    private func forgetChildren(of node: WatchNodeID) {
        while let child = tree.nodes.firstChild(of: node) { removeSubtree(child) }
    }

    /// Removes a directory and everything below it and ends their watches. Anchors there are located again.
    func removeSubtree(_ top: WatchNodeID) {
        let gone = tree.nodes.subtree(of: top)
        releaseAnchors(in: gone)
        opener.forgetAll()
        for node in gone.reversed() {
            endWatch(of: node)
            refused.forget(node)
            tree.remove(node)
        }
    }

    private func releaseAnchors(in nodes: [WatchNodeID]) {
        for anchor in tree.releaseAnchors(in: nodes) { backlog.locate(anchor) }
    }

    /// Removes an anchor permanently, with the watches that no other anchor needs.
    func remove(_ anchor: Anchor) {
        let top = anchor.node ?? anchor.waitsAt?.node
        let used = anchor.usedNodes
        tree.release(anchor)
        anchor.set(.dropped)
        guard let top else { return }
        for node in tree.nodes.subtree(of: top).reversed() where node != top { trim(node) }
        var current: WatchNodeID? = top
        while let node = current {
            current = tree.nodes.parent(of: node)
            trim(node)
        }
        for node in used where !tree.nodes.isFree(node) && tree.nodes.watch(of: node) != nil { refreshWatch(node) }
    }

    /// Removes a directory that is not needed; for a needed one, keeps only the needed events.
    private func trim(_ node: WatchNodeID) {
        guard !tree.nodes.isFree(node), !tree.isCovered(node) else { return }
        if node == WatchTree.root, tree.nodes.firstChild(of: node) == nil {
            endWatch(of: node)
        } else if tree.nodes.firstChild(of: node) == nil, !tree.isBound(node) {
            removeSubtree(node)
        } else {
            refreshWatch(node)
        }
    }
}

extension Anchor.Identity {
    /// Identifies the directory that a descriptor refers to; nil if the system call fails.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
