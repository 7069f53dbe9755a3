import Support
import SystemPackage

/// The receivers of the events of one directory.
struct EventSinks {
    fileprivate var folders: [(anchor: Anchor, slot: ChangeCoalescer.Slot)] = []
    /// The observed directories that are this directory.
    fileprivate(set) var observers: [Anchor] = []
    /// Whether everything below the directory is watched.
    fileprivate(set) var isCovered = false
    /// Whether an anchor waits for an entry of the directory.
    fileprivate(set) var isWaitedAt = false
    /// Whether the directory is the root of a recursive folder.
    fileprivate(set) var isRoot = false

    /// Records a change of an item in the directory; the empty name is the directory itself.
    func noteItem(_ name: UnsafeBufferPointer<UInt8>, at now: Instant) {
        for (anchor, slot) in folders { anchor.noteItem(name, in: slot, at: now) }
    }
}

/// Records changes in the folders that they belong to. It caches the receivers for a directory, so that further events
/// of the same directory cost no allocation.
final class ChangeRouter {
    private let tree: AnchoredTree
    private var known: [WatchNodeID: EventSinks] = [:]
    /// The tree's version to which `known` belongs.
    private var version: UInt64 = 0

    init(tree: AnchoredTree) {
        self.tree = tree
    }

    func sinks(of node: WatchNodeID) -> EventSinks {
        if version != tree.version {
            version = tree.version
            forget()
        }
        if let sinks = known[node] { return sinks }
        var result = EventSinks()
        let flags = tree.nodes.flags(of: node)
        if flags.contains(.anchored) {
            result.observers = tree.observers(of: node)
            result.isWaitedAt = tree.isWaitedAt(node)
            result.isRoot = flags.contains(.covers)
        }
        result.isCovered = tree.isCovered(node)
        for (anchor, root) in tree.coveringFolders(of: node) {
            let directory = anchor.hasOverflow ? "" : tree.nodes.path(of: node, from: root)
            result.folders.append((anchor, anchor.slot(for: directory)))
        }
        known[node] = result
        return result
    }

    /// Records that a directory has to be listed again, in every established folder that covers it.
    func noteDirectory(_ node: WatchNodeID, at now: Instant) {
        for (anchor, root) in tree.coveringFolders(of: node) where anchor.isEstablished && !anchor.hasOverflow {
            anchor.noteDirectory(tree.nodes.path(of: node, from: root), at: now)
        }
    }

    /// Records that everything in a recursive folder may have changed.
    func noteOverflow(_ anchor: Anchor, at now: Instant) {
        guard anchor.isRecursive else { return }
        anchor.noteOverflow(at: now)
        forget()
    }

    /// Returns the changes of a folder and clears them; nil if there are none.
    func releaseChanges(of anchor: Anchor) -> TreeChanges? {
        guard let batch = anchor.releaseChanges() else { return nil }
        forget()
        return batch
    }

    private func forget() { known.removeAll(keepingCapacity: true) }
}
