import CLinux
import Glibc
import SystemPackage

extension Watcher {
    /// What became of a request for a watch.
    enum WatchOutcome {
        case watched
        /// There is no permission to watch it, or it is no local directory after all.
        case impossible
        /// The watches are used up.
        case refused
    }

    /// Watches the directory that `descriptor` is open on as `node`, or brings its mask up to date.
    ///
    /// If another directory than before is found there, what was known below the node is forgotten. If the directory was
    /// known at another place, what was known there is forgotten: that may be this node itself.
    func ensureWatch(_ node: NodeID, _ descriptor: Int32) -> WatchOutcome {
        let isCovered = isCovered(node)
        let isKept = !isCovered || tree.flags(of: node).contains(.anchored)
        if tree.watch(of: node) == nil, !admit(isKept ? .kept : .tree) { return .refused }
        for attempt in 0..<2 {
            do throws(Errno) {
                // Added to what others want of the same directory: it may be mounted at another place as well.
                let mask = mask(of: node, isCovered: isCovered) | WatchMask.flags | WatchMask.adding
                return bind(node, to: try source.watch(directory: descriptor, mask: mask), descriptor)
            } catch Errno.noSpace {
                budget.systemRefused(used: tree.watchCount)
                guard isKept, attempt == 0, shedWatch() else { return .refused }
            } catch {
                return .impossible
            }
        }
        return .refused
    }

    private func admit(_ purpose: WatchBudget.Purpose) -> Bool {
        switch budget.verdict(for: purpose, used: tree.watchCount) {
        case .grant: true
        case .refuse: false
        case .shed: shedWatch()
        }
    }

    private func mask(of node: NodeID, isCovered: Bool) -> UInt32 {
        if isCovered { return WatchMask.everything }
        let isObserved = places.ending(at: node).contains { $0.role == .observed }
        return isObserved || places.isUsed(node) ? WatchMask.names : WatchMask.itself
    }

    private func bind(_ node: NodeID, to watch: Int32, _ descriptor: Int32) -> WatchOutcome {
        defer { narrow(watch, descriptor) }
        if tree.watch(of: node) == watch { return .watched }
        for other in tree.nodes(watchedBy: watch) where tree.watch(of: other) == watch {
            if isSameDirectory(other, descriptor) { continue }
            // It was moved here, and the event that says so is still to be read.
            tree.unbind(other)
            startAfresh(other)
            if tree.isFree(node) {
                // It was known below what has just been forgotten, and will be found again.
                if tree.node(watchedBy: watch) == nil { source.unwatch(watch) }
                return .impossible
            }
        }
        endWatch(of: node)
        if tree.firstChild(of: node) != nil, isCovered(node) { forgetChildren(of: node) }
        sinks.removeAll(keepingCapacity: true)
        tree.bind(node, to: watch)
        // What happened there before the watch was in place has to be found.
        tree.set(.isNew, of: node)
        return .watched
    }

    /// Takes back from a watch what none of the places of its directory needs any more.
    private func narrow(_ watch: Int32, _ descriptor: Int32) {
        let needed = tree.nodes(watchedBy: watch).reduce(0) { $0 | mask(of: $1, isCovered: isCovered($1)) }
        guard needed != 0, needed != WatchMask.everything else { return }
        _ = try? source.watch(directory: descriptor, mask: needed | WatchMask.flags)
    }

    /// Ends the watch of a directory, unless the same directory is watched at another place.
    func endWatch(of node: NodeID) {
        if let watch = tree.unbind(node) { source.unwatch(watch) }
    }

    /// What is known of a directory and below it is out of date.
    func startAfresh(_ node: NodeID) {
        forgetChildren(of: node)
        if isCovered(node) { queueScan(node) }
        for anchor in places.bound(to: node) { locateAgain(anchor) }
    }

    private func forgetChildren(of node: NodeID) {
        while let child = tree.firstChild(of: node) { removeSubtree(child) }
    }

    private func isSameDirectory(_ node: NodeID, _ descriptor: Int32) -> Bool {
        guard let other = try? opener.open(node, in: tree) else { return false }
        defer { close(other) }
        return Self.identity(of: other) == Self.identity(of: descriptor)
    }

    static func identity(of descriptor: Int32) -> Anchor.Identity? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        return Anchor.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Brings the mask of a directory up to date that may be anywhere in the tree.
    func refreshWatch(_ node: NodeID) {
        guard let descriptor = try? opener.open(node, in: tree) else { return }
        _ = ensureWatch(node, descriptor)
        close(descriptor)
    }

    /// Takes a watch from a tree for something more important.
    private func shedWatch() -> Bool {
        var node = tree.endOfNodes
        while node > 0 {
            node -= 1
            guard !tree.isFree(node), let watch = tree.watch(of: node) else { continue }
            let places = tree.nodes(watchedBy: watch)
            guard places.allSatisfy({ isForTreesAlone($0) }) else { continue }
            for place in places { endWatch(of: place) }
            for place in places { refuse(place) }
            return true
        }
        return false
    }

    private func isForTreesAlone(_ node: NodeID) -> Bool {
        !tree.flags(of: node).contains(.anchored) && !places.isUsed(node) && isCovered(node)
    }

    /// A directory is not watched or not listed: the folders that it belongs to are unreliable until it is.
    func refuse(_ node: NodeID) {
        refused.insert(node, used: tree.watchCount)
        for (anchor, _) in coveringFolders(of: node) { anchor.lacksWatches = true }
    }

    /// Tries again what was refused, as far as watches have become free.
    func retryRefused() {
        let used = tree.watchCount
        for node in refused.take(room: budget.roomForTrees(used: used), used: used) { queueScan(node) }
        if scanQueue.isEmpty, refused.haveGone { judgeFolders() }
    }

    /// Finds out which folders still lack watches.
    private func judgeFolders() {
        refused.haveBeenJudged()
        var lacking: Set<ObjectIdentifier> = []
        for node in refused.all {
            for (anchor, _) in coveringFolders(of: node) { lacking.insert(ObjectIdentifier(anchor)) }
        }
        for anchor in folders.values { anchor.lacksWatches = lacking.contains(ObjectIdentifier(anchor)) }
    }
}
