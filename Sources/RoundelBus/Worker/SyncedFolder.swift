package import DBus

/// A synced folder, as returned by ListFolders.
public struct SyncedFolder: SyncWorkerValue {
    /// Constant until the folder is removed.
    public var id: String
    /// The folder's `file://` URI.
    public var uri: String
    /// The remote as the user entered it.
    public var remote: String
    /// The URI of the remote, if it has one.
    public var remoteURI: String?
    /// The name shown to the user.
    public var label: String
    /// Whether items that exist only on the remote stay placeholders.
    public var isOnDemand = false
    /// Whether the remote is written and never read.
    public var isUploadOnly = false
    /// Whether the user paused it.
    public var isPaused = false
    /// The worst state in the folder, a common badge.
    public var state: Badge
    /// When it was added, microseconds since 1970 in UTC.
    public var added: Int64?

    /// Creates a folder with the values that every folder has.
    public init(id: String, uri: String, remote: String, label: String, state: Badge) {
        self.id = id
        self.uri = uri
        self.remote = remote
        self.label = label
        self.state = state
    }

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri") else { return nil }
        self.init(
            id: id, uri: uri, remote: map.string("remote") ?? "", label: map.string("label") ?? "",
            state: Badge(map.string("state") ?? ""))
        remoteURI = map.string("remote-uri")
        isOnDemand = map.bool("on-demand") ?? false
        isUploadOnly = map.bool("upload-only") ?? false
        isPaused = map.bool("paused") ?? false
        added = map.int64("added")
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = [
            "id": .string(id), "uri": .string(uri), "remote": .string(remote), "label": .string(label),
            "on-demand": .bool(isOnDemand), "upload-only": .bool(isUploadOnly), "paused": .bool(isPaused),
            "state": .string(state.identifier),
        ]
        map.set("remote-uri", remoteURI)
        map.set("added", added)
        return map
    }
}
