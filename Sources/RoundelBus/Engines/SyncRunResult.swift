/// The results of a run of Sync, or the plan of a dry run.
public struct SyncRunResult: Record {
    /// One step that a dry run plans.
    public struct Step: Record {
        /// The kind of step, by its word on the bus.
        public enum Action: String, CaseIterable, Sendable {
            /// The contents of a file are uploaded to the remote.
            case upload
            /// The contents of a file are downloaded from the remote.
            case download
            /// An item is moved or renamed.
            case move
            /// An item is deleted on this computer.
            case deleteLocal = "delete-local"
            /// An item is deleted on the remote.
            case deleteRemote = "delete-remote"
            /// A directory is created on this computer.
            case makeLocal = "make-local"
            /// A directory is created on the remote.
            case makeRemote = "make-remote"
            /// Both versions of an item are kept.
            case conflict
            /// The permissions of an item are copied.
            case permissions
        }

        /// The kind of step.
        public var action: WireWord<Action>
        /// The item's `file://` URI on this machine.
        public var uri: String
        /// The target of a move.
        public var newURI: String?
        /// The number of bytes to transfer.
        public var bytes: UInt64

        /// Creates a step from these values.
        public init(action: WireWord<Action>, uri: String, newURI: String? = nil, bytes: UInt64 = 0) {
            self.action = action
            self.uri = uri
            self.newURI = newURI
            self.bytes = bytes
        }

        package static let blank = Step(action: "", uri: "")

        package static let fields: [Field<Step>] = [
            .init("action", .word(), \.action, .needed), .item(\.uri), .init(optional: "new-uri", .text, \.newURI),
            .init("bytes", .count, \.bytes),
        ]
    }

    /// The number of items whose contents were uploaded.
    public var uploaded: UInt64 = 0
    /// The number of items whose contents were downloaded.
    public var downloaded: UInt64 = 0
    /// The number of items moved or renamed, on this computer or on the remote.
    public var moved: UInt64 = 0
    /// The number of items whose permissions were copied, on this computer or on the remote.
    public var permissions: UInt64 = 0
    /// The number of items deleted on this computer.
    public var deletedLocal: UInt64 = 0
    /// The number of items deleted on the remote.
    public var deletedRemote: UInt64 = 0
    /// The number of conflicts found.
    public var conflicts: UInt64 = 0
    /// The number of items that could not be synced.
    public var errors: UInt64 = 0
    /// The worst state afterwards, a common badge.
    public var state = Badge.none
    /// What the user must do before syncing can continue; nil for nothing.
    public var needs: WireWord<FolderNeed>?
    /// The items that wait because a program is writing them; if there are many, some of them.
    public var waiting: [ItemMessage] = []
    /// The steps of a dry run, possibly empty; nil for an actual run.
    public var steps: [Step]?

    /// Creates an empty result.
    public init() {}

    package static let blank = SyncRunResult()

    package static let fields: [Field<SyncRunResult>] = [
        .init("uploaded", .count, \.uploaded), .init("downloaded", .count, \.downloaded),
        .init("moved", .count, \.moved), .init("deleted-local", .count, \.deletedLocal),
        .init("deleted-remote", .count, \.deletedRemote), .init("conflicts", .count, \.conflicts),
        .init("errors", .count, \.errors), .init("state", .badge, \.state),
        .init("permissions", .count, \.permissions, .rare), .init(optional: "needs", .word(), \.needs, .rare),
        .init("waiting", .list(), \.waiting, .rare), .init(optional: "steps", .list(), \.steps, .rare),
    ]
}
