package import DBus

/// An entry of the worker's log.
public struct SyncActivity: SyncWorkerValue {
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

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let sequence = map.uint64("sequence"), let action = map.word("action", of: Action.self) else {
            return nil
        }
        self.init(
            sequence: sequence, time: map.int64("time") ?? 0, folder: map.string("folder") ?? "",
            uri: map.string("uri") ?? "", action: action)
        oldURI = map.string("old-uri")
        message = map.string("message")
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = [
            "sequence": .uint64(sequence), "time": .int64(time), "folder": .string(folder), "uri": .string(uri),
            "action": .string(action.text),
        ]
        map["old-uri"] = oldURI.map(DBusValue.string)
        map["message"] = message.map(DBusValue.string)
        return map
    }
}
