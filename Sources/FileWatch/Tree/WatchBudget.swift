/// Decides which directories get a watch when watches are scarce. Pure.
///
/// Roots and observed directories come first: a reserve is kept for them, and beyond it the trees give up watches.
struct WatchBudget {
    /// The purpose of a watch.
    enum Purpose {
        /// A root, its ancestors, an observed directory.
        case kept
        /// A directory below a recursively watched folder.
        case tree
    }

    enum Verdict: Equatable {
        case grant
        /// Do not add a watch for this purpose; the folder is unreliable.
        case refuse
        /// Remove watches from a tree first.
        case shed
    }

    /// The maximum number of watches, according to the system.
    private(set) var limit: Int
    /// The number of watches that the system actually granted, if less: other programs of the user share the limit.
    private var reached: Int?

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// How many watches trees leave for roots and observed directories.
    var reserve: Int { min(limit / 8, 1024) }

    func verdict(for purpose: Purpose, used: Int) -> Verdict {
        let available = min(limit, reached ?? limit)
        switch purpose {
        case .kept: return used < available ? .grant : .shed
        case .tree: return used < limit - reserve && used < available ? .grant : .refuse
        }
    }

    /// How many directories of trees could get a watch now.
    func roomForTrees(used: Int) -> Int {
        max(0, min(limit - reserve, reached ?? limit) - used)
    }

    /// Records that the system refused a watch although only this many were in use.
    mutating func systemRefused(used: Int) {
        reached = used
    }

    /// Sets the system's limit after reading it again, and forgets earlier refusals.
    mutating func renew(limit: Int) {
        self.limit = max(limit, 0)
        reached = nil
    }
}
