package import DBus

/// A synced folder, as ListFolders gives it.
public struct SyncedFolder: SyncWorkerValue {
    /// Constant until the folder is removed.
    public var id: String
    /// The folder's `file://` URI.
    public var uri: String
    /// The remote as it was given.
    public var remote: String
    /// The remote as a URI, where it has one.
    public var remoteURI: String?
    /// A name for people.
    public var label: String
    /// Items that are only remote stay placeholders.
    public var isOnDemand = false
    /// The remote is written and never read.
    public var isUploadOnly = false
    /// Paused by the person.
    public var isPaused = false
    /// The worst state in the folder, a common badge.
    public var state: Badge
    /// When it was added, microseconds since 1970 in UTC.
    public var added: Int64?

    /// Takes the values that every folder has.
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
