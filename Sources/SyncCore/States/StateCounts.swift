/// How many items below a directory are not plainly synced, how much is in it, and what of that is to be transferred.
package struct StateCounts: Hashable, Sendable {
    /// Items with something to do, whether it is running or not.
    package var pending: Int
    /// Items that two versions exist of.
    package var conflicts: Int
    /// Items that could not be synced.
    package var errors: Int
    /// Bytes that the pending items still have to transfer, running transfers included whole.
    package var bytesToDo: Int64
    /// Bytes of all files below, excluded ones not counted: of each the greater of its sizes here and at the remote.
    package var bytes: Int64

    /// Counts of a directory with this much in it.
    package init(
        pending: Int = 0, conflicts: Int = 0, errors: Int = 0, bytesToDo: Int64 = 0, bytes: Int64 = 0
    ) {
        self.pending = pending
        self.conflicts = conflicts
        self.errors = errors
        self.bytesToDo = bytesToDo
        self.bytes = bytes
    }

    /// Bytes of what is below that need no transfer; running transfers are not counted.
    package var bytesDone: Int64 { bytes &- bytesToDo }

    /// Whether there is nothing to tell; such counts need not be stored.
    package var isZero: Bool { self == StateCounts() }

    /// Adds what another set of items counts. Bytes wrap around: sparse files may add up to more than there are numbers for,
    /// and what was added is taken away again.
    package static func + (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending + right.pending, conflicts: left.conflicts + right.conflicts,
            errors: left.errors + right.errors, bytesToDo: left.bytesToDo &+ right.bytesToDo,
            bytes: left.bytes &+ right.bytes)
    }

    /// Takes away what another set of items counts.
    package static func - (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending - right.pending, conflicts: left.conflicts - right.conflicts,
            errors: left.errors - right.errors, bytesToDo: left.bytesToDo &- right.bytesToDo,
            bytes: left.bytes &- right.bytes)
    }
}
