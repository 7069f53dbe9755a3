/// How many items below a directory are not plainly synced, how much is in it, and what of that is to be transferred.
public struct StateCounts: Hashable, Sendable {
    /// Items with something to do, whether it is running or not.
    public var pending: Int
    /// Items that two versions exist of.
    public var conflicts: Int
    /// Items that could not be synced.
    public var errors: Int
    /// Bytes that the pending items still have to transfer, running transfers included whole.
    public var bytesToDo: Int64
    /// Bytes of all files below, excluded ones not counted: of each the greater of its sizes here and at the remote.
    public var bytes: Int64

    /// Counts of a directory with this much in it.
    public init(
        pending: Int = 0, conflicts: Int = 0, errors: Int = 0, bytesToDo: Int64 = 0, bytes: Int64 = 0
    ) {
        self.pending = pending
        self.conflicts = conflicts
        self.errors = errors
        self.bytesToDo = bytesToDo
        self.bytes = bytes
    }

    /// Bytes of what is below that need no transfer; running transfers are not counted.
    public var bytesDone: Int64 { bytes - bytesToDo }

    /// Whether there is nothing to tell; such counts need not be stored.
    public var isZero: Bool { self == StateCounts() }

    /// Adds what another set of items counts.
    public static func + (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending + right.pending, conflicts: left.conflicts + right.conflicts,
            errors: left.errors + right.errors, bytesToDo: left.bytesToDo + right.bytesToDo,
            bytes: left.bytes + right.bytes)
    }

    /// Takes away what another set of items counts.
    public static func - (left: StateCounts, right: StateCounts) -> StateCounts {
        StateCounts(
            pending: left.pending - right.pending, conflicts: left.conflicts - right.conflicts,
            errors: left.errors - right.errors, bytesToDo: left.bytesToDo - right.bytesToDo,
            bytes: left.bytes - right.bytes)
    }
}
