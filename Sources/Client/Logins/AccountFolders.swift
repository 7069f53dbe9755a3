package import DBus
package import RoundelBus
package import Secrets

/// The synced folders whose remotes need a login.
package struct AccountFolders: Sendable {
    private let worker: SyncWorkerProxy

    /// The folders of the worker on this bus.
    package init(bus: AsyncConnection) { worker = SyncWorkerProxy(bus: bus) }

    /// The remote of the folder that is or contains an item.
    /// - Throws: `DBusError`, and ``ClientError`` for an item outside of the folders, or of a folder whose remote needs no
    ///   login.
    package func remote(of item: ItemURI) async throws -> LoginRemote {
        let folder = try await worker.listFolders().first { folder in
            (try? ItemURI(folder.uri)).map { item.isWithin($0) } ?? false
        }
        guard let folder else { throw ClientError.notInFolder(item) }
        return try LoginRemote(of: folder)
    }

    /// The folders that sync with an account. Without a worker there are none: nothing that would need the account is
    /// synced.
    /// - Throws: `DBusError` if they cannot be listed.
    package func using(_ account: RemoteAccount) async throws -> [SyncedFolder] {
        do {
            return try await worker.listFolders().filter {
                (try? RemoteAccount(remote: $0.remote))?.serves(account) ?? false
            }
        } catch let error as DBusError where [.serviceUnknown, .nameHasNoOwner].contains(error.standard) {
            return []
        }
    }

    /// Starts to sync a folder now that its remote can be reached.
    /// - Throws: `DBusError`.
    package func sync(_ folder: SyncedFolder) async throws { _ = try await worker.sync(folder.id, options: .init()) }
}
