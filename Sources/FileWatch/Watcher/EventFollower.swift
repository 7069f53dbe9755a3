import Glibc
import Support
import SystemPackage

/// Applies the kernel's events to the tree and records the resulting changes.
final class EventFollower {
    private let anchors: AnchorTable
    private let tree: AnchoredTree
    private let watches: DirectoryWatches
    private let backlog: Backlog
    private let router: ChangeRouter
    private var moves = PendingMoves()

    init(
        anchors: AnchorTable, tree: AnchoredTree, watches: DirectoryWatches, backlog: Backlog, router: ChangeRouter
    ) {
        self.anchors = anchors
        self.tree = tree
        self.watches = watches
        self.backlog = backlog
        self.router = router
    }

    func handle(_ record: InotifyRecord, at now: Instant) {
        guard let node = tree.nodes.node(watchedBy: record.watch) else { return }
        let twins = tree.nodes.twins(of: record.watch)
        handle(record, of: node, at: now)
        // The directory is mounted at several places, so the event applies to each of them.
        for twin in twins where tree.nodes.watch(of: twin) == record.watch { handle(record, of: twin, at: now) }
    }

    private func handle(_ record: InotifyRecord, of node: WatchNodeID, at now: Instant) {
        if record.has(IN_UNMOUNT) { return unmounted(node, at: now) }
        if record.has(IN_IGNORED) { return ended(node) }
        if record.has(IN_MOVE_SELF) { return moved(node) }
        let sinks = router.sinks(of: node)
        if record.name.isEmpty {
            if sinks.isRoot, record.has(IN_ATTRIB) { sinks.noteItem(record.name, at: now) }
            return
        }
        sinks.noteItem(record.name, at: now)
        noteObserved(record, sinks, at: now)
        if sinks.isWaitedAt {
            for anchor in tree.anchors(waitingAt: node, for: record.name) { backlog.locate(anchor) }
        }
        if record.isDirectory { follow(record, in: node, isCovered: sinks.isCovered, at: now) }
    }

    private func noteObserved(_ record: InotifyRecord, _ sinks: EventSinks, at now: Instant) {
        for anchor in sinks.observers {
            if record.has(IN_DELETE) || record.has(IN_MOVED_FROM) {
                anchor.noteVanished(Array(record.name), at: now)
            } else if record.has(IN_CREATE) || record.has(IN_MOVED_TO) {
                anchor.noteReturned(record.name)
            }
        }
    }

    // MARK: Directories

    private func follow(_ record: InotifyRecord, in parent: WatchNodeID, isCovered: Bool, at now: Instant) {
        if record.has(IN_CREATE) {
            if isCovered { appeared(record.name, in: parent) }
        } else if record.has(IN_MOVED_TO) {
            arrived(record, in: parent, isCovered: isCovered, at: now)
        } else if record.has(IN_MOVED_FROM) {
            left(record, from: parent, isCovered: isCovered, at: now)
        } else if record.has(IN_DELETE) {
            if let child = tree.nodes.child(of: parent, named: record.name) { remove(child) }
        } else if record.has(IN_ATTRIB), isCovered {
            // Its new permissions may allow what the old ones prevented.
            if let child = tree.nodes.child(of: parent, named: record.name), tree.nodes.watch(of: child) == nil {
                watches.queueScan(child)
            }
        }
    }

    private func appeared(_ name: UnsafeBufferPointer<UInt8>, in parent: WatchNodeID) {
        let child = tree.nodes.child(of: parent, named: name) ?? tree.add(name, to: parent)
        tree.mark(.isNew, on: child)
        watches.queueScan(child)
    }

    /// Called when a directory was moved here from outside. If that was an exchange, the departure of the previous
    /// directory with the same name is still to come, and would be mistaken for that of the new one.
    private func appearedInPlace(_ name: UnsafeBufferPointer<UInt8>, in parent: WatchNodeID) {
        if let replaced = tree.nodes.child(of: parent, named: name) { tree.mark(.tookPlace, on: replaced) }
        appeared(name, in: parent)
    }

    private func left(_ record: InotifyRecord, from parent: WatchNodeID, isCovered: Bool, at now: Instant) {
        guard let child = tree.nodes.child(of: parent, named: record.name) else { return }
        guard isCovered else { return remove(child) }
        // If two directories were exchanged, the one that replaced the other is mistaken for it here.
        if tree.nodes.flags(of: child).contains(.tookPlace) { watches.queueScan(parent) }
        tree.unmark(.tookPlace, on: child)
        watches.detach(child)
        moves.add(child, cookie: record.cookie, at: now)
    }

    private func arrived(_ record: InotifyRecord, in parent: WatchNodeID, isCovered: Bool, at now: Instant) {
        let moved = moves.remove(cookie: record.cookie)
        guard isCovered else {
            if let moved { remove(moved) }
            return
        }
        guard let moved else { return appearedInPlace(record.name, in: parent) }
        guard !tree.isInside(parent, moved) else { return lostTrack(of: moved, at: now) }
        if let replaced = tree.nodes.child(of: parent, named: record.name) {
            remove(replaced)
            tree.mark(.tookPlace, on: moved)
        }
        watches.attach(moved, to: parent, named: record.name)
        for node in tree.nodes.subtree(of: moved) {
            router.noteDirectory(node, at: now)
            if tree.nodes.flags(of: node).contains(.needsScan) || tree.nodes.watch(of: node) == nil {
                watches.queueScan(node)
            }
        }
        // If the event is outdated, the scan finds another directory here and starts again.
        watches.queueScan(moved)
    }

    /// Called when scans were ahead of the events, so that the data about a moved tree cannot be right.
    private func lostTrack(of moved: WatchNodeID, at now: Instant) {
        remove(moved)
        doubtFolders(at: now)
    }

    /// Called when anything may have changed in the watched folders: all their data is compared with the disk.
    func doubtFolders(at now: Instant) {
        for anchor in anchors.folders where anchor.node != nil {
            router.noteOverflow(anchor, at: now)
            watches.rescan(anchor)
        }
    }

    // MARK: Moves

    /// When the first directory that is being moved counts as gone; nil if there is none.
    var movesDeadline: Instant? { moves.deadline }

    /// Forgets the directories that were moved out of the watched area; with `all`, even those that may still arrive.
    func expireMoves(all: Bool = false, at now: Instant) {
        while let node = moves.removeExpired(at: now, all: all) { remove(node) }
    }

    // MARK: Ends

    private func remove(_ node: WatchNodeID) {
        moves.forget(node)
        watches.removeSubtree(node)
    }

    private func moved(_ node: WatchNodeID) {
        // Below a covered directory, the events of the parent are more precise.
        if let parent = tree.nodes.parent(of: node), tree.isCovered(parent) { return }
        remove(node)
    }

    /// Called when the watched directory no longer exists. Another one may already have its name, which the scan will
    /// find.
    private func ended(_ node: WatchNodeID) {
        watches.watchEnded(of: node)
        guard let parent = tree.nodes.parent(of: node), tree.isCovered(parent) else { return remove(node) }
        watches.startAfresh(node)
    }

    private func unmounted(_ node: WatchNodeID, at now: Instant) {
        for (anchor, _) in tree.coveringFolders(of: node) { router.noteOverflow(anchor, at: now) }
        let parent = tree.nodes.parent(of: node)
        remove(node)
        if let parent, tree.isCovered(parent) { watches.queueScan(parent) }
    }
}
