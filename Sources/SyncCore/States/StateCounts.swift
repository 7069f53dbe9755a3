/// How many items below a directory are not simply synced, how many files there are, their total size, where their contents
/// are, and how much must be transferred.
package struct StateCounts: Hashable, Sendable {
    /// Items with something to do, running or not.
    package var pending: Int
    /// Items in conflict.
    package var conflicts: Int
    /// Items that could not be synced.
    package var errors: Int
    /// Bytes that the pending items still have to transfer; running transfers count completely.
    package var bytesToDo: Int64
    /// Bytes of all files below, except excluded ones: the greater of each file's sizes on the two sides.
    package var bytes: Int64
    /// All files below, except excluded ones.
    package var files: Int
    /// Those of them whose contents are not on this computer.
    package var filesAway: Int
    /// The bytes of these.
    package var bytesAway: Int64

    /// The counts of a directory with these contents.
    package init(
        pending: Int = 0, conflicts: Int = 0, errors: Int = 0, bytesToDo: Int64 = 0, bytes: Int64 = 0, files: Int = 0,
        filesAway: Int = 0, bytesAway: Int64 = 0
    ) {
        self.pending = pending
        self.conflicts = conflicts
        self.errors = errors
        self.bytesToDo = bytesToDo
        self.bytes = bytes
        self.files = files
        self.filesAway = filesAway
        self.bytesAway = bytesAway
    }

    /// Bytes below that need no transfer; running transfers are not included.
    package var bytesDone: Int64 { bytes &- bytesToDo }
    /// Files below whose contents are on this computer.
    package var filesHere: Int { files - filesAway }
    /// The bytes of these.
    package var bytesHere: Int64 { bytes &- bytesAway }

    /// Whether all counts are zero; such counts need not be stored.
    package var isZero: Bool { self == StateCounts() }

    /// Adds the counts of other items. Bytes wrap around, because sparse files may add up to more than an integer holds;
    /// subtracting them restores the sum.
    package static func + (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending + right.pending, conflicts: left.conflicts + right.conflicts,
            errors: left.errors + right.errors, bytesToDo: left.bytesToDo &+ right.bytesToDo,
            bytes: left.bytes &+ right.bytes, files: left.files + right.files,
            filesAway: left.filesAway + right.filesAway, bytesAway: left.bytesAway &+ right.bytesAway)
    }

    /// Subtracts the counts of other items.
    package static func - (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending - right.pending, conflicts: left.conflicts - right.conflicts,
            errors: left.errors - right.errors, bytesToDo: left.bytesToDo &- right.bytesToDo,
            bytes: left.bytes &- right.bytes, files: left.files - right.files,
            filesAway: left.filesAway - right.filesAway, bytesAway: left.bytesAway &- right.bytesAway)
    }
}
