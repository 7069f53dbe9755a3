/// An entry of an engine's log.
public struct SyncActivity: Record {
    /// The kind of activity, by its word on the bus.
    public enum Action: String, CaseIterable, Sendable {
        /// The contents of a file were uploaded to the remote.
        case uploaded
        /// The contents of a file were downloaded from the remote.
        case downloaded
        /// An item was moved or renamed.
        case moved
        /// An item was deleted on this computer.
        case deletedLocal = "deleted-local"
        /// An item was deleted on the remote.
        case deletedRemote = "deleted-remote"
        /// Both versions of an item were kept.
        case conflict
        /// The permissions of an item were copied.
        case permissions
        /// A deleted or replaced version could not be kept.
        case notKept = "not-kept"
        /// A person had an item copied out of the folder; the message says where.
        case copiedOut = "copied-out"
        /// Something could not be synced.
        case error
    }

    /// A number that grows by one with each entry.
    public var sequence: UInt64
    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// The ID of the folder.
    public var folder: String
    /// The item; the folder itself if the entry is about the whole folder.
    public var uri: String
    /// The previous place of a moved item.
    public var oldURI: String?
    /// The kind of activity.
    public var action: WireWord<Action>
    /// A sentence about an error.
    public var message: String?

    /// Creates an entry with the values that every entry has.
    public init(sequence: UInt64, time: Int64, folder: String, uri: String, action: WireWord<Action>) {
        self.sequence = sequence
        self.time = time
        self.folder = folder
        self.uri = uri
        self.action = action
    }

    package static let blank = SyncActivity(sequence: 0, time: 0, folder: "", uri: "", action: "")

    package static let fields: [Field<SyncActivity>] = [
        .init("sequence", .count, \.sequence, .needed), .init("time", .time, \.time),
        .init("action", .word(), \.action, .needed), .item(\.uri, isNeeded: false),
        .init(optional: "old-uri", .text, \.oldURI), .init("folder", .text, \.folder),
        .init(optional: "message", .text, \.message),
    ]
}
