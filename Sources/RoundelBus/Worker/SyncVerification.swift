package import DBus

/// The results of a verification: what was compared, and which items differ.
public struct SyncVerification: SyncWorkerValue {
    /// The problem with an item, by its word on the bus.
    public enum Finding: String, CaseIterable, Sendable {
        /// The contents differ, or it is a file on one side and a directory on the other.
        case different
        /// It does not exist on this computer.
        case missingLocal = "missing-local"
        /// It does not exist on the remote.
        case missingRemote = "missing-remote"
        /// It could not be read on one side.
        case unreadable
    }

    /// An item that differs between the sides.
    public struct Item: SyncWorkerValue {
        /// The ID of the folder.
        public var folder: String
        /// The item's `file://` URI on this machine.
        public var uri: String
        /// The problem with the item.
        public var finding: WireWord<Finding>
        /// A sentence that explains why it could not be read; nil otherwise.
        public var message: String?

        /// Creates an item from these values.
        public init(folder: String, uri: String, finding: WireWord<Finding>, message: String? = nil) {
            self.folder = folder
            self.uri = uri
            self.finding = finding
            self.message = message
        }

        /// Reads the dictionary of the interface.
        package init?(_ map: VariantMap) {
            guard let uri = map.string("uri"), let finding = map.word("finding", of: Finding.self) else { return nil }
            self.init(
                folder: map.string("folder") ?? "", uri: uri, finding: finding, message: map.string("message"))
        }

        /// The dictionary of the interface.
        package var map: VariantMap {
            var map: VariantMap = [
                "folder": .string(folder), "uri": .string(uri), "finding": .string(finding.text),
            ]
            map.set("message", message)
            return map
        }
    }

    /// The number of files that were read on both sides and are equal.
    public var files: UInt64 = 0
    /// The number of bytes read on each side.
    public var bytes: UInt64 = 0
    /// The total number of bytes to read on each side, while it runs; nil if unknown.
    public var bytesTotal: UInt64?
    /// The number of items that differ between the sides.
    public var differences: UInt64 = 0
    /// The number of items that were not judged, because they are changing or not synced yet.
    public var waiting: UInt64 = 0
    /// The items that differ, at most 10,000 for each folder.
    public var items: [Item] = []

    /// Creates an empty result.
    public init() {}

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        files = map.uint64("files") ?? 0
        bytes = map.uint64("bytes") ?? 0
        bytesTotal = map.uint64("bytes-total")
        differences = map.uint64("differences") ?? 0
        waiting = map.uint64("waiting") ?? 0
        items = (map.maps("items") ?? []).compactMap(Item.init)
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = [
            "files": .uint64(files), "bytes": .uint64(bytes), "differences": .uint64(differences),
            "waiting": .uint64(waiting),
        ]
        map.set("bytes-total", bytesTotal)
        if !items.isEmpty { map["items"] = .maps(items.map(\.map)) }
        return map
    }
}
