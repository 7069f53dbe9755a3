public import DBus
internal import Support

/// The versions that an engine keeps of what syncing replaced or deleted: `org.roundel.Roundel1.Engine.Trash`.
public struct TrashProxy: EngineProxy {
    /// The reply of ListTrash.
    public struct Listing: Sendable, Equatable {
        /// Items that can be restored, the newest first.
        public var items: [SyncTrashItem]
        /// What to list after; nil if these are the last ones.
        public var next: String?
        /// The URIs of folders with a side that could not be read.
        public var unlisted: [String]
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

    /// The interface.
    public static let interface = EngineInterface.trash
    /// The connection on which the engine is called.
    public let bus: AsyncConnection
    /// Where it is called.
    public let engine: EngineAddress

    /// Creates a proxy for an engine on this bus.
    public init(bus: AsyncConnection, engine: EngineAddress) { (self.bus, self.engine) = (bus, engine) }

    /// The items that syncing replaced or deleted: a part of a long list.
    /// - Parameters:
    ///   - folder: The ID or URI of a folder, or "" for all.
    ///   - start: ``Listing/next`` of the part before; nil for the newest.
    public func listTrash(_ folder: String, after start: String? = nil) async throws -> Listing {
        let options: VariantMap = start.map { ["after": .string($0)] } ?? [:]
        let (items, extra): ([SyncTrashItem], VariantMap) = try await records(
            "ListTrash", [.string(folder), .map(options)])
        return Listing(items: items, next: extra.string("next"), unlisted: extra.strings("unlisted") ?? [])
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
        let (place, extra) = try await text("RestoreTrash", [.string(uri), .map(options)], timeout: nil)
        return RestoredItem(
            uri: place, side: extra.string("side").flatMap(Side.init) ?? .local, count: extra.uint32("count") ?? 1,
            isSynced: extra.bool("synced") ?? true)
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
        return try await record(
            "RestoreTrashSince", [.string(uri), .int64(moment), .map(options)], timeout: nil)
    }

    /// The versions of a file that its server keeps besides the current one, the newest first.
    public func serverVersions(of uri: String) async throws -> [SyncServerVersion] {
        let reply = try await call(
            "ListServerVersions", [.string(uri), .map([:])], timeout: Patience.Worker.serverReply)
        guard let maps = reply.first?.maps else { throw unexpected("ListServerVersions") }
        return maps.compactMap { SyncServerVersion($0) }
    }

    /// Restores a version of a file that its server keeps, as a new file.
    /// - Parameters:
    ///   - id: One of ``serverVersions(of:)``.
    ///   - uri: The file.
    /// - Returns: The URI of the new file.
    public func restoreServerVersion(_ id: String, of uri: String) async throws -> String {
        try await text("RestoreServerVersion", [.string(uri), .string(id), .map([:])], timeout: nil).0
    }

    /// Permanently deletes the kept versions of an item and of everything below it, except those in the desktop's
    /// trash.
    public func deleteTrash(_ uri: String) async throws -> SyncDeletedVersions {
        try await record("DeleteTrash", [.string(uri), .map([:])], timeout: nil)
    }

    /// The progress of the calls of ``restoreTrash(_:since:to:)`` on this connection, in restored items.
    public func restorationProgress() throws -> some AsyncSequence<(done: UInt64, total: UInt64), Never> & Sendable {
        try signals("RestoreProgress").compactMap { signal in
            guard let done = signal.arguments.first?.uint64, let total = signal.arguments.dropFirst().first?.uint64
            else { return nil }
            return (done, total)
        }
    }
}
