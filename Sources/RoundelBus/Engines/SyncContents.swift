/// What Fetch or Free did.
public struct SyncContentsResult: Record {
    /// The number of files whose contents were fetched or freed.
    public var files: UInt64 = 0
    /// Their size in bytes.
    public var bytes: UInt64 = 0
    /// The number of items that could not be fetched or freed.
    public var failed: UInt64 = 0
    /// Those items with the reason; if there are many, some of them.
    public var items: [ItemMessage] = []

    /// Creates an empty result.
    public init() {}

    package static let blank = SyncContentsResult()

    package static let fields: [Field<SyncContentsResult>] = [
        .init("files", .count, \.files), .init("bytes", .count, \.bytes), .init("failed", .count, \.failed),
        .init("items", .list(), \.items, .sparse),
    ]
}

/// What Clear took away from this computer.
public struct SyncClearedContents: Record {
    /// The number of files that were removed.
    public var files: UInt64 = 0
    /// The size in bytes that they had on this computer.
    public var bytes: UInt64 = 0
    /// The number of files that stay.
    public var left: UInt64 = 0
    /// The URIs of files that stay although copies were to be removed; if there are many, some of them.
    public var leftItems: [String] = []

    /// Creates an empty result.
    public init() {}

    package static let blank = SyncClearedContents()

    package static let fields: [Field<SyncClearedContents>] = [
        .init("files", .count, \.files), .init("bytes", .count, \.bytes), .init("left", .count, \.left),
        .init("left-items", .texts, \.leftItems, .rare),
    ]
}

/// How far calls of Fetch, Free or SetOnDemand are.
public struct SyncContentsProgress: Record {
    /// The number of files that are done.
    public var files: UInt64 = 0
    /// The number of all files, as far as they are known.
    public var filesTotal: UInt64 = 0
    /// The number of bytes that are done.
    public var bytes: UInt64 = 0
    /// The number of all bytes, as far as they are known.
    public var bytesTotal: UInt64 = 0
    /// A sentence that explains why it waits; nil if it does not.
    public var message: String?

    /// Creates the progress of what has not begun.
    public init() {}

    package static let blank = SyncContentsProgress()

    package static let fields: [Field<SyncContentsProgress>] = [
        .init("files", .count, \.files), .init("files-total", .count, \.filesTotal),
        .init("bytes", .count, \.bytes), .init("bytes-total", .count, \.bytesTotal),
        .init(optional: "message", .text, \.message),
    ]
}

/// When contents of a folder on demand are freed without being asked for one by one.
public struct SyncFreeingRule: Record {
    /// When less room than this is free on the disk, what was not used for longest is freed, in bytes; 0 for never.
    public var freeBelow: UInt64 = 0
    /// What was not opened for so many seconds is freed; 0 for never.
    public var freeUnused: UInt64 = 0

    /// Frees nothing.
    public init() {}

    package static let blank = SyncFreeingRule()

    package static let fields: [Field<SyncFreeingRule>] = [
        .init("free-below", .count, \.freeBelow), .init("free-unused", .count, \.freeUnused),
    ]
}
