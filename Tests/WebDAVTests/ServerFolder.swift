import RemoteSupport
import SyncEngine
import TestSupport
import WebDAV

/// A folder of this computer that is synced with a server.
typealias ServerFolder = RemoteFolder

extension RemoteFolder {
    convenience init(
        _ client: DAVClient, traits: ServerTraits, owner: String = "test", isUploadOnly: Bool = false,
        after former: RemoteFolder? = nil, fill: (TemporaryDirectory) throws -> Void = { _ in }
    ) throws {
        try self.init(owner: owner, isUploadOnly: isUploadOnly, after: former, fill: fill) {
            WebDAVRemote(client, traits: traits, owner: $0, transfers: $1)
        }
    }
}
