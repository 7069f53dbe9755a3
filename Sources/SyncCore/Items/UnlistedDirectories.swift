/// Directories that could not be listed; the next retry tries them again.
struct UnlistedDirectories {
    private struct Trial {
        /// When it last failed.
        var since: ContinuousClock.Instant
        var isTriedAgain = false
    }

    private var trials: [SideDirectory: Trial] = [:]

    var isEmpty: Bool { trials.isEmpty }

    /// All of them, in a fixed order.
    var all: [SideDirectory] { Self.inOrder(trials.keys) }

    /// Those that were not tried again since they first failed.
    var untried: [SideDirectory] { Self.inOrder(trials.filter { !$0.value.isTriedAgain }.keys) }

    func contains(_ directory: SideDirectory) -> Bool { trials[directory] != nil }

    /// When listing a directory last failed; nil if it did not.
    func since(_ directory: SideDirectory) -> ContinuousClock.Instant? { trials[directory]?.since }

    /// Notes that a directory could not be listed.
    mutating func note(_ directory: SideDirectory, at now: Moment) {
        trials[directory, default: Trial(since: now.instant)].since = now.instant
    }

    /// Notes that a directory is tried again.
    mutating func noteTrial(of directory: SideDirectory) { trials[directory]?.isTriedAgain = true }

    /// A directory was listed or is gone; true if it could not be listed before.
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
