/// The directories that should be watched and are not, for want of watches or of something else that runs out.
///
/// What is below them is not known, so these are few even where most of a tree is not watched.
struct RefusedNodes {
    private var nodes: Set<WatchNodeID> = []
    /// How many watches were in use when one was refused or tried for last.
    private var usedAtLast = 0
    /// Some have gone since it was found out which folders lack watches.
    private(set) var haveGone = false

    var isEmpty: Bool { nodes.isEmpty }
    var all: Set<WatchNodeID> { nodes }

    mutating func insert(_ node: WatchNodeID, used: Int) {
        nodes.insert(node)
        usedAtLast = used
    }

    /// A directory is scanned (again).
    mutating func remove(_ node: WatchNodeID) {
        if nodes.remove(node) != nil { haveGone = true }
    }

    /// A directory is no more: another one may have what it would have got.
    mutating func forget(_ node: WatchNodeID) {
        guard nodes.remove(node) != nil else { return }
        haveGone = true
        permitRetry()
    }

    /// Some directories to try again, if watches have become free since the last time.
    mutating func retry(room: Int, used: Int) -> [WatchNodeID] {
        guard used < usedAtLast, room > 0, !nodes.isEmpty else { return [] }
        usedAtLast = used
        return Array(nodes.prefix(room))
    }

    /// The next ``retry(room:used:)`` gives some even if no watch has become free.
    mutating func permitRetry() { usedAtLast = .max }

    mutating func haveBeenJudged() { haveGone = false }
}
