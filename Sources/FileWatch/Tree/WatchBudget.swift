/// Who gets a watch while they are scarce. Pure.
///
/// Roots and observed directories come first: a reserve is kept for them, and beyond it the trees give up watches.
struct WatchBudget {
    /// What a watch is for.
    enum Purpose {
        /// A root, its ancestors, an observed directory.
        case kept
        /// A directory below a recursively watched folder.
        case tree
    }

    enum Verdict: Equatable {
        case grant
        /// Not for this purpose; the folder is unreliable.
        case refuse
        /// Take watches from a tree first.
        case shed
    }

    /// The most watches that the system gives.
    private(set) var limit: Int
    /// What the system turned out to give, if less: other programs of the user share the limit.
    private var reached: Int?

    init(limit: Int) {
        self.limit = max(limit, 0)
    }

    /// What trees leave for roots and observed directories.
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

    /// The system refused a watch although this many were in use.
    mutating func systemRefused(used: Int) {
        reached = used
    }

    /// The system's limit as read again; what was learned from refusals is forgotten.
    mutating func renew(limit: Int) {
        self.limit = max(limit, 0)
        reached = nil
    }
}
