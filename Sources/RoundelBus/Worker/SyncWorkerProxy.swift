public import DBus
internal import Support

/// The worker's own interface, `org.roundel.SyncWorker1`, for callers. A call starts the worker if it does not run.
/// Errors are `DBusError`; those of the worker contain a sentence for the user.
public struct SyncWorkerProxy: Sendable {
    /// The connection on which the worker is called.
    public let bus: AsyncConnection

    /// Creates a proxy for the worker on this bus.
    public init(bus: AsyncConnection) { self.bus = bus }

    /// The options for a new folder.
    public struct AddOptions: Sendable, Equatable {
        /// Whether a following call of ``sync(_:options:)`` starts the first sync.
        public var leavesStartToSync = false
        /// The name shown to the user; by default the last segment of the path.
        public var label: String?

        /// Creates the default options.
        public init() {}
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
    }

    // MARK: Folders

    /// Adds a folder and starts its first sync.
    /// - Returns: The folder's ID.
    public func addFolder(uri: String, remote: String, options: AddOptions) async throws -> String {
        var map: VariantMap = [:]
        if options.leavesStartToSync { map["start"] = .bool(false) }
        map["label"] = options.label.map(DBusValue.string)
        let reply = try await call(
            "AddFolder", [.string(uri), .string(remote), .map(map)], timeout: Patience.Worker.serverReply)
        return try text("AddFolder", reply)
    }

    /// A login in a browser.
    public struct BrowserLogin: Sendable, Equatable {
        /// The argument for ``awaitLogin(_:)``.
        public var id: String
        /// The page of the server on which the user logs in.
        public var address: String
    }

    /// Starts a login in a browser, at a server that issues separate passwords to programs. It ends with the
    /// connection.
    public func beginLogin(remote: String) async throws -> BrowserLogin {
        let reply = try await call(
            "BeginLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
        guard reply.count > 1, let address = reply[1].string else { throw unexpected("BeginLogin") }
        return BrowserLogin(id: try text("BeginLogin", reply), address: address)
    }

    /// Waits until the user has logged in and the login is saved in the secret service.
    /// - Returns: The user's name at the server.
    public func awaitLogin(_ login: BrowserLogin) async throws -> String {
        try text("AwaitLogin", try await call("AwaitLogin", [.string(login.id), .map([:])], timeout: nil))
    }

    /// Tries the login that is saved for a remote.
    public func checkLogin(remote: String) async throws {
        _ = try await call("CheckLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
    }

    /// Ends the use of the login that is saved for a remote.
    /// - Returns: Whether the server took the password back.
    public func endLogin(remote: String) async throws -> Bool {
        let reply = try await call("EndLogin", [.string(remote), .map([:])], timeout: Patience.Worker.serverReply)
        return reply.last?.map?.bool("revoked") ?? false
    }

    /// Stops syncing a folder and forgets it; no file is deleted.
    @discardableResult
    public func removeFolder(_ folder: String) async throws -> SyncKeptVersions {
        let extra = try await call("RemoveFolder", [.string(folder), .map([:])]).last?.map
        return extra.flatMap { SyncKeptVersions($0) } ?? SyncKeptVersions()
    }

    /// Tells the worker to which place a folder was moved.
    public func relocateFolder(_ folder: String, to newURI: String) async throws {
        _ = try await call("RelocateFolder", [.string(folder), .string(newURI), .map([:])])
    }

    /// The synced folders in the order in which they were added.
    public func listFolders() async throws -> [SyncedFolder] {
        try maps("ListFolders", try await call("ListFolders", [.map([:])])).compactMap(SyncedFolder.init)
    }

    // MARK: State

    /// The reply of Status.
    public struct StatusReport: Sendable, Equatable {
        /// The requested folders.
        public var folders: [SyncFolderStatus]
        /// Whether the badge service reports changes to the worker.
        public var isWatching: Bool
    }

    /// The current state of a folder, or of all for "".
    /// - Parameters:
    ///   - folder: The folder's URI, or "".
    ///   - transfers: The largest number of current transfers reported for each folder.
    public func status(_ folder: String, transfers: UInt32 = 16) async throws -> StatusReport {
        let reply = try await call("Status", [.string(folder), .map(["transfers": .uint32(transfers)])])
        let folders = try maps("Status", reply).compactMap(SyncFolderStatus.init)
        return StatusReport(folders: folders, isWatching: reply.last?.map?.bool("watching") ?? true)
    }

    /// Syncs a folder, or, for "", all that are not paused.
    public func sync(_ folder: String, options: SyncOptions) async throws -> SyncRunResult {
        var map: VariantMap = [:]
        if options.wait { map["wait"] = .bool(true) }
        if options.isDryRun { map["dry-run"] = .bool(true) }
        if options.confirmDeletes { map["confirm-deletes"] = .bool(true) }
        if options.restoresDeleted { map["restore-deleted"] = .bool(true) }
        if options.unites { map["unite"] = .bool(true) }
        if options.acceptsRemote { map["accept-remote"] = .bool(true) }
        if options.isSameRoot { map["same-root"] = .bool(true) }
        // A run takes as long as its transfers; if the worker ends, the call fails.
        let waits = options.wait || options.isDryRun
        let reply = try await call(
            "Sync", [.string(folder), .map(map)], timeout: waits ? nil : Patience.Worker.reply)
        guard let result = reply.first?.map.flatMap({ SyncRunResult($0) }) else { throw unexpected("Sync") }
        return result
    }

    /// Compares every byte of an item, and of everything below it, on both sides; for "", of all folders. It is
    /// cancelled when the connection closes.
    public func verify(_ uri: String) async throws -> SyncVerification {
        let reply = try await call("Verify", [.string(uri), .map([:])], timeout: nil)
        guard let result = reply.first?.map.flatMap({ SyncVerification($0) }) else { throw unexpected("Verify") }
        return result
    }

    /// Stops syncing a folder, or all for "", until ``resume(_:)``.
    public func pause(_ folder: String) async throws {
        _ = try await call("Pause", [.string(folder), .map([:])])
    }

    /// Ends ``pause(_:)``.
    public func resume(_ folder: String) async throws {
        _ = try await call("Resume", [.string(folder), .map([:])])
    }

    // MARK: The network

    /// How a folder uses the network; for "", the same for every folder with a remote behind a network.
    public func networkUse(_ folder: String) async throws -> [SyncNetworkReport] {
        try maps("NetworkUse", try await call("NetworkUse", [.string(folder), .map([:])]))
            .compactMap(SyncNetworkReport.init)
    }

    /// Sets how a folder may use the network.
    public func setNetworkUse(_ use: SyncNetworkUse, of folder: String) async throws {
        _ = try await call("SetNetworkUse", [.string(folder), .map(use.map), .map([:])])
    }

    // MARK: Conflicts

    /// The conflicts at or below a place, or all for "".
    public func conflicts(at uri: String) async throws -> [SyncConflict] {
        try maps("Conflicts", try await call("Conflicts", [.string(uri), .map([:])])).compactMap(SyncConflict.init)
    }

    /// Resolves one conflict.
    public func resolve(_ uri: String, as choice: SyncConflict.Choice) async throws -> ConflictResolution {
        let reply = try await call("Resolve", [.string(uri), .string(choice.rawValue), .map([:])])
        return reply.last?.map.flatMap { ConflictResolution($0) } ?? .blank
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

    /// Removes all of these patterns, or none.
    public func removeExcludes(_ patterns: [String], from folder: String) async throws {
        _ = try await call("RemoveExcludes", [.string(folder), .strings(patterns), .map([:])])
    }

    // MARK: Activity and trash

    /// The newest entries, sorted from old to new.
    /// - Parameter limit: The largest number of entries, 0 for 1,000.
    public func activity(limit: UInt32) async throws -> [SyncActivity] {
        try maps("Activity", try await call("Activity", [.uint32(limit), .map([:])])).compactMap(SyncActivity.init)
    }

    /// The reply of ListTrash.
    public struct TrashReport: Sendable, Equatable {
        /// Items that can be restored, the newest first.
        public var items: [SyncTrashItem]
        /// What to list after; nil if these are the last ones.
        public var next: String?
        /// The URIs of folders with a side that could not be read.
        public var unlisted: [String]
    }

    /// The items that syncing replaced or deleted: a part of a long list.
    /// - Parameters:
    ///   - folder: The ID or URI of a folder, or "" for all.
    ///   - start: ``TrashReport/next`` of the part before; nil for the newest.
    public func listTrash(_ folder: String, after start: String? = nil) async throws -> TrashReport {
        let options: VariantMap = start.map { ["after": .string($0)] } ?? [:]
        let reply = try await call("ListTrash", [.string(folder), .map(options)])
        return TrashReport(
            items: try maps("ListTrash", reply).compactMap(SyncTrashItem.init), next: reply.last?.map?.string("next"),
            unlisted: reply.last?.map?.strings("unlisted") ?? [])
    }

    /// A side of a synced folder, by its word on the bus.
    public enum Side: String, CaseIterable, Sendable {
        /// This computer.
        case local
        /// The remote.
        case remote
    }

    /// The reply of RestoreTrash.
    public struct RestoredItem: Sendable, Equatable {
        /// The URI of its current place.
        public var uri: String
        /// The side on which it was restored. From the remote it is downloaded with the next sync.
        public var side: Side
        /// The number of restored items.
        public var count: UInt32
        /// Whether the folder is still synced.
        public var isSynced: Bool
    }

    /// Restores a version of an item.
    /// - Parameters:
    ///   - uri: The original place of the item.
    ///   - id: One of its versions; nil for the newest.
    ///   - target: The URI of a directory below which to restore it; nil for the original place.
    public func restoreTrash(_ uri: String, id: String? = nil, to target: String? = nil) async throws -> RestoredItem {
        var options: VariantMap = [:]
        options["id"] = id.map(DBusValue.string)
        options["to"] = target.map(DBusValue.string)
        let reply = try await call("RestoreTrash", [.string(uri), .map(options)], timeout: nil)
        let extra = reply.last?.map
        return RestoredItem(
            uri: try text("RestoreTrash", reply), side: extra?.string("side").flatMap(Side.init) ?? .local,
            count: extra?.uint32("count") ?? 1, isSynced: extra?.bool("synced") ?? true)
    }

    /// Restores what existed at a moment and was replaced or deleted since then. It ends with the connection.
    /// - Parameters:
    ///   - uri: A folder or an item, with everything below it; "" for all folders.
    ///   - moment: In microseconds since 1970.
    ///   - target: The URI of a directory below which to restore; nil for the original places.
    public func restoreTrash(
        _ uri: String, since moment: Int64, to target: String? = nil
    ) async throws -> SyncRestoration {
        var options: VariantMap = [:]
        options["to"] = target.map(DBusValue.string)
        let reply = try await call(
            "RestoreTrashSince", [.string(uri), .int64(moment), .map(options)], timeout: nil)
        guard let result = reply.first?.map.flatMap({ SyncRestoration($0) }) else {
            throw unexpected("RestoreTrashSince")
        }
        return result
    }

    /// Permanently deletes the kept versions of an item and of everything below it, except those in the desktop's
    /// trash.
    public func deleteTrash(_ uri: String) async throws -> SyncDeletedVersions {
        let reply = try await call("DeleteTrash", [.string(uri), .map([:])], timeout: nil)
        guard let result = reply.first?.map.flatMap({ SyncDeletedVersions($0) }) else {
            throw unexpected("DeleteTrash")
        }
        return result
    }

    // MARK: Signals

    /// The state of a folder at each change.
    public func statusChanges() throws -> some AsyncSequence<SyncFolderStatus, Never> & Sendable {
        try signals("StatusChanged").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncFolderStatus($0) }
        }
    }

    /// The activities of the worker from now on.
    public func activityAdded() throws -> some AsyncSequence<[SyncActivity], Never> & Sendable {
        try signals("ActivityAdded").map { signal in
            (signal.arguments.first?.maps ?? []).compactMap { SyncActivity($0) }
        }
    }

    /// Produces an element each time a folder was added, removed or relocated.
    public func folderChanges() throws -> some AsyncSequence<Void, Never> & Sendable {
        try signals("FoldersChanged").map { _ in () }
    }

    /// The progress of the calls of ``verify(_:)`` on this connection.
    public func verificationProgress() throws -> some AsyncSequence<SyncVerification, Never> & Sendable {
        try signals("VerifyProgress").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncVerification($0) }
        }
    }

    /// The progress of the calls of ``restoreTrash(_:since:to:)`` on this connection, in restored items.
    public func restorationProgress() throws -> some AsyncSequence<(done: UInt64, total: UInt64), Never> & Sendable {
        try signals("RestoreProgress").compactMap { signal in
            guard let done = signal.arguments.first?.uint64, let total = signal.arguments.dropFirst().first?.uint64
            else { return nil }
            return (done, total)
        }
    }

    private func signals(_ member: String) throws -> AsyncStream<ReceivedSignal> {
        let rule = MatchRule(
            sender: Names.worker, path: Names.workerPath, interface: Names.workerInterface,
            member: member)
        return try bus.signals(rule)
    }

    // MARK: Calls

    private func call(
        _ member: String, _ arguments: [DBusValue], timeout: Duration? = Patience.Worker.reply
    ) async throws -> [DBusValue] {
        log(.debug, "call \(Names.worker).\(member)")
        return try await bus.call(
            Names.worker, Names.workerPath, Names.workerInterface, member, arguments,
            timeout: timeout)
    }

    private func text(_ member: String, _ reply: [DBusValue]) throws -> String {
        guard let text = reply.first?.string else { throw unexpected(member) }
        return text
    }

    private func maps(_ member: String, _ reply: [DBusValue]) throws -> [VariantMap] {
        guard let maps = reply.first?.maps else { throw unexpected(member) }
        return maps
    }

    private func unexpected(_ member: String) -> DBusError {
        DBusError.failed("The worker answered \(member) in a form that this version does not know.")
    }
}
