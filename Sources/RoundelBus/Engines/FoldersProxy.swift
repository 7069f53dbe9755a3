public import DBus
internal import Support

/// The folders of an engine and their state: `org.roundel.Roundel1.Engine.Folders`.
public struct FoldersProxy: EngineProxy {
    /// The options for a new folder.
    public struct AddOptions: Sendable, Equatable {
        /// Whether a following call of ``sync(_:options:)`` starts the first sync.
        public var leavesStartToSync = false
        /// Whether files of the remote come without their contents.
        public var isOnDemand = false
        /// Whether what is put in is only uploaded, and nothing of the remote is listed or brought here.
        public var isUploadOnly = false
        /// Whether files go to the trash once they were uploaded; only with ``isUploadOnly``.
        public var trashesUploaded = false
        /// The name shown to the user; by default the last segment of the path.
        public var label: String?
        /// Whether the directories are made where they are missing.
        public var creates = false
        /// The directories of the remote that are synced, as paths below it; empty for all of them.
        public var only: [String] = []

        /// Creates the default options.
        public init() {}

        var map: VariantMap {
            var map: VariantMap = [:]
            if leavesStartToSync { map["start"] = .bool(false) }
            if isOnDemand { map["on-demand"] = .bool(true) }
            if isUploadOnly { map["upload-only"] = .bool(true) }
            if trashesUploaded { map["trash-uploaded"] = .bool(true) }
            if creates { map["create"] = .bool(true) }
            if !only.isEmpty { map["only"] = .strings(only) }
            map["label"] = label.map(DBusValue.string)
            return map
        }
    }

    /// The options of a run.
    public struct SyncOptions: Sendable, Equatable {
        /// Whether the call returns only when the run has ended.
        public var wait = false
        /// Whether to plan without changing anything; implies ``wait``.
        public var isDryRun = false
        /// Whether to carry out deletions that a safeguard has stopped, and those that this run finds.
        public var confirmDeletes = false
        /// Whether to restore, from the other side, every item whose deletion a safeguard has stopped or would stop in
        /// this run.
        public var restoresDeleted = false
        /// If the remote seems to have been restored from a backup, or another root is in the place of the known one:
        /// whether to keep both versions of different items and delete nothing.
        public var unites = false
        /// If the remote seems to have been restored from a backup: whether to sync with it anyway.
        public var acceptsRemote = false
        /// If another root is in the place of the known one: whether it is the known one.
        public var isSameRoot = false

        /// Creates the default options.
        public init() {}

        fileprivate var map: VariantMap {
            let flags = [
                ("wait", wait), ("dry-run", isDryRun), ("confirm-deletes", confirmDeletes),
                ("restore-deleted", restoresDeleted), ("unite", unites), ("accept-remote", acceptsRemote),
                ("same-root", isSameRoot),
            ]
            return VariantMap(uniqueKeysWithValues: flags.filter(\.1).map { ($0.0, .bool(true)) })
        }
    }

    /// The reply of Status.
    public struct StatusReport: Sendable, Equatable {
        /// The requested folders.
        public var folders: [SyncFolderStatus]
        /// Whether the badge service reports changes to the engine.
        public var isWatching: Bool
    }

    /// The interface.
    public static let interface = EngineInterface.folders
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    // MARK: Folders

    /// Adds a folder and starts its first sync.
    /// - Returns: The folder's ID.
    public func addFolder(uri: String, remote: String, options: AddOptions) async throws -> String {
        return try await text(
            "AddFolder", [.string(uri), .string(remote), .map(options.map)], timeout: Patience.Worker.serverReply
        ).0
    }

    /// Stops syncing a folder and forgets it; no file is deleted.
    /// - Parameters:
    ///   - folder: The folder's id.
    ///   - dropsPlaceholders: Whether items whose contents are on the remote alone are removed from this computer.
    ///     Otherwise a folder with such items is not removed.
    @discardableResult
    public func removeFolder(_ folder: String, dropsPlaceholders: Bool = false) async throws -> SyncKeptVersions {
        let options: VariantMap = dropsPlaceholders ? ["drop-placeholders": .bool(true)] : [:]
        let extra = try await call("RemoveFolder", [.string(folder), .map(options)]).last?.map
        return extra.flatMap { SyncKeptVersions($0) } ?? SyncKeptVersions()
    }

    /// Tells the engine to which place a folder was moved.
    public func relocateFolder(_ folder: String, to newURI: String) async throws {
        _ = try await call("RelocateFolder", [.string(folder), .string(newURI), .map([:])])
    }

    /// The synced folders in the order in which they were added.
    public func listFolders() async throws -> [SyncedFolder] { try await records("ListFolders", [.map([:])]).0 }

    // MARK: State

    /// The current state of a folder, or of all for "".
    /// - Parameters:
    ///   - folder: The folder's URI, or "".
    ///   - transfers: The largest number of current transfers reported for each folder.
    public func status(_ folder: String, transfers: UInt32 = 16) async throws -> StatusReport {
        let (folders, extra): ([SyncFolderStatus], VariantMap) = try await records(
            "Status", [.string(folder), .map(["transfers": .uint32(transfers)])])
        return StatusReport(folders: folders, isWatching: extra.bool("watching") ?? true)
    }

    /// How much space a folder takes, and how much is left on both sides.
    public func space(_ folder: String) async throws -> SyncSpace {
        try await record("Space", [.string(folder), .map([:])])
    }

    /// Syncs a folder, or, for "", all that are not paused.
    public func sync(_ folder: String, options: SyncOptions) async throws -> SyncRunResult {
        // A run takes as long as its transfers; if the engine ends, the call fails.
        let waits = options.wait || options.isDryRun
        return try await record(
            "Sync", [.string(folder), .map(options.map)], timeout: waits ? nil : Patience.Worker.reply)
    }

    /// Stops syncing a folder, or all for "", until ``resume(_:)``. Another pause is replaced.
    /// - Parameters:
    ///   - folder: The folder's ID, or the URI of it or of what is in it.
    ///   - moment: When syncing goes on by itself, microseconds since 1970 in UTC; nil for never.
    public func pause(_ folder: String, until moment: Int64? = nil) async throws {
        let options: VariantMap = moment.map { ["until": .int64($0)] } ?? [:]
        _ = try await call("Pause", [.string(folder), .map(options)])
    }

    /// Ends ``pause(_:until:)``.
    public func resume(_ folder: String) async throws { _ = try await call("Resume", [.string(folder), .map([:])]) }

    /// The newest entries of the log, sorted from old to new.
    /// - Parameter limit: The largest number of entries, 0 for 1,000.
    public func activity(limit: UInt32) async throws -> [SyncActivity] {
        try await records("Activity", [.uint32(limit), .map([:])]).0
    }

    /// The items that could not be synced, are in conflict or wait for something.
    /// - Parameters:
    ///   - uri: A folder, or an item with everything in it; "" for all folders.
    ///   - limit: The largest number of problems of each folder.
    /// - Returns: The problems, and how many were left out for the limit.
    public func problems(_ uri: String, limit: UInt32 = 1000) async throws -> (problems: [SyncProblem], more: UInt64) {
        let (problems, extra): ([SyncProblem], VariantMap) = try await records(
            "Problems", [.string(uri), .map(["limit": .uint32(limit)])])
        return (problems, extra.uint64("more") ?? 0)
    }

    /// The address at which an item can be opened where it is synced to: that of a page, or the `file://` URI on the remote.
    public func address(_ uri: String) async throws -> String {
        try await text("Address", [.string(uri), .map([:])], timeout: Patience.Worker.serverReply).0
    }

    // MARK: Excludes

    /// The patterns of a folder, and those that apply in every folder.
    public func listExcludes(_ folder: String) async throws -> (patterns: [String], bundled: [String]) {
        let reply = try await call("ListExcludes", [.string(folder), .map([:])])
        guard let patterns = reply.first?.strings else { throw unexpected("ListExcludes") }
        return (patterns, reply.last?.map?.strings("bundled") ?? [])
    }

    /// Adds patterns; existing ones are ignored.
    public func addExcludes(_ patterns: [String], to folder: String) async throws {
        _ = try await call("AddExcludes", [.string(folder), .strings(patterns), .map([:])])
    }

    /// Adds for each of these items the pattern that excludes it alone.
    /// - Returns: The patterns that were not there before.
    public func addExcludes(of items: [String], to folder: String) async throws -> [String] {
        let reply = try await call(
            "AddExcludes", [.string(folder), .strings([]), .map(["items": .strings(items)])])
        return reply.last?.map?.strings("added") ?? []
    }

    /// Removes all of these patterns, or none.
    public func removeExcludes(_ patterns: [String], from folder: String) async throws {
        _ = try await call("RemoveExcludes", [.string(folder), .strings(patterns), .map([:])])
    }

    /// The items that were found and are not synced, sorted by path.
    /// - Parameters:
    ///   - uri: A folder, or an item with everything in it.
    ///   - limit: The largest number of items.
    /// - Returns: The items, and whether there are more.
    public func listExcluded(
        _ uri: String, limit: UInt32 = 1000
    ) async throws -> (items: [SyncExclusion], hasMore: Bool) {
        let (items, extra): ([SyncExclusion], VariantMap) = try await records(
            "ListExcluded", [.string(uri), .map(["limit": .uint32(limit)])])
        return (items, extra.bool("more") ?? false)
    }

    /// Whether an item of a folder is synced, or one with this name would be.
    /// - Parameters:
    ///   - path: Its path below the folder.
    ///   - folder: The folder's ID, or the URI of it or of what is in it.
    ///   - isDirectory: Whether it is a directory, if there is none at this path yet.
    public func tryExcludes(_ path: String, in folder: String, isDirectory: Bool = false) async throws -> SyncExclusion
    {
        let options: VariantMap = isDirectory ? ["directory": .bool(true)] : [:]
        return try await record("TryExcludes", [.string(folder), .string(path), .map(options)])
    }

    // MARK: Signals

    /// The state of a folder at each change.
    public func statusChanges() throws -> some AsyncSequence<SyncFolderStatus, Never> & Sendable {
        try signals("StatusChanged").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncFolderStatus($0) }
        }
    }

    /// The activities of the engine from now on.
    public func activityAdded() throws -> some AsyncSequence<[SyncActivity], Never> & Sendable {
        try signals("ActivityAdded").map { signal in
            (signal.arguments.first?.maps ?? []).compactMap { SyncActivity($0) }
        }
    }

    /// Produces an element each time a folder was added, removed or relocated.
    public func folderChanges() throws -> some AsyncSequence<Void, Never> & Sendable {
        try signals("FoldersChanged").map { _ in () }
    }
}
