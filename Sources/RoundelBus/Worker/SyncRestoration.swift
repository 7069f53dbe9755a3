package import DBus

/// The results of restoring everything that syncing replaced or deleted since a moment.
public struct SyncRestoration: SyncWorkerValue {
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

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        restored = map.uint64("restored") ?? 0
        beside = map.uint64("beside") ?? 0
        failed = map.uint64("failed") ?? 0
        items = (map.maps("items") ?? []).compactMap(ItemMessage.init)
        unlisted = map.strings("unlisted") ?? []
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = ["restored": .uint64(restored), "beside": .uint64(beside), "failed": .uint64(failed)]
        if !items.isEmpty { map["items"] = .maps(items.map(\.map)) }
        if !unlisted.isEmpty { map["unlisted"] = .strings(unlisted) }
        return map
    }
}
