package import DBus
package import RoundelBus
package import Secrets

/// The synced folders whose remotes need a login.
package struct AccountFolders: Sendable {
    private let bus: AsyncConnection
    private let worker: FoldersProxy

    /// The folders of the engines on this bus.
    package init(bus: AsyncConnection) {
        self.bus = bus
        worker = FoldersProxy(bus: bus)
    }

    /// The remote of the folder that is or contains an item.
    /// - Throws: `DBusError`, and ``ClientError`` for an item outside of the folders, of a folder whose remote needs no
    ///   login, or of an engine without accounts.
    package func remote(of item: ItemURI) async throws -> LoginRemote {
        let engine = try await Engines(bus: bus).owner(of: item, offering: .accounts)
        let folders = try await Engines(bus: bus).ask(ownerOf: item) { (folders: FoldersProxy) in
            try await folders.listFolders()
        }
        let folder = folders.first { folder in (try? ItemURI(folder.uri)).map { item.isWithin($0) } ?? false }
        guard let folder else { throw ClientError.notInFolder(item) }
        return try LoginRemote(of: folder, engine: engine)
    }

    /// The folders of the bundled engine that sync with an account. Without a worker there are none: nothing that would
    /// need the account is synced.
    /// - Throws: `DBusError` if they cannot be listed.
    package func using(_ account: RemoteAccount) async throws -> [SyncedFolder] {
        do {
            return try await worker.listFolders().filter {
                (try? RemoteAccount(remote: $0.remote))?.serves(account) ?? false
            }
        } catch let error as DBusError where error.isMissingService {
            return []
        }
    }

    /// How much in these folders is on the remote alone.
    /// - Throws: `DBusError`.
    package func placeholders(in folders: [SyncedFolder]) async throws -> (files: UInt64, bytes: UInt64) {
        let ids = Set(folders.map(\.id))
        let states = try await worker.status("", transfers: 0).folders.filter { ids.contains($0.id) }
        return states.reduce((0, 0)) { ($0.0 + ($1.filesOnline ?? 0), $0.1 + ($1.bytesOnline ?? 0)) }
    }

    /// Takes away from this computer what is on the remote alone, now that the folder's login was ended.
    /// - Parameter removesLocal: Whether to remove also what is on this computer and equal on the remote.
    /// - Throws: `DBusError`.
    package func clear(_ folder: SyncedFolder, removesLocal: Bool) async throws -> SyncClearedContents {
        try await ContentsProxy(bus: bus).clear(folder.id, removesLocal: removesLocal)
    }

    /// Starts to sync a folder now that its remote can be reached.
    /// - Throws: `DBusError`.
    package func sync(_ folder: SyncedFolder) async throws { _ = try await worker.sync(folder.id, options: .init()) }
}
