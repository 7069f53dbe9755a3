public import DBus

/// A value that travels as a dictionary `a{sv}` of ``SyncWorkerProxy``'s interface. Unknown keys are ignored and
/// absent ones have their default, in both directions.
public protocol SyncWorkerValue: Sendable, Equatable {
    /// Reads a dictionary; nil if a key is missing without which it means nothing.
    init?(_ map: VariantMap)
    /// The dictionary; keys that are not known are left out.
    var map: VariantMap { get }
}

extension VariantMap {
    /// Sets a key where there is something to say.
    fileprivate mutating func set(_ key: String, _ text: String?) {
        if let text { self[key] = .string(text) }
    }

    fileprivate mutating func set(_ key: String, _ number: UInt64?) {
        if let number { self[key] = .uint64(number) }
    }

    fileprivate mutating func set(_ key: String, _ number: Int64?) {
        if let number { self[key] = .int64(number) }
    }
}

/// A synced folder, as ListFolders gives it.
public struct SyncFolder: SyncWorkerValue {
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
    /// The worst state in the folder, a common badge identifier.
    public var state: String
    /// When it was added, microseconds since 1970 in UTC.
    public var added: Int64?

    /// Takes the values that every folder has.
    public init(id: String, uri: String, remote: String, label: String, state: String) {
        self.id = id
        self.uri = uri
        self.remote = remote
        self.label = label
        self.state = state
    }

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri") else { return nil }
        self.init(
            id: id, uri: uri, remote: map.string("remote") ?? "", label: map.string("label") ?? "",
            state: map.string("state") ?? "")
        remoteURI = map.string("remote-uri")
        isOnDemand = map.bool("on-demand") ?? false
        isUploadOnly = map.bool("upload-only") ?? false
        isPaused = map.bool("paused") ?? false
        added = map.int64("added")
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        var map: VariantMap = [
            "id": .string(id), "uri": .string(uri), "remote": .string(remote), "label": .string(label),
            "on-demand": .bool(isOnDemand), "upload-only": .bool(isUploadOnly), "paused": .bool(isPaused),
            "state": .string(state),
        ]
        map.set("remote-uri", remoteURI)
        map.set("added", added)
        return map
    }
}

/// One transfer under way.
public struct SyncTransfer: SyncWorkerValue {
    /// Which way the bytes go.
    public enum Direction: String, Sendable { case upload, download }

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
    public init?(_ map: VariantMap) {
        guard let uri = map.string("uri"), let direction = map.string("direction").flatMap(Direction.init) else {
            return nil
        }
        self.init(
            uri: uri, direction: direction, bytesDone: map.uint64("bytes-done") ?? 0,
            bytesTotal: map.uint64("bytes-total") ?? 0)
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
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
    /// The worst state in the folder, a common badge identifier.
    public var state: String
    /// A short sentence for a person.
    public var text = ""
    /// 0 to 100 by bytes, 255 for none.
    public var progress: UInt8 = 255
    /// Bytes of the work in hand that are done.
    public var bytesDone: UInt64 = 0
    /// Bytes of the work in hand.
    public var bytesTotal: UInt64 = 0
    /// Items that are not synced yet.
    public var itemsTotal: UInt64 = 0
    /// Number of items that are pending, in conflict or in error, by these words; without those that no item is.
    public var counts: [String: UInt64] = [:]
    /// Microseconds since 1970 in UTC.
    public var lastSynced: Int64?
    /// Seconds between two looks through a folder of which not every change is told; nil where every one is.
    public var rescanInterval: UInt64?
    /// When the last such look began, in microseconds since 1970; nil if there was none.
    public var lookedThrough: Int64?
    /// The worst error, a sentence.
    public var message: String?
    /// What a person must do before it goes on, as the interface names it.
    public var needs: String?
    /// The number of deletions that wait for confirmation.
    public var pendingDeletes: UInt64?
    /// Some of the transfers under way.
    public var transfers: [SyncTransfer] = []

    /// Takes the values that every status has.
    public init(id: String, uri: String, state: String) {
        self.id = id
        self.uri = uri
        self.state = state
    }

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        guard let id = map.string("id"), let uri = map.string("uri"), let state = map.string("state") else {
            return nil
        }
        self.init(id: id, uri: uri, state: state)
        remote = map.string("remote") ?? ""
        label = map.string("label") ?? ""
        text = map.string("text") ?? ""
        progress = map.byte("progress") ?? 255
        bytesDone = map.uint64("bytes-done") ?? 0
        bytesTotal = map.uint64("bytes-total") ?? 0
        itemsTotal = map.uint64("items-total") ?? 0
        counts = SyncFolderStatus.counts(map["counts"])
        lastSynced = map.int64("last-synced")
        rescanInterval = map.uint64("rescan-interval")
        lookedThrough = map.int64("looked-through")
        message = map.string("message")
        needs = map.string("needs")
        pendingDeletes = map.uint64("pending-deletes")
        transfers = (map.maps("transfers") ?? []).compactMap(SyncTransfer.init)
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        let counts = counts.sorted { $0.key < $1.key }.map {
            DBusValue.DictionaryEntry(key: .string($0.key), value: .uint64($0.value))
        }
        var map: VariantMap = [
            "id": .string(id), "uri": .string(uri), "remote": .string(remote), "label": .string(label),
            "state": .string(state), "text": .string(text), "progress": .byte(progress),
            "bytes-done": .uint64(bytesDone), "bytes-total": .uint64(bytesTotal),
            "items-total": .uint64(itemsTotal),
            "counts": .dictionary(key: "s", value: "t", counts),
        ]
        map.set("last-synced", lastSynced)
        map.set("rescan-interval", rescanInterval)
        map.set("looked-through", lookedThrough)
        map.set("message", message)
        map.set("needs", needs)
        map.set("pending-deletes", pendingDeletes)
        if !transfers.isEmpty { map["transfers"] = .maps(transfers.map(\.map)) }
        return map
    }

    private static func counts(_ value: DBusValue?) -> [String: UInt64] {
        guard case .dictionary(_, _, let entries) = value else { return [:] }
        var counts: [String: UInt64] = [:]
        for entry in entries {
            if let key = entry.key.string, let count = entry.value.uint64 { counts[key] = count }
        }
        return counts
    }
}

/// What a run of Sync did, or would do.
public struct SyncRunResult: SyncWorkerValue {
    /// One step that a dry run plans.
    public struct Step: SyncWorkerValue {
        /// The action as the interface names it.
        public var action: String
        /// The item's `file://` URI on this machine.
        public var uri: String
        /// Where a move leads.
        public var newURI: String?
        /// The bytes that it transfers.
        public var bytes: UInt64

        /// Takes the values.
        public init(action: String, uri: String, newURI: String? = nil, bytes: UInt64 = 0) {
            self.action = action
            self.uri = uri
            self.newURI = newURI
            self.bytes = bytes
        }

        /// Reads the dictionary of the interface.
        public init?(_ map: VariantMap) {
            guard let action = map.string("action"), let uri = map.string("uri") else { return nil }
            self.init(action: action, uri: uri, newURI: map.string("new-uri"), bytes: map.uint64("bytes") ?? 0)
        }

        /// The dictionary of the interface.
        public var map: VariantMap {
            var map: VariantMap = ["action": .string(action), "uri": .string(uri), "bytes": .uint64(bytes)]
            map.set("new-uri", newURI)
            return map
        }
    }

    /// An item that waits because somebody writes it.
    public struct Waiting: SyncWorkerValue {
        /// The item's `file://` URI on this machine.
        public var uri: String
        /// A sentence for a person.
        public var message: String

        /// Takes the values.
        public init(uri: String, message: String) {
            self.uri = uri
            self.message = message
        }

        /// Reads the dictionary of the interface.
        public init?(_ map: VariantMap) {
            guard let uri = map.string("uri") else { return nil }
            self.init(uri: uri, message: map.string("message") ?? "")
        }

        /// The dictionary of the interface.
        public var map: VariantMap { ["uri": .string(uri), "message": .string(message)] }
    }

    /// Items whose contents went to the remote.
    public var uploaded: UInt64 = 0
    /// Items whose contents came from the remote.
    public var downloaded: UInt64 = 0
    /// Items moved or renamed, here or at the remote.
    public var moved: UInt64 = 0
    /// Items deleted on this machine.
    public var deletedLocal: UInt64 = 0
    /// Items deleted at the remote.
    public var deletedRemote: UInt64 = 0
    /// Conflicts found.
    public var conflicts: UInt64 = 0
    /// Items that could not be synced.
    public var errors: UInt64 = 0
    /// The worst state afterwards, a common badge identifier.
    public var state = ""
    /// What a person must do before it goes on.
    public var needs: String?
    /// Items that wait because somebody writes them, some if they are many.
    public var waiting: [Waiting] = []
    /// The steps of a dry run, which may be none; nil for a run that was carried out.
    public var steps: [Step]?

    /// A run that did nothing.
    public init() {}

    /// Reads the dictionary of the interface.
    public init?(_ map: VariantMap) {
        uploaded = map.uint64("uploaded") ?? 0
        downloaded = map.uint64("downloaded") ?? 0
        moved = map.uint64("moved") ?? 0
        deletedLocal = map.uint64("deleted-local") ?? 0
        deletedRemote = map.uint64("deleted-remote") ?? 0
        conflicts = map.uint64("conflicts") ?? 0
        errors = map.uint64("errors") ?? 0
        state = map.string("state") ?? ""
        needs = map.string("needs")
        waiting = (map.maps("waiting") ?? []).compactMap(Waiting.init)
        steps = map.maps("steps")?.compactMap(Step.init)
    }

    /// The dictionary of the interface.
    public var map: VariantMap {
        var map: VariantMap = [
            "uploaded": .uint64(uploaded), "downloaded": .uint64(downloaded), "moved": .uint64(moved),
            "deleted-local": .uint64(deletedLocal), "deleted-remote": .uint64(deletedRemote),
            "conflicts": .uint64(conflicts), "errors": .uint64(errors), "state": .string(state),
        ]
        map.set("needs", needs)
        if !waiting.isEmpty { map["waiting"] = .maps(waiting.map(\.map)) }
        if let steps { map["steps"] = .maps(steps.map(\.map)) }
        return map
    }
}
