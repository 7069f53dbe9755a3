import RemoteSupport
import SyncEngine
import WebDAV

/// A folder of this computer that is synced with a server.
typealias ServerFolder = RemoteFolder

extension RemoteFolder {
    convenience init(
        _ client: DAVClient, traits: ServerTraits, owner: String = "test", after former: RemoteFolder? = nil
    ) throws {
        try self.init(owner: owner, after: former) {
            WebDAVRemote(client, traits: traits, owner: $0, transfers: $1)
        }
    }
}
