public import DBus

/// A conflict that nobody has resolved.
public struct SyncConflict: SyncWorkerValue {
    /// The folder's id.
    public var folder: String
    /// The path that the remote's version keeps.
    public var uri: String
    /// The version of this machine, beside it.
    public var copyURI: String
    /// What clashed, as the interface names it.
    public var kind: String
    /// Microseconds since 1970 in UTC.
    public var detected: Int64?
    /// The size of the remote's version in bytes.
    public var size: UInt64?
    /// When the remote's version was changed, microseconds since 1970 in UTC.
    public var modified: Int64?
    /// The size of this machine's version in bytes.
    public var copySize: UInt64?
    /// When this machine's version was changed, microseconds since 1970 in UTC.
    public var copyModified: Int64?

    /// Takes the values that every conflict has.
    public init(folder: String, uri: String, copyURI: String, kind: String) {
        self.folder = folder
        self.uri = uri
        self.copyURI = copyURI
        self.kind = kind
    }

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        guard let uri = map.string("uri") else { return nil }
        self.init(
            folder: map.string("folder") ?? "", uri: uri, copyURI: map.string("copy-uri") ?? "",
            kind: map.string("kind") ?? "")
        detected = map.int64("detected")
        size = map.uint64("size")
        modified = map.int64("modified")
        copySize = map.uint64("copy-size")
        copyModified = map.int64("copy-modified")
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        var map: VariantMap = ["folder": .string(folder), "uri": .string(uri), "kind": .string(kind)]
        if !copyURI.isEmpty { map["copy-uri"] = .string(copyURI) }
        map["detected"] = detected.map(DBusValue.int64)
        map["size"] = size.map(DBusValue.uint64)
        map["modified"] = modified.map(DBusValue.int64)
        map["copy-size"] = copySize.map(DBusValue.uint64)
        map["copy-modified"] = copyModified.map(DBusValue.int64)
        return map
    }
}

/// One thing that the worker did.
public struct SyncActivity: SyncWorkerValue {
    /// Grows by one with each entry.
    public var sequence: UInt64
    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// The folder's id.
    public var folder: String
    /// The item; the folder itself for what concerns the whole of it.
    public var uri: String
    /// Where a moved item was.
    public var oldURI: String?
    /// What was done, as the interface names it.
    public var action: String
    /// A sentence, of an error.
    public var message: String?

    /// Takes the values that every entry has.
    public init(sequence: UInt64, time: Int64, folder: String, uri: String, action: String) {
        self.sequence = sequence
        self.time = time
        self.folder = folder
        self.uri = uri
        self.action = action
    }

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        guard let sequence = map.uint64("sequence"), let action = map.string("action") else { return nil }
        self.init(
            sequence: sequence, time: map.int64("time") ?? 0, folder: map.string("folder") ?? "",
            uri: map.string("uri") ?? "", action: action)
        oldURI = map.string("old-uri")
        message = map.string("message")
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        var map: VariantMap = [
            "sequence": .uint64(sequence), "time": .int64(time), "folder": .string(folder), "uri": .string(uri),
            "action": .string(action),
        ]
        map["old-uri"] = oldURI.map(DBusValue.string)
        map["message"] = message.map(DBusValue.string)
        return map
    }
}

/// Something that synchronisation took away on this machine and can give back.
public struct SyncTrashItem: SyncWorkerValue {
    /// Names this version of the item.
    public var id: String
    /// The folder's id.
    public var folder: String
    /// Where it was.
    public var uri: String
    /// Why it went: deleted or replaced.
    public var reason: String
    /// Where it is kept: desktop, store or remote.
    public var place: String
    /// Microseconds since 1970 in UTC.
    public var time: Int64
    /// Bytes; nil where it is not known.
    public var size: UInt64?
    /// A directory with what was in it.
    public var isDirectory = false

    /// Takes the values that every item has.
    public init(id: String, folder: String, uri: String, reason: String, place: String, time: Int64) {
        self.id = id
        self.folder = folder
        self.uri = uri
        self.reason = reason
        self.place = place
        self.time = time
    }

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri") else { return nil }
        self.init(
            id: id, folder: map.string("folder") ?? "", uri: uri, reason: map.string("reason") ?? "",
            place: map.string("place") ?? "", time: map.int64("time") ?? 0)
        size = map.uint64("size")
        isDirectory = map.bool("directory") ?? false
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        var map: VariantMap = [
            "id": .string(id), "folder": .string(folder), "uri": .string(uri), "reason": .string(reason),
            "place": .string(place), "time": .int64(time), "directory": .bool(isDirectory),
        ]
        map["size"] = size.map(DBusValue.uint64)
        return map
    }
}
