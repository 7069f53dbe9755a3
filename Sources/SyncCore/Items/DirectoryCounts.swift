/// Counts what is not simply synced below each directory.
///
/// Each item changes the counts of all directories above it, so changes are collected here and written to the store
/// together, just before it is committed.
struct DirectoryCounts {
    private var changed: [NodeID: StateCounts] = [:]

    /// The counts of a directory, not including itself.
    func counts(of directory: NodeID, in store: any TreeStore) throws -> StateCounts {
        try changed[directory] ?? store.counts(directory)
    }

    /// Whether the counts of a directory may differ from those in the store.
    func hasChanged(_ directory: NodeID) -> Bool { changed[directory] != nil }

    /// Replaces the counts of a directory.
    mutating func set(_ counts: StateCounts, of directory: NodeID) { changed[directory] = counts }

    /// Writes all changes to the store.
    mutating func flush(to store: any TreeStore) throws {
        for (directory, counts) in changed.sorted(by: { $0.key < $1.key }) {
            try store.setCounts(counts, for: directory)
        }
        changed.removeAll(keepingCapacity: true)
    }
}
