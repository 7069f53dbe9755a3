internal import Support

/// A running transfer.
public struct SyncTransfer: Record {
    /// The direction of the transfer.
    public enum Direction: String, CaseIterable, Sendable {
        /// From this computer to the remote.
        case upload
        /// From the remote to this computer.
        case download
    }

    /// The item's `file://` URI on this machine.
    public var uri: String
    /// The direction of the transfer.
    public var direction: Direction
    /// The number of bytes transferred so far.
    public var bytesDone: UInt64
    /// The total number of bytes.
    public var bytesTotal: UInt64

    /// Creates a transfer from these values.
    public init(uri: String, direction: Direction, bytesDone: UInt64, bytesTotal: UInt64) {
        self.uri = uri
        self.direction = direction
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
    }

    package static let blank = SyncTransfer(uri: "", direction: .upload, bytesDone: 0, bytesTotal: 0)

    package static let fields: [Field<SyncTransfer>] = [
        .item(\.uri), .init("direction", .choice(), \.direction, .needed), .init("bytes-done", .count, \.bytesDone),
        .init("bytes-total", .count, \.bytesTotal),
    ]
}

/// The current state of a folder, as returned by Status and StatusChanged.
public struct SyncFolderStatus: Record {
    /// The ID of the folder.
    public var id: String
    /// The folder's `file://` URI.
    public var uri: String
    /// The remote as the user entered it.
    public var remote = ""
    /// The name shown to the user.
    public var label = ""
    /// The worst state in the folder, a common badge.
    public var state: Badge
    /// A short sentence for the user.
    public var text = ""
    /// When a paused folder goes on by itself, microseconds since 1970 in UTC; nil if it is not paused, or until
    /// ``FoldersProxy/resume(_:)``.
    public var pausedUntil: Int64?
    /// The progress by bytes in percent, or 255 for none.
    public var progress: UInt8 = 255
    /// How many bytes of the current work are done.
    public var bytesDone: UInt64 = 0
    /// The total number of bytes of the current work.
    public var bytesTotal: UInt64 = 0
    /// The bytes transferred per second, measured over the last seconds; nil while nothing is transferred, and at the
    /// beginning.
    public var rate: UInt64?
    /// The seconds until the current work is done at this rate; nil if ``rate`` is.
    public var remaining: UInt64?
    /// The number of items that are not synced yet.
    public var itemsTotal: UInt64 = 0
    /// Whether contents of the folder may be on the remote alone.
    public var isOnDemand = false
    /// The number of files whose contents are on this computer; nil in a folder that is not on demand.
    public var filesHere: UInt64?
    /// Their size in bytes.
    public var bytesHere: UInt64?
    /// The number of files whose contents are on the remote alone; nil in a folder that is not on demand.
    public var filesOnline: UInt64?
    /// Their size in bytes.
    public var bytesOnline: UInt64?
    /// The number of items that are pending, in conflict or in error, by these badges; badges without items are left
    /// out.
    public var counts: [Badge: UInt64] = [:]
    /// Microseconds since 1970 in UTC.
    public var lastSynced: Int64?
    /// The seconds between two scans of a folder whose changes are not all reported; nil if all are.
    public var rescanInterval: UInt64?
    /// When the last such scan began, in microseconds since 1970; nil if there was none.
    public var lookedThrough: Int64?
    /// A sentence about the worst error.
    public var message: String?
    /// What the user must do before syncing can continue; nil for nothing.
    public var needs: WireWord<FolderNeed>?
    /// The number of deletions that wait for confirmation.
    public var pendingDeletes: UInt64?
    /// Some of the running transfers.
    public var transfers: [SyncTransfer] = []

    /// Creates a status with the values that every status has.
    public init(id: String, uri: String, state: Badge) {
        self.id = id
        self.uri = uri
        self.state = state
    }

    /// The name to show: the label, or the name of the folder.
    package var shownLabel: String { label.isEmpty ? (try? ItemURI(uri))?.displayName ?? uri : label }
    /// The number of items in conflict, which includes both versions of each conflict.
    package var conflicts: UInt64 { counts[.conflict] ?? 0 }
    /// The number of items that cannot be synced.
    package var errors: UInt64 { counts[.error] ?? 0 }

    package static let blank = SyncFolderStatus(id: "", uri: "", state: .none)

    package static let fields: [Field<SyncFolderStatus>] = [
        .item(\.uri), .init("id", .text, \.id, .needed), .init("label", .text, \.label, .hidden),
        .derived("label") { .string($0.shownLabel) }, .init("remote", .text, \.remote),
        .init("state", .badge, \.state, .needed), .init("text", .text, \.text),
        .init(optional: "paused-until", .time, \.pausedUntil), .init("progress", .percent, \.progress),
        .init("bytes-done", .count, \.bytesDone),
        .init("bytes-total", .count, \.bytesTotal), .init(optional: "rate", .count, \.rate),
        .init(optional: "remaining", .count, \.remaining), .init("items-total", .count, \.itemsTotal),
        .derived("conflicts") { .number($0.conflicts) }, .derived("errors") { .number($0.errors) },
        .init("counts", .counts, \.counts), .init(optional: "last-synced", .time, \.lastSynced),
        .init(optional: "looked-through", .time, \.lookedThrough),
        .init(optional: "rescan-interval", .count, \.rescanInterval), .init(optional: "message", .text, \.message),
        .init(optional: "needs", .word(), \.needs), .init(optional: "pending-deletes", .count, \.pendingDeletes),
        .init("on-demand", .truth, \.isOnDemand), .init(optional: "files-here", .count, \.filesHere),
        .init(optional: "bytes-here", .count, \.bytesHere), .init(optional: "files-online", .count, \.filesOnline),
        .init(optional: "bytes-online", .count, \.bytesOnline), .init("transfers", .list(), \.transfers, .sparse),
    ]
}
