package import DBus

/// A running transfer.
public struct SyncTransfer: SyncWorkerValue {
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

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let uri = map.string("uri"), let direction = map.string("direction").flatMap(Direction.init) else {
            return nil
        }
        self.init(
            uri: uri, direction: direction, bytesDone: map.uint64("bytes-done") ?? 0,
            bytesTotal: map.uint64("bytes-total") ?? 0)
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        [
            "uri": .string(uri), "direction": .string(direction.rawValue), "bytes-done": .uint64(bytesDone),
            "bytes-total": .uint64(bytesTotal),
        ]
    }
}

/// The current state of a folder, as returned by Status and StatusChanged.
public struct SyncFolderStatus: SyncWorkerValue {
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

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri"), let state = map.string("state") else {
            return nil
        }
        self.init(id: id, uri: uri, state: Badge(state))
        remote = map.string("remote") ?? ""
        label = map.string("label") ?? ""
        text = map.string("text") ?? ""
        progress = map.byte("progress") ?? 255
        bytesDone = map.uint64("bytes-done") ?? 0
        bytesTotal = map.uint64("bytes-total") ?? 0
        rate = map.uint64("rate")
        remaining = map.uint64("remaining")
        itemsTotal = map.uint64("items-total") ?? 0
        counts = SyncFolderStatus.counts(map["counts"])
        lastSynced = map.int64("last-synced")
        rescanInterval = map.uint64("rescan-interval")
        lookedThrough = map.int64("looked-through")
        message = map.string("message")
        needs = map.word("needs")
        pendingDeletes = map.uint64("pending-deletes")
        transfers = (map.maps("transfers") ?? []).compactMap(SyncTransfer.init)
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        let counts = counts.map { ($0.key.identifier, $0.value) }.sorted { $0.0 < $1.0 }.map {
            DBusValue.DictionaryEntry(key: .string($0.0), value: .uint64($0.1))
        }
        var map: VariantMap = [
            "id": .string(id), "uri": .string(uri), "remote": .string(remote), "label": .string(label),
            "state": .string(state.identifier), "text": .string(text), "progress": .byte(progress),
            "bytes-done": .uint64(bytesDone), "bytes-total": .uint64(bytesTotal),
            "items-total": .uint64(itemsTotal),
            "counts": .dictionary(key: "s", value: "t", counts),
        ]
        map.set("rate", rate)
        map.set("remaining", remaining)
        map.set("last-synced", lastSynced)
        map.set("rescan-interval", rescanInterval)
        map.set("looked-through", lookedThrough)
        map.set("message", message)
        map.set("needs", needs)
        map.set("pending-deletes", pendingDeletes)
        if !transfers.isEmpty { map["transfers"] = .maps(transfers.map(\.map)) }
        return map
    }

    private static func counts(_ value: DBusValue?) -> [Badge: UInt64] {
        guard case .dictionary(_, _, let entries) = value else { return [:] }
        var counts: [Badge: UInt64] = [:]
        for entry in entries {
            if let key = entry.key.string, let count = entry.value.uint64 { counts[Badge(key)] = count }
        }
        return counts
    }
}
