/// A synced folder, as returned by ListFolders.
public struct SyncedFolder: Record {
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
    /// When it goes on by itself, microseconds since 1970 in UTC; nil if it is not paused, or until
    /// ``FoldersProxy/resume(_:)``.
    public var pausedUntil: Int64?
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

    package static let blank = SyncedFolder(id: "", uri: "", remote: "", label: "", state: .none)

    package static let fields: [Field<SyncedFolder>] = [
        .item(\.uri), .init("id", .text, \.id, .needed), .init("label", .text, \.label),
        .init("remote", .text, \.remote), .init(optional: "remote-uri", .text, \.remoteURI),
        .init("state", .badge, \.state), .init("paused", .truth, \.isPaused),
        .init(optional: "paused-until", .time, \.pausedUntil),
        .init("on-demand", .truth, \.isOnDemand), .init("upload-only", .truth, \.isUploadOnly),
        .init(optional: "added", .time, \.added),
    ]
}
