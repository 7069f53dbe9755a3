import RemoteSupport
import SyncEngine
import WebDAV

/// A folder of this computer that is synced with a server.
typealias ServerFolder = RemoteFolder

extension RemoteFolder {
    convenience init(_ client: DAVClient, traits: ServerTraits, owner: String = "test") throws {
        try self.init(owner: owner) { WebDAVRemote(client, traits: traits, owner: $0) }
    }
}
