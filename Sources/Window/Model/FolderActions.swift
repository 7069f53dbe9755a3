package import Client
package import DBus
package import RoundelBus

/// What the buttons do, each carried out by the engine that owns the folder.
package struct FolderActions: Sendable {
    private let bus: AsyncConnection
    private let engines: Engines

    /// The actions of the engines on this bus.
    package init(bus: AsyncConnection) {
        self.bus = bus
        engines = Engines(bus: bus)
    }

    /// Starts a run of a folder.
    package func sync(_ folder: ItemURI, _ options: FoldersProxy.SyncOptions = .init()) async throws {
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            _ = try await engine.sync(folder.uri, options: options)
        }
    }

    /// Pauses a folder.
    package func pause(_ folder: ItemURI, _ length: PauseLength) async throws {
        let end = length.end(after: Moment.now)
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            try await engine.pause(folder.uri, until: end)
        }
    }

    /// Resumes a folder.
    package func resume(_ folder: ItemURI) async throws {
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in try await engine.resume(folder.uri) }
    }

    /// Stops syncing a folder; no file is deleted.
    /// - Parameter dropsPlaceholders: Whether files that are on the remote alone are removed from this computer.
    /// - Throws: `placeholdersLeft` if there are such files and they are not to be removed.
    package func remove(_ folder: ItemURI, dropsPlaceholders: Bool) async throws -> SyncKeptVersions {
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            try await engine.removeFolder(at: folder, dropsPlaceholders: dropsPlaceholders)
        }
    }

    /// Leaves an item out of syncing.
    /// - Returns: The patterns that were added for it, which ``removePatterns(_:of:)`` takes to undo that.
    package func exclude(_ item: ItemURI) async throws -> [String] {
        try await engines.ask(ownerOf: item) { (engine: FoldersProxy) in
            try await engine.addExcludes(of: [item.uri], to: item.uri)
        }
    }

    /// Leaves out of a folder what matches a pattern.
    package func addPattern(_ pattern: String, to folder: ItemURI) async throws {
        try await engines.ask(ownerOf: folder) { (engine: FoldersProxy) in
            try await engine.addExcludes([pattern], to: folder.uri)
        }
    }

    /// Removes patterns of the folder of an item.
    package func removePatterns(_ patterns: [String], of item: ItemURI) async throws {
        try await engines.ask(ownerOf: item) { (engine: FoldersProxy) in
            try await engine.removeExcludes(patterns, from: item.uri)
        }
    }

    /// Syncs what can be synced now that somebody has logged in for a folder.
    package func loggedIn(at remote: LoginRemote, for folder: ItemURI) async throws {
        let known = AccountFolders(bus: bus)
        let used = try await known.using(remote.account)
        // One that cannot be synced now must not keep the others from it; it says so itself. A paused one stays so.
        for folder in used where !folder.isPaused { try? await known.sync(folder) }
        if !used.contains(where: { $0.uri == folder.uri }) { try await sync(folder) }
    }

    /// Keeps a version of an item in conflict.
    /// - Returns: Whether that waits until the folder can be synced again.
    package func resolve(_ item: ItemURI, as choice: SyncConflict.Choice) async throws -> Bool {
        try await engines.ask(ownerOf: item) { (engine: ConflictsProxy) in
            try await engine.resolve(item.uri, as: choice).waits
        }
    }

    /// The versions that the engines keep, newest first: as many as one answer has.
    package func keptVersions() async throws -> [SyncTrashItem] {
        var list = try await engines.keptVersions()
        return list.takeNewest()
    }

    /// The versions that the engine of an item keeps of its folder, newest first: as many as one answer has.
    package func keptVersions(of item: ItemURI) async throws -> [SyncTrashItem] {
        try await engines.ask(keeperOf: item) { try await $0.listTrash(item.uri).items }
    }

    /// The versions that the server of a file keeps by itself, newest first.
    package func serverVersions(of item: ItemURI) async throws -> [SyncServerVersion] {
        try await engines.serverVersions(of: item)
    }

    /// Restores a version of an item.
    /// - Returns: The URI of where it is now.
    package func restore(_ version: VersionsPage.Row) async throws -> String {
        let item = version.uri
        switch version.keeper {
        case .engine:
            return try await engines.ask(keeperOf: item) { try await $0.restoreTrash(item.uri, id: version.id).uri }
        case .server: return try await engines.restoreServerVersion(version.id, of: item)
        }
    }

    /// Restores what was deleted or replaced in a directory since a moment, in microseconds since 1970.
    package func restore(_ directory: ItemURI, since moment: Int64) async throws -> SyncRestoration {
        try await engines.restoration(of: directory, since: moment, to: nil).outcome()
    }
}
