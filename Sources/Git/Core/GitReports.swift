package import RoundelBus

/// What is known of one directory.
package struct DirectoryReport: Equatable, Sendable {
    /// What is in it, ordered by the bytes of the names; nil for what git does not speak of.
    package var items: [(name: ItemName, state: FileState?)]
    /// Those names that are work trees of their own: their states are sums of their own repositories.
    package var nested: Set<ItemName>
    /// Those that are staged, or hold something that is.
    package var staged: Set<ItemName> = []

    package init(items: [(name: ItemName, state: FileState?)] = [], nested: Set<ItemName> = []) {
        self.items = items
        self.nested = nested
    }

    package static func == (left: DirectoryReport, right: DirectoryReport) -> Bool {
        left.nested == right.nested && left.staged == right.staged && left.items.elementsEqual(right.items, by: ==)
    }
}

/// What is known of a whole work tree.
package struct RepositoryReport: Equatable, Sendable {
    /// The sum of all in it; nil if it was not asked for, or git did not answer.
    package var state: FileState?
    package var branch: BranchState?
    /// Whether anything in it is staged.
    package var isStaged = false
    /// Why git does not answer, a sentence.
    package var problem: String?

    package init(state: FileState? = nil, branch: BranchState? = nil, problem: String? = nil) {
        self.state = state
        self.branch = branch
        self.problem = problem
    }
}
