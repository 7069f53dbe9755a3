/// The results of a verification: what was compared, and which items differ.
public struct SyncVerification: Record {
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
    public struct Item: Record {
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

        package static let blank = Item(folder: "", uri: "", finding: "")

        package static let fields: [Field<Item>] = [
            .item(\.uri), .init("folder", .text, \.folder), .init("finding", .word(), \.finding, .needed),
            .init(optional: "message", .text, \.message),
        ]
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

    package static let blank = SyncVerification()

    package static let fields: [Field<SyncVerification>] = [
        .init("files", .count, \.files), .init("bytes", .count, \.bytes),
        .init(optional: "bytes-total", .count, \.bytesTotal, .hidden), .init("differences", .count, \.differences),
        .init("waiting", .count, \.waiting), .init("items", .list(), \.items, .sparse),
    ]
}
