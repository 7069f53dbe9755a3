/// Directories that could not be listed: tried again with the next retry.
struct UnlistedDirectories {
    private struct Trial {
        /// When it failed last.
        var since: ContinuousClock.Instant
        var isTriedAgain = false
    }

    private var trials: [SideDirectory: Trial] = [:]

    var isEmpty: Bool { trials.isEmpty }

    /// All of them, in an order that is always the same.
    var all: [SideDirectory] { Self.inOrder(trials.keys) }

    /// Those that were not tried again since they failed first.
    var untried: [SideDirectory] { Self.inOrder(trials.filter { !$0.value.isTriedAgain }.keys) }

    func contains(_ directory: SideDirectory) -> Bool { trials[directory] != nil }

    /// When a directory could not be listed the last time; nil if it could.
    func since(_ directory: SideDirectory) -> ContinuousClock.Instant? { trials[directory]?.since }

    /// A directory could not be listed.
    mutating func note(_ directory: SideDirectory, at now: Moment) {
        trials[directory, default: Trial(since: now.instant)].since = now.instant
    }

    /// A directory is tried again.
    mutating func noteTrial(of directory: SideDirectory) { trials[directory]?.isTriedAgain = true }

    /// A directory was listed, or is gone; true if it could not be listed before.
    @discardableResult
    mutating func remove(_ directory: SideDirectory) -> Bool { trials.removeValue(forKey: directory) != nil }

    /// A directory has another id from now on; true if it could not be listed.
    @discardableResult
    mutating func rename(_ old: SideDirectory, as new: NodeID) -> Bool {
        guard let trial = trials.removeValue(forKey: old) else { return false }
        trials[SideDirectory(side: old.side, node: new)] = trial
        return true
    }

    private static func inOrder(_ directories: some Sequence<SideDirectory>) -> [SideDirectory] {
        directories.sorted { ($0.node, $0.side.rawValue) < ($1.node, $1.side.rawValue) }
    }
}
