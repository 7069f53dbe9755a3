package import DBus

/// An unresolved conflict.
public struct SyncConflict: SyncWorkerValue {
    /// The kind of conflict, by its word on the bus.
    public enum Kind: String, CaseIterable, Sendable {
        /// The contents were changed on both sides.
        case edits = "edit-edit"
        /// There is a file on one side and a directory on the other.
        case type
    }

    /// The version that gets the name, by its word on the bus.
    public enum Choice: String, CaseIterable, Sendable {
        /// The local version.
        case mine
        /// The version of the remote.
        case theirs
        /// Each version keeps its current name.
        case both
    }

    /// The ID of the folder.
    public var folder: String
    /// The path of the remote's version, which keeps the name.
    public var uri: String
    /// The path of the local version, next to it.
    public var copyURI: String
    /// The kind of conflict.
    public var kind: WireWord<Kind>
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

    /// Creates a conflict with the values that every conflict has.
    public init(folder: String, uri: String, copyURI: String, kind: WireWord<Kind>) {
        self.folder = folder
        self.uri = uri
        self.copyURI = copyURI
        self.kind = kind
    }

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let uri = map.string("uri") else { return nil }
        self.init(
            folder: map.string("folder") ?? "", uri: uri, copyURI: map.string("copy-uri") ?? "",
            kind: map.word("kind") ?? "")
        detected = map.int64("detected")
        size = map.uint64("size")
        modified = map.int64("modified")
        copySize = map.uint64("copy-size")
        copyModified = map.int64("copy-modified")
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = ["folder": .string(folder), "uri": .string(uri), "kind": .string(kind.text)]
        if !copyURI.isEmpty { map["copy-uri"] = .string(copyURI) }
        map["detected"] = detected.map(DBusValue.int64)
        map["size"] = size.map(DBusValue.uint64)
        map["modified"] = modified.map(DBusValue.int64)
        map["copy-size"] = copySize.map(DBusValue.uint64)
        map["copy-modified"] = copyModified.map(DBusValue.int64)
        return map
    }
}
