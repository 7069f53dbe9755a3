/// The remaining work of the watcher: paths to follow (again), directories to watch and list.
///
/// A class because the parts of the watcher share it; it is confined to the watcher's thread.
final class Backlog {
    private var anchors: [Anchor] = []
    private var scans: [WatchNodeID] = []

    var hasAnchors: Bool { !anchors.isEmpty }

    var hasScans: Bool { !scans.isEmpty }

    var isEmpty: Bool { anchors.isEmpty && scans.isEmpty }

    /// Queues an anchor: its path is followed before anything else is done.
    func locate(_ anchor: Anchor) {
        if !anchors.contains(where: { $0 === anchor }) { anchors.append(anchor) }
    }

    /// Removes and returns the queued anchors, folders first, because observed directories are found through their
    /// roots.
    func removeAnchors() -> [Anchor] {
        defer { anchors = [] }
        return anchors.filter { $0.folder != nil } + anchors.filter { $0.folder == nil }
    }

    func scan(_ node: WatchNodeID) { scans.append(node) }

    /// Removes and returns the directory that was queued last, because its parent is probably still open.
    func removeScan() -> WatchNodeID? { scans.popLast() }

    /// Releases the memory of an empty queue.
    func shrink() {
        if scans.isEmpty { scans = [] }
    }
}
