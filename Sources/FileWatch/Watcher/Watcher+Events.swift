import Glibc
import SystemPackage

/// Where the events of one directory go.
struct Sinks {
    var folders: [(anchor: Anchor, slot: ChangeCoalescer.Slot)] = []
    var observers: [Anchor] = []
    var isCovered = false
    var isWaitedAt = false
    var isRoot = false
}

extension Watcher {
    func handle(_ record: InotifyRecord) {
        if record.has(IN_Q_OVERFLOW) { return eventsWereLost() }
        guard let node = tree.node(watchedBy: record.watch) else { return }
        let twins = tree.twins(of: record.watch)
        handle(record, at: node)
        for twin in twins where tree.watch(of: twin) == record.watch { handle(record, at: twin) }
    }

    /// The directory is mounted at more places than one: what happens in it happens at each.
    private func handle(_ record: InotifyRecord, at node: NodeID) {
        if record.has(IN_UNMOUNT) { return unmounted(node) }
        if record.has(IN_IGNORED) { return ended(node) }
        if record.has(IN_MOVE_SELF) { return moved(node) }
        let sinks = sinks(of: node)
        if record.name.isEmpty {
            if sinks.isRoot, record.has(IN_ATTRIB) { note(record.name, sinks) }
            return
        }
        note(record.name, sinks)
        noteObserved(record, sinks)
        if sinks.isWaitedAt { wakeWaiting(at: node, for: record.name) }
        if record.isDirectory { follow(record, in: node, isCovered: sinks.isCovered) }
    }

    // MARK: Telling

    func sinks(of node: NodeID) -> Sinks {
        if let known = sinks[node] { return known }
        var result = Sinks()
        let flags = tree.flags(of: node)
        if flags.contains(.anchored) {
            result.observers = places.ending(at: node).filter { $0.role == .observed }
            result.isWaitedAt = places.isWaitedAt(node)
            result.isRoot = flags.contains(.covers)
        }
        result.isCovered = isCovered(node)
        for (anchor, root) in coveringFolders(of: node) {
            result.folders.append(
                (anchor, anchor.changes.slot(for: anchor.changes.overflow ? "" : tree.path(of: node, from: root))))
        }
        sinks[node] = result
        return result
    }

    private func note(_ name: UnsafeBufferPointer<UInt8>, _ sinks: Sinks) {
        for (anchor, slot) in sinks.folders { anchor.changes.noteItem(name, in: slot, at: now) }
    }

    private func noteObserved(_ record: InotifyRecord, _ sinks: Sinks) {
        for anchor in sinks.observers {
            if record.has(IN_DELETE) || record.has(IN_MOVED_FROM) {
                noteVanished(Array(record.name), from: anchor)
            } else if record.has(IN_CREATE) || record.has(IN_MOVED_TO), !anchor.vanished.isEmpty {
                anchor.vanished.remove(Array(record.name))
            }
        }
    }

    func noteVanished(_ name: [UInt8], from anchor: Anchor) {
        anchor.vanished.insert(name)
        if anchor.vanishPeriod == nil { anchor.vanishPeriod = QuietPeriod(at: now) }
        anchor.vanishPeriod?.extend(to: now)
    }

    /// Reports to every folder that covers a directory that it has to be listed again.
    func noteDirectory(_ node: NodeID) {
        for (anchor, root) in coveringFolders(of: node)
        where anchor.isEstablished && !anchor.changes.overflow {
            anchor.changes.noteDirectory(tree.path(of: node, from: root), at: now)
        }
    }

    func noteOverflow(_ anchor: Anchor) {
        guard anchor.isRecursive else { return }
        anchor.changes.noteOverflow(at: now)
        sinks.removeAll(keepingCapacity: true)
    }

    /// The recursive folders that a directory belongs to, each with its root.
    func coveringFolders(of node: NodeID) -> [(anchor: Anchor, root: NodeID)] {
        var result: [(anchor: Anchor, root: NodeID)] = []
        var current: NodeID? = node
        while let step = current {
            if tree.flags(of: step).contains(.covers) {
                for anchor in places.ending(at: step) where anchor.isRecursive { result.append((anchor, step)) }
            }
            current = tree.parent(of: step)
        }
        return result
    }

    /// Whether everything below a directory is watched. A tree on its way to another place counts.
    func isCovered(_ node: NodeID) -> Bool {
        var current = node
        while !tree.flags(of: current).contains(.covers) {
            guard let parent = tree.parent(of: current) else { return current != WatchTree.root }
            current = parent
        }
        return true
    }

    // MARK: Following the tree

    private func follow(_ record: InotifyRecord, in parent: NodeID, isCovered: Bool) {
        if record.has(IN_CREATE) {
            if isCovered { appeared(record.name, in: parent) }
        } else if record.has(IN_MOVED_TO) {
            arrived(record, in: parent, isCovered: isCovered)
        } else if record.has(IN_MOVED_FROM) {
            left(record, from: parent, isCovered: isCovered)
        } else if record.has(IN_DELETE) {
            if let child = tree.child(of: parent, named: record.name) { removeSubtree(child) }
        } else if record.has(IN_ATTRIB), isCovered {
            // Its permissions may allow what they forbade.
            if let child = tree.child(of: parent, named: record.name), tree.watch(of: child) == nil { queueScan(child) }
        }
    }

    private func appeared(_ name: UnsafeBufferPointer<UInt8>, in parent: NodeID) {
        let child = tree.child(of: parent, named: name) ?? tree.add(name, to: parent)
        tree.set(.isNew, of: child)
        queueScan(child)
    }

    /// A directory came from out of sight. If it came by an exchange, the departure of the one that was there is still to
    /// come, under the same name, and would be taken for its own.
    private func appearedInPlace(_ name: UnsafeBufferPointer<UInt8>, in parent: NodeID) {
        if let replaced = tree.child(of: parent, named: name) { tree.set(.tookPlace, of: replaced) }
        appeared(name, in: parent)
    }

    private func left(_ record: InotifyRecord, from parent: NodeID, isCovered: Bool) {
        guard let child = tree.child(of: parent, named: record.name) else { return }
        guard isCovered else { return removeSubtree(child) }
        dropAnchors(in: tree.subtree(of: child))
        forgetCaches()
        // Two directories that change places: what took the other's place is taken for it here.
        if tree.flags(of: child).contains(.tookPlace) { queueScan(parent) }
        tree.clear(.tookPlace, of: child)
        tree.detach(child)
        moves.add(child, cookie: record.cookie, at: now)
    }

    private func arrived(_ record: InotifyRecord, in parent: NodeID, isCovered: Bool) {
        let moved = moves.take(cookie: record.cookie)
        guard isCovered else {
            if let moved { removeSubtree(moved) }
            return
        }
        guard let moved else { return appearedInPlace(record.name, in: parent) }
        guard !isInside(parent, moved) else { return lostTrack(of: moved) }
        if let replaced = tree.child(of: parent, named: record.name) {
            removeSubtree(replaced)
            tree.set(.tookPlace, of: moved)
        }
        forgetCaches()
        tree.attach(moved, to: parent, named: record.name)
        for node in tree.subtree(of: moved) {
            noteDirectory(node)
            if tree.flags(of: node).contains(.needsScan) || tree.watch(of: node) == nil { queueScan(node) }
        }
        // Should the event be out of date, the scan finds another directory here and starts afresh.
        queueScan(moved)
    }

    private func isInside(_ node: NodeID, _ top: NodeID) -> Bool {
        var current: NodeID? = node
        while let step = current, step != top { current = tree.parent(of: step) }
        return current != nil
    }

    /// Scans were ahead of the events, and what is known of a moved tree cannot be right any more.
    private func lostTrack(of moved: NodeID) {
        removeSubtree(moved)
        for anchor in folders.values where anchor.node != nil {
            noteOverflow(anchor)
            rescan(anchor)
        }
    }

    /// Directories that moved out of sight are not followed any more.
    func expireMoves(all: Bool = false) {
        while let node = moves.takeExpired(at: now, all: all) { removeSubtree(node) }
    }

    // MARK: Ends

    private func moved(_ node: NodeID) {
        // Below a covered directory the parent's events say more.
        if let parent = tree.parent(of: node), isCovered(parent) { return }
        removeSubtree(node)
    }

    /// The watched directory is no more. Its name may stand for another one by now: the scan will see.
    private func ended(_ node: NodeID) {
        tree.unbind(node)
        guard let parent = tree.parent(of: node), isCovered(parent) else { return removeSubtree(node) }
        startAfresh(node)
    }

    private func unmounted(_ node: NodeID) {
        for (anchor, _) in coveringFolders(of: node) { noteOverflow(anchor) }
        let parent = tree.parent(of: node)
        removeSubtree(node)
        if let parent, isCovered(parent) { queueScan(parent) }
    }

    private func eventsWereLost() {
        expireMoves(all: true)
        for anchor in folders.values where anchor.node != nil {
            noteOverflow(anchor)
            rescan(anchor)
        }
        for anchor in Array(folders.values) + Array(observed.values) { locateAgain(anchor) }
        for anchor in observed.values where anchor.node != nil { reportPresent(anchor) }
    }

    /// Compares everything that is known of a folder with what is there.
    func rescan(_ anchor: Anchor) {
        guard anchor.isRecursive, let root = anchor.node else { return }
        for node in tree.subtree(of: root).reversed() { queueScan(node) }
    }

    /// Takes a directory and everything below it out of the tree and ends their watches.
    func removeSubtree(_ top: NodeID) {
        let gone = tree.subtree(of: top)
        moves.forget(top)
        dropAnchors(in: gone)
        forgetCaches()
        for node in gone.reversed() {
            endWatch(of: node)
            refused.forget(node)
            tree.remove(node)
        }
    }

    func forgetCaches() {
        opener.forgetAll()
        sinks.removeAll(keepingCapacity: true)
    }
}
