import Remotes
import SyncEngine
import SystemPackage

@testable import SyncService

extension RemoteKinds {
    /// The kinds, with nothing that they could open.
    static var unused: RemoteKinds {
        RemoteKinds(RemoteSurroundings(directory: "/nowhere", leaving: FreeSpaceFloor(), logins: SavedLogins()))
    }
}
