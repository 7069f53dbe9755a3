package import DBus

/// The results of a run of Sync, or the plan of a dry run.
public struct SyncRunResult: SyncWorkerValue {
    /// One step that a dry run plans.
    public struct Step: SyncWorkerValue {
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

        /// Reads the dictionary of the interface.
        package init?(_ map: VariantMap) {
            guard let action = map.word("action", of: Action.self), let uri = map.string("uri") else { return nil }
            self.init(action: action, uri: uri, newURI: map.string("new-uri"), bytes: map.uint64("bytes") ?? 0)
        }

        /// The dictionary of the interface.
        package var map: VariantMap {
            var map: VariantMap = ["action": .string(action.text), "uri": .string(uri), "bytes": .uint64(bytes)]
            map.set("new-uri", newURI)
            return map
        }
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

    /// Reads the dictionary of the interface.
    package init?(_ map: VariantMap) {
        uploaded = map.uint64("uploaded") ?? 0
        downloaded = map.uint64("downloaded") ?? 0
        moved = map.uint64("moved") ?? 0
        permissions = map.uint64("permissions") ?? 0
        deletedLocal = map.uint64("deleted-local") ?? 0
        deletedRemote = map.uint64("deleted-remote") ?? 0
        conflicts = map.uint64("conflicts") ?? 0
        errors = map.uint64("errors") ?? 0
        state = Badge(map.string("state") ?? "")
        needs = map.word("needs")
        waiting = (map.maps("waiting") ?? []).compactMap(ItemMessage.init)
        steps = map.maps("steps")?.compactMap(Step.init)
    }

    /// The dictionary of the interface.
    package var map: VariantMap {
        var map: VariantMap = [
            "uploaded": .uint64(uploaded), "downloaded": .uint64(downloaded), "moved": .uint64(moved),
            "deleted-local": .uint64(deletedLocal), "deleted-remote": .uint64(deletedRemote),
            "conflicts": .uint64(conflicts), "errors": .uint64(errors), "state": .string(state.identifier),
        ]
        if permissions > 0 { map["permissions"] = .uint64(permissions) }
        map.set("needs", needs)
        if !waiting.isEmpty { map["waiting"] = .maps(waiting.map(\.map)) }
        if let steps { map["steps"] = .maps(steps.map(\.map)) }
        return map
    }
}
