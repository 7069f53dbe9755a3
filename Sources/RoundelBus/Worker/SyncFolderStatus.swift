package import DBus

/// One transfer under way.
public struct SyncTransfer: SyncWorkerValue {
    /// Which way the bytes go.
    public enum Direction: String, CaseIterable, Sendable {
        /// From this computer to the remote.
        case upload
        /// From the remote to this computer.
        case download
    }

    /// The item's `file://` URI on this machine.
    public var uri: String
    /// Which way the bytes go.
    public var direction: Direction
    /// Bytes that have arrived.
    public var bytesDone: UInt64
    /// Bytes in all.
    public var bytesTotal: UInt64

    /// Takes the values.
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

/// The present state of a folder, as Status and StatusChanged give it.
public struct SyncFolderStatus: SyncWorkerValue {
    /// The folder's id.
    public var id: String
    /// The folder's `file://` URI.
    public var uri: String
    /// The remote as it was given.
    public var remote = ""
    /// A name for people.
    public var label = ""
    /// The worst state in the folder, a common badge.
    public var state: Badge
    /// A short sentence for a person.
    public var text = ""
    /// 0 to 100 by bytes, 255 for none.
    public var progress: UInt8 = 255
    /// Bytes of the work in hand that are done.
    public var bytesDone: UInt64 = 0
    /// Bytes of the work in hand.
    public var bytesTotal: UInt64 = 0
    /// Bytes that move in a second, by the last seconds; nil while nothing moves, and at the beginning.
    public var rate: UInt64?
    /// Seconds until the work in hand is done, if it goes on like that; nil where ``rate`` is.
    public var remaining: UInt64?
    /// Items that are not synced yet.
    public var itemsTotal: UInt64 = 0
    /// The number of items that are pending, in conflict or in error, by these badges; without those that no item has.
    public var counts: [Badge: UInt64] = [:]
    /// Microseconds since 1970 in UTC.
    public var lastSynced: Int64?
    /// Seconds between two scans of a folder whose changes are not all reported; nil where all are.
    public var rescanInterval: UInt64?
    /// When the last such scan began, in microseconds since 1970; nil if there was none.
    public var lookedThrough: Int64?
    /// The worst error, a sentence.
    public var message: String?
    /// What a person must do before it goes on; nil for nothing.
    public var needs: WireWord<FolderNeed>?
    /// The number of deletions that wait for confirmation.
    public var pendingDeletes: UInt64?
    /// Some of the transfers under way.
    public var transfers: [SyncTransfer] = []

    /// Takes the values that every status has.
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
