package import DBus

/// What was put back of everything that syncing replaced or deleted since a moment.
public struct SyncRestoration: SyncWorkerValue {
    /// Items that were put back.
    public var restored: UInt64 = 0
    /// Items of them that stand beside something that has their name by now.
    public var beside: UInt64 = 0
    /// Items that could not be put back.
    public var failed: UInt64 = 0
    /// The items that could not be put back, at most 1,000, and why.
    public var items: [ItemMessage] = []
    /// URIs of folders of which one side could not be asked.
    public var unlisted: [String] = []

    /// Nothing put back.
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
