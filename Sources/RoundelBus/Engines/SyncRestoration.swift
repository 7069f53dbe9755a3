/// The results of restoring everything that syncing replaced or deleted since a moment.
public struct SyncRestoration: Record {
    /// The number of restored items.
    public var restored: UInt64 = 0
    /// How many of these were restored next to another item that now has their name.
    public var beside: UInt64 = 0
    /// The number of items that could not be restored.
    public var failed: UInt64 = 0
    /// The items that could not be restored, at most 1,000, with the reasons.
    public var items: [ItemMessage] = []
    /// The URIs of folders with a side that could not be read.
    public var unlisted: [String] = []

    /// Creates an empty result.
    public init() {}

    package static let blank = SyncRestoration()

    package static let fields: [Field<SyncRestoration>] = [
        .init("restored", .count, \.restored), .init("beside", .count, \.beside), .init("failed", .count, \.failed),
        .init("items", .list(), \.items, .sparse), .init("unlisted", .texts, \.unlisted, .sparse),
    ]
}
