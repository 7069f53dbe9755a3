internal import SyncCore

/// How far a folder as a whole has come, as it was told last.
struct ToldProgress {
    private var percent: UInt8?

    /// Follows changed states.
    /// - Returns: Whether the folder has come further, or back.
    mutating func follow(_ changes: [StateChange]) -> Bool {
        guard let root = changes.last(where: { $0.node == .root }), root.progress != percent else { return false }
        percent = root.progress
        return true
    }
}
