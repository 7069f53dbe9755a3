/// An item that syncing replaced or deleted on either side, and that can be restored.
public struct SyncTrashItem: Record {
    /// Why it was kept, by its word on the bus.
    public enum Reason: String, CaseIterable, Sendable {
        /// The other side deleted it, or a decision on a conflict discarded it.
        case deleted
        /// A version of the other side replaced it.
        case replaced
    }

    /// Where it is kept, by its word on the bus.
    public enum Place: String, CaseIterable, Sendable {
        /// In the desktop's trash.
        case desktop
        /// In the engine's own store on this computer.
        case store
        /// In the engine's own store on the remote.
        case remote
    }

    /// Identifies this version of the item.
    public var id: String
    /// The ID of the folder.
    public var folder: String
    /// The URI of its original place.
    public var uri: String
    /// Why it was kept.
    public var reason: WireWord<Reason>
    /// Where it is kept.
    public var place: WireWord<Place>
    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// The size in bytes; nil if unknown.
    public var size: UInt64?
    /// Whether it is a directory with its contents.
    public var isDirectory = false
    /// Whether the folder is no longer synced.
    public var isRemoved = false

    /// Creates an item with the values that every item has.
    public init(id: String, folder: String, uri: String, reason: WireWord<Reason>, place: WireWord<Place>, time: Int64)
    {
        self.id = id
        self.folder = folder
        self.uri = uri
        self.reason = reason
        self.place = place
        self.time = time
    }

    package static let blank = SyncTrashItem(id: "", folder: "", uri: "", reason: "", place: "", time: 0)

    package static let fields: [Field<SyncTrashItem>] = [
        .item(\.uri), .init("id", .text, \.id, .needed), .init("folder", .text, \.folder),
        .init("reason", .word(), \.reason), .init("place", .word(), \.place), .init("time", .time, \.time),
        .init(optional: "size", .count, \.size), .init("directory", .truth, \.isDirectory),
        .init("removed", .truth, \.isRemoved, .sparse),
    ]
}
