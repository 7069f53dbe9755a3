import SystemPackage

/// The directories that the watcher knows, with the anchors that end there, wait there or need their entries. Pure
/// bookkeeping: the watches are ``DirectoryWatches``'.
///
/// A class because the parts of the watcher share it; it is confined to the watcher's thread.
final class AnchoredTree {
    private(set) var nodes = WatchTree()
    private var places = AnchorPlaces()
    /// Changes whenever conclusions from the tree may have become wrong; ``ChangeRouter`` caches some of them.
    private(set) var version: UInt64 = 0

    // MARK: Asking about directories

    /// Whether everything below a directory is watched, also while its tree is being moved.
    func isCovered(_ node: WatchNodeID) -> Bool {
        var current = node
        while !nodes.flags(of: current).contains(.covers) {
            guard let parent = nodes.parent(of: current) else { return current != WatchTree.root }
            current = parent
        }
        return true
    }

    /// The recursive folders that a directory belongs to, each with its root.
    func coveringFolders(of node: WatchNodeID) -> [(anchor: Anchor, root: WatchNodeID)] {
        var result: [(anchor: Anchor, root: WatchNodeID)] = []
        var current: WatchNodeID? = node
        while let step = current {
            if nodes.flags(of: step).contains(.covers) {
                for anchor in places.ending(at: step) where anchor.isRecursive { result.append((anchor, step)) }
            }
            current = nodes.parent(of: step)
        }
        return result
    }

    /// Whether a directory has its place below `/`; one that is being moved has none.
    func isAttached(_ node: WatchNodeID) -> Bool {
        var current = node
        while let parent = nodes.parent(of: current) { current = parent }
        return current == WatchTree.root
    }

    /// Whether a directory is `top` or below it.
    func isInside(_ node: WatchNodeID, _ top: WatchNodeID) -> Bool {
        var current: WatchNodeID? = node
        while let step = current, step != top { current = nodes.parent(of: step) }
        return current != nil
    }

    func node(at path: FilePath) -> WatchNodeID? {
        var node = WatchTree.root
        for component in path.components {
            guard let child = component.withBytes({ nodes.child(of: node, named: $0) }) else { return nil }
            node = child
        }
        return node
    }

    // MARK: Asking about anchors

    /// The anchors that end or wait at a directory.
    func anchors(at node: WatchNodeID) -> [Anchor] { places.bound(to: node) }

    /// The observed directories that a directory is.
    func observers(of node: WatchNodeID) -> [Anchor] { places.ending(at: node).filter { $0.role == .observed } }

    /// Whether a directory is an observed one.
    func isObserved(_ node: WatchNodeID) -> Bool { places.ending(at: node).contains { $0.role == .observed } }

    /// Whether an anchor waits for an entry of a directory.
    func isWaitedAt(_ node: WatchNodeID) -> Bool { places.isWaitedAt(node) }

    /// The anchors that wait for this name in a directory.
    func anchors(waitingAt node: WatchNodeID, for name: UnsafeBufferPointer<UInt8>) -> [Anchor] {
        places.waiting(at: node).filter { $0.waitsAt?.name.elementsEqual(name) ?? false }
    }

    /// Whether an anchor ends or waits at a directory.
    func isBound(_ node: WatchNodeID) -> Bool { places.isBound(node) }

    /// Whether an anchor needs the entries of a directory.
    func isUsed(_ node: WatchNodeID) -> Bool { places.isUsed(node) }

    // MARK: Changing directories

    func mark(_ flags: WatchTree.Flags, on node: WatchNodeID) { nodes.set(flags, of: node) }

    func unmark(_ flags: WatchTree.Flags, on node: WatchNodeID) { nodes.clear(flags, of: node) }

    /// Adds a directory that is not known yet.
    func add(_ name: UnsafeBufferPointer<UInt8>, to parent: WatchNodeID) -> WatchNodeID { nodes.add(name, to: parent) }

    /// Removes a directory that has no children (any more).
    func remove(_ node: WatchNodeID) {
        nodes.remove(node)
        version &+= 1
    }

    /// Removes a directory from below its parent; it keeps its children and watches.
    func detach(_ node: WatchNodeID) {
        nodes.detach(node)
        version &+= 1
    }

    /// Puts a detached directory below `parent`.
    func attach(_ node: WatchNodeID, to parent: WatchNodeID, named name: UnsafeBufferPointer<UInt8>) {
        nodes.attach(node, to: parent, named: name)
        version &+= 1
    }

    /// Records the watch of a directory.
    func bind(_ node: WatchNodeID, to watch: Int32) {
        nodes.bind(node, to: watch)
        version &+= 1
    }

    /// Forgets the watch of a directory; returns it if no other directory has it.
    @discardableResult
    func unbind(_ node: WatchNodeID) -> Int32? { nodes.unbind(node) }

    // MARK: Changing anchors

    /// The anchor's path leads to this directory.
    func end(_ anchor: Anchor, at node: WatchNodeID, _ identity: Anchor.Identity?) {
        anchor.identify(identity)
        places.end(anchor, at: node)
        nodes.set(anchor.isRecursive ? [.anchored, .covers] : .anchored, of: node)
        version &+= 1
    }

    /// The anchor's path leads to this directory and no further for now.
    func wait(_ anchor: Anchor, at node: WatchNodeID, for name: [UInt8]) {
        anchor.wait(at: node, for: name)
        places.wait(anchor, at: node)
        nodes.set(.anchored, of: node)
        use(node, by: anchor)
        version &+= 1
    }

    func stopWaiting(_ anchor: Anchor) {
        guard let node = anchor.stopWaiting() else { return }
        places.removeWait(of: anchor, at: node)
        unmarkUnbound(node)
        version &+= 1
    }

    /// The anchor needs the entries of a directory.
    func use(_ node: WatchNodeID, by anchor: Anchor) {
        if anchor.use(node) { places.use(node) }
    }

    /// Undoes everything that finding the anchor left behind, except for the tree itself.
    func release(_ anchor: Anchor) {
        stopWaiting(anchor)
        if let node = anchor.node {
            places.removeEnd(of: anchor, at: node)
            if !places.ending(at: node).contains(where: \.isRecursive) { nodes.clear(.covers, of: node) }
            unmarkUnbound(node)
        }
        for node in anchor.usedNodes { places.endUse(of: node) }
        anchor.endUses()
        version &+= 1
    }

    /// Releases the anchors of directories that are about to leave their place, and returns them.
    func releaseAnchors(in nodes: [WatchNodeID]) -> [Anchor] {
        var released: [Anchor] = []
        for node in nodes where self.nodes.flags(of: node).contains(.anchored) {
            for anchor in places.bound(to: node) {
                let wasAttached = anchor.node != nil
                release(anchor)
                if wasAttached { anchor.set(.dropped) }
                released.append(anchor)
            }
            places.forget(node)
            self.nodes.clear([.anchored, .covers], of: node)
        }
        return released
    }

    private func unmarkUnbound(_ node: WatchNodeID) {
        if !places.isBound(node) { nodes.clear(.anchored, of: node) }
    }
}
