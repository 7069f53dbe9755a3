/// How much is kept of a folder that was removed, until it expires; as returned by RemoveFolder.
public struct SyncKeptVersions: Record {
    /// The number of versions on both sides.
    public var versions: UInt64 = 0
    /// Their size in bytes.
    public var bytes: UInt64 = 0
    /// Whether a side could not be read.
    public var isPartial = false
    /// The number of items that were removed from this computer because their contents were on the remote alone.
    public var dropped: UInt64 = 0
    /// Their size in bytes.
    public var droppedBytes: UInt64 = 0

    /// Creates a count of nothing.
    public init() {}

    package static let blank = SyncKeptVersions()

    package static let fields: [Field<SyncKeptVersions>] = [
        .init("kept", .count, \.versions), .init("kept-bytes", .count, \.bytes),
        .init("kept-partial", .truth, \.isPartial), .init("dropped", .count, \.dropped, .rare),
        .init("dropped-bytes", .count, \.droppedBytes, .rare),
    ]
}

/// How much was deleted for good, as returned by DeleteTrash.
public struct SyncDeletedVersions: Record {
    /// The number of deleted versions.
    public var versions: UInt64 = 0
    /// Their size in bytes.
    public var bytes: UInt64 = 0
    /// The number of items that are in the desktop's trash, and remain there.
    public var desktop: UInt64 = 0
    /// Whether a side could not be read, or something could not be deleted.
    public var isPartial = false

    /// Creates a count of nothing.
    public init() {}

    package static let blank = SyncDeletedVersions()

    package static let fields: [Field<SyncDeletedVersions>] = [
        .init("deleted", .count, \.versions), .init("bytes", .count, \.bytes),
        .init("desktop", .count, \.desktop), .init("partial", .truth, \.isPartial),
    ]
}
