/// An unresolved conflict.
public struct SyncConflict: Record {
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
    /// Who wrote the remote's version, as people call them; nil if it is not known.
    public var author: String?
    /// Whether that is the account with which the folder syncs.
    public var isOwnAuthor = false
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

    package static let blank = SyncConflict(folder: "", uri: "", copyURI: "", kind: "")

    package static let fields: [Field<SyncConflict>] = [
        .item(\.uri), .item(\.copyURI, key: "copy-uri", shown: "copy_path", isNeeded: false),
        .init("kind", .word(), \.kind), .init("folder", .text, \.folder),
        .init(optional: "detected", .time, \.detected), .init(optional: "size", .count, \.size),
        .init(optional: "modified", .time, \.modified), .init(optional: "author", .text, \.author),
        .init("author-own", .truth, \.isOwnAuthor, .sparse), .init(optional: "copy-size", .count, \.copySize),
        .init(optional: "copy-modified", .time, \.copyModified),
    ]
}
