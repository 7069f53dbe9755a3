public import DBus
internal import Support

/// The worker's own interface, `org.roundel.SyncWorker1`, as its callers see it. A call starts the worker where it
/// does not run. Errors are `DBusError`; those of the worker have a sentence for a person.
public struct SyncWorkerProxy: Sendable {
    /// The connection on which the worker is called.
    public let bus: AsyncConnection

    /// How long the worker may take for what it answers from memory or its store.
    private static let patience = Duration.seconds(60)

    /// Speaks to the worker on this bus.
    public init(bus: AsyncConnection) { self.bus = bus }

    /// How a folder is to be synced.
    public struct AddOptions: Sendable, Equatable {
        /// Items that are only remote stay placeholders.
        public var isOnDemand = false
        /// The remote is written and never read.
        public var isUploadOnly = false
        /// Whether the first sync is left to a call of ``sync(_:options:)`` that follows at once.
        public var leavesStartToSync = false
        /// A name for people; by default the last segment of the path.
        public var label: String?

        /// The defaults.
        public init() {}
    }

    /// How a run is to go.
    public struct SyncOptions: Sendable, Equatable {
        /// Answer when the run has ended.
        public var wait = false
        /// Plan and change nothing; implies ``wait``.
        public var isDryRun = false
        /// Carry out deletions that a safeguard has stopped, and those that this run finds.
        public var confirmDeletes = false
        /// Put back, from the other side, every item whose deletion a safeguard has stopped or would stop in this run.
        public var restoresDeleted = false
        /// Where the remote looks restored from a backup: keep both versions of what differs and delete nothing.
        public var unites = false
        /// Where the remote looks restored from a backup: follow it all the same.
        public var acceptsRemote = false

        /// The defaults.
        public init() {}
    }

    // MARK: Folders

    /// How long adding a folder may take: a server is tried out first.
    private static let patienceForServers = Duration.seconds(300)

    /// Adds a folder and starts its first sync.
    /// - Returns: the folder's id.
    public func addFolder(uri: String, remote: String, options: AddOptions) async throws -> String {
        var map: VariantMap = [:]
        if options.isOnDemand { map["on-demand"] = .bool(true) }
        if options.isUploadOnly { map["upload-only"] = .bool(true) }
        if options.leavesStartToSync { map["start"] = .bool(false) }
        map["label"] = options.label.map(DBusValue.string)
        let reply = try await call(
            "AddFolder", [.string(uri), .string(remote), .map(map)], patience: Self.patienceForServers)
        return try text("AddFolder", reply)
    }

    /// A login in a browser.
    public struct BrowserLogin: Sendable, Equatable {
        /// What ``awaitLogin(_:)`` is called with.
        public var id: String
        /// The page of the server on which the person logs in.
        public var address: String
    }

    /// Begins a login in a browser, on a server that gives programs passwords of their own. It ends with the connection.
    public func beginLogin(remote: String) async throws -> BrowserLogin {
        let reply = try await call(
            "BeginLogin", [.string(remote), .map([:])], patience: Self.patienceForServers)
        guard reply.count > 1, let address = reply[1].string else { throw unexpected("BeginLogin") }
        return BrowserLogin(id: try text("BeginLogin", reply), address: address)
    }

    /// Waits until the person has logged in, and the login is saved in the secret service.
    /// - Returns: the user's name at the server.
    public func awaitLogin(_ login: BrowserLogin) async throws -> String {
        try text("AwaitLogin", try await call("AwaitLogin", [.string(login.id), .map([:])], patience: nil))
    }

    /// What is kept of a folder that was removed, until it is too old.
    public struct KeptOfRemoved: Sendable, Equatable {
        /// Versions on both sides.
        public var versions: UInt64
        /// Their size.
        public var bytes: UInt64
        /// Whether a side could not be asked.
        public var isPartial: Bool
    }

    /// Forgets a folder; no file is deleted.
    @discardableResult
    public func removeFolder(_ folder: String) async throws -> KeptOfRemoved {
        let extra = try await call("RemoveFolder", [.string(folder), .map([:])]).last?.map
        return KeptOfRemoved(
            versions: extra?.uint64("kept") ?? 0, bytes: extra?.uint64("kept-bytes") ?? 0,
            isPartial: extra?.bool("kept-partial") ?? false)
    }

    /// Tells the worker where a folder was moved.
    public func relocateFolder(_ folder: String, to newURI: String) async throws {
        _ = try await call("RelocateFolder", [.string(folder), .string(newURI), .map([:])])
    }

    /// The synced folders in the order in which they were added.
    public func listFolders() async throws -> [SyncedFolder] {
        try maps("ListFolders", try await call("ListFolders", [.map([:])])).compactMap(SyncedFolder.init)
    }

    // MARK: State

    /// What Status answers.
    public struct StatusReport: Sendable, Equatable {
        /// The folders that were asked for.
        public var folders: [SyncFolderStatus]
        /// Whether the badge service reports changes to the worker.
        public var isWatching: Bool
    }

    /// The present state of a folder, or of all for "".
    /// - Parameters:
    ///   - folder: The folder's URI, or "".
    ///   - transfers: The largest number of current transfers reported for each folder.
    public func status(_ folder: String, transfers: UInt32 = 16) async throws -> StatusReport {
        let reply = try await call("Status", [.string(folder), .map(["transfers": .uint32(transfers)])])
        let folders = try maps("Status", reply).compactMap(SyncFolderStatus.init)
        return StatusReport(folders: folders, isWatching: reply.last?.map?.bool("watching") ?? true)
    }

    /// Syncs a folder, or all that are not paused for "".
    public func sync(_ folder: String, options: SyncOptions) async throws -> SyncRunResult {
        var map: VariantMap = [:]
        if options.wait { map["wait"] = .bool(true) }
        if options.isDryRun { map["dry-run"] = .bool(true) }
        if options.confirmDeletes { map["confirm-deletes"] = .bool(true) }
        if options.restoresDeleted { map["restore-deleted"] = .bool(true) }
        if options.unites { map["unite"] = .bool(true) }
        if options.acceptsRemote { map["accept-remote"] = .bool(true) }
        // A run takes as long as its transfers; a worker that dies ends the call with an error.
        let waits = options.wait || options.isDryRun
        let reply = try await call(
            "Sync", [.string(folder), .map(map)], patience: waits ? nil : SyncWorkerProxy.patience)
        guard let result = reply.first?.map.flatMap({ SyncRunResult($0) }) else { throw unexpected("Sync") }
        return result
    }

    /// Compares every byte of an item, and of all below it, on both sides; of all folders for "". It is given up when
    /// the connection closes.
    public func verify(_ uri: String) async throws -> SyncVerification {
        let reply = try await call("Verify", [.string(uri), .map([:])], patience: nil)
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

    /// What a folder has of the network, or each that has a remote behind one for "".
    public func networkUse(_ folder: String) async throws -> [SyncNetworkReport] {
        try maps("NetworkUse", try await call("NetworkUse", [.string(folder), .map([:])]))
            .compactMap(SyncNetworkReport.init)
    }

    /// Sets all that a folder may have of the network.
    public func setNetworkUse(_ use: SyncNetworkUse, of folder: String) async throws {
        _ = try await call("SetNetworkUse", [.string(folder), .map(use.map), .map([:])])
    }

    // MARK: Conflicts

    /// The conflicts at or below a place, or all for "".
    public func conflicts(at uri: String) async throws -> [SyncConflict] {
        try maps("Conflicts", try await call("Conflicts", [.string(uri), .map([:])])).compactMap(SyncConflict.init)
    }

    /// Resolves one conflict.
    /// - Returns: the URI of the path that bears the name now, where the worker says it.
    public func resolve(_ uri: String, as choice: SyncConflict.Choice) async throws -> String? {
        try await call("Resolve", [.string(uri), .string(choice.rawValue), .map([:])]).last?.map?.string("uri")
    }

    // MARK: Excludes

    /// The patterns of a folder, and those that hold in every folder.
    public func listExcludes(_ folder: String) async throws -> (patterns: [String], bundled: [String]) {
        let reply = try await call("ListExcludes", [.string(folder), .map([:])])
        guard let patterns = reply.first?.strings else { throw unexpected("ListExcludes") }
        return (patterns, reply.last?.map?.strings("bundled") ?? [])
    }

    /// Adds patterns; those that are there already are passed over.
    public func addExcludes(_ patterns: [String], to folder: String) async throws {
        _ = try await call("AddExcludes", [.string(folder), .strings(patterns), .map([:])])
    }

    /// Removes patterns, all or none.
    public func removeExcludes(_ patterns: [String], from folder: String) async throws {
        _ = try await call("RemoveExcludes", [.string(folder), .strings(patterns), .map([:])])
    }

    // MARK: Activity and trash

    /// The newest entries, oldest of them first.
    /// - Parameter limit: The largest number of entries, 0 for 1,000.
    public func activity(limit: UInt32) async throws -> [SyncActivity] {
        try maps("Activity", try await call("Activity", [.uint32(limit), .map([:])])).compactMap(SyncActivity.init)
    }

    /// What ListTrash answers.
    public struct TrashReport: Sendable, Equatable {
        /// What can be put back, newest first.
        public var items: [SyncTrashItem]
        /// URIs of folders of which one side could not be asked.
        public var unlisted: [String]
    }

    /// What syncing replaced or deleted in a folder, or in all for "".
    public func listTrash(_ folder: String) async throws -> TrashReport {
        let reply = try await call("ListTrash", [.string(folder), .map([:])])
        return TrashReport(
            items: try maps("ListTrash", reply).compactMap(SyncTrashItem.init),
            unlisted: reply.last?.map?.strings("unlisted") ?? [])
    }

    /// A side of a synced folder, by its word on the bus.
    public enum Side: String, CaseIterable, Sendable {
        /// This computer.
        case local
        /// The remote.
        case remote
    }

    /// What RestoreTrash answers.
    public struct RestoredItem: Sendable, Equatable {
        /// The URI of where it is now.
        public var uri: String
        /// The side on which it was put back. From the remote it comes to this computer with the next sync.
        public var side: Side
        /// How many items were put back.
        public var count: UInt32
        /// Whether the folder is still synced.
        public var isSynced: Bool
    }

    /// Puts a version of an item back.
    /// - Parameters:
    ///   - uri: where the item was.
    ///   - id: one of its versions; nil for the newest.
    ///   - target: the URI of a directory below which it is put back; nil for where it was.
    public func restoreTrash(_ uri: String, id: String? = nil, to target: String? = nil) async throws -> RestoredItem {
        var options: VariantMap = [:]
        options.set("id", id)
        options.set("to", target)
        let reply = try await call("RestoreTrash", [.string(uri), .map(options)], patience: nil)
        let extra = reply.last?.map
        return RestoredItem(
            uri: try text("RestoreTrash", reply), side: extra?.string("side").flatMap(Side.init) ?? .local,
            count: extra?.uint32("count") ?? 1, isSynced: extra?.bool("synced") ?? true)
    }

    /// Puts back what stood at a moment and was replaced or deleted since. It ends with the connection.
    /// - Parameters:
    ///   - uri: a folder or an item, with all below it; "" for all folders.
    ///   - moment: in microseconds since 1970.
    ///   - target: the URI of a directory below which it is put back; nil for where it was.
    public func restoreTrash(
        _ uri: String, since moment: Int64, to target: String? = nil
    ) async throws -> SyncRestoration {
        var options: VariantMap = [:]
        options.set("to", target)
        let reply = try await call(
            "RestoreTrashSince", [.string(uri), .int64(moment), .map(options)], patience: nil)
        guard let result = reply.first?.map.flatMap({ SyncRestoration($0) }) else {
            throw unexpected("RestoreTrashSince")
        }
        return result
    }

    /// What DeleteTrash answers.
    public struct DeletedTrash: Sendable, Equatable {
        /// Versions that were deleted.
        public var versions: UInt64
        /// Their size.
        public var bytes: UInt64
        /// Items that are in the desktop's trash and stay there.
        public var desktop: UInt64
        /// Whether a side could not be asked, or something could not be deleted.
        public var isPartial: Bool
    }

    /// Deletes for good what is kept of an item and of all below it, but in the desktop's trash.
    public func deleteTrash(_ uri: String) async throws -> DeletedTrash {
        let result = try await call("DeleteTrash", [.string(uri), .map([:])], patience: nil).first?.map
        guard let result else { throw unexpected("DeleteTrash") }
        return DeletedTrash(
            versions: result.uint64("deleted") ?? 0, bytes: result.uint64("bytes") ?? 0,
            desktop: result.uint64("desktop") ?? 0, isPartial: result.bool("partial") ?? false)
    }

    // MARK: Signals

    /// The state of a folder each time that it changes.
    public func statusChanges() throws -> some AsyncSequence<SyncFolderStatus, Never> & Sendable {
        try signals("StatusChanged").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncFolderStatus($0) }
        }
    }

    /// What the worker does from now on.
    public func activityAdded() throws -> some AsyncSequence<[SyncActivity], Never> & Sendable {
        try signals("ActivityAdded").map { signal in
            (signal.arguments.first?.maps ?? []).compactMap { SyncActivity($0) }
        }
    }

    /// An element each time that a folder was added, removed or relocated.
    public func folderChanges() throws -> some AsyncSequence<Void, Never> & Sendable {
        try signals("FoldersChanged").map { _ in () }
    }

    /// How far the calls of ``verify(_:)`` on this connection have come.
    public func verificationProgress() throws -> some AsyncSequence<SyncVerification, Never> & Sendable {
        try signals("VerifyProgress").compactMap { signal in
            signal.arguments.dropFirst().first?.map.flatMap { SyncVerification($0) }
        }
    }

    /// How many items of all the calls of ``restoreTrash(_:since:to:)`` on this connection have put back.
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
        _ member: String, _ arguments: [DBusValue], patience: Duration? = SyncWorkerProxy.patience
    ) async throws -> [DBusValue] {
        log(.debug, "call \(Names.worker).\(member)")
        return try await bus.call(
            Names.worker, Names.workerPath, Names.workerInterface, member, arguments,
            timeout: patience)
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
