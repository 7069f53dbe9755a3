package import SyncCore

/// The identities of a folder's two roots. By them its kept versions are found when it is no longer synced.
package struct FolderRoots: Hashable, Sendable {
    /// The identity of the user's folder; empty if it has none now.
    package var local: Token
    /// The identity of the remote's root; empty if it has none now, or is reached over a network.
    package var remote: Token

    /// Neither is known.
    package static let unknown = FolderRoots(local: .none, remote: .none)
}

/// What a folder's database tells about its roots.
package enum NotedRoots: Hashable, Sendable {
    case noted(FolderRoots)
    /// The folder was never synced, so nothing of it is kept.
    case neverSynced
    /// The database cannot be used now.
    case unreadable
}

extension SyncFolder {
    /// What the database tells about the roots; only on the loop.
    package var notedRoots: NotedRoots {
        do {
            // An empty database stands in for one that cannot be used, and would tell that nothing was ever synced.
            try requireStore()
            guard let local = try store.value(.localRoot), let remote = try store.value(.remoteRoot) else {
                // A damaged database, which was set aside, may have known them.
                return StoreFile.wasSetAside(storePath) ? .unreadable : .neverSynced
            }
            return .noted(FolderRoots(local: Token(local), remote: Token(remote)))
        } catch {
            return .unreadable
        }
    }

    /// The roots as they are on the disks now. Takes as long as the sides do, on any thread that may block.
    package func rootsOnDisk() -> FolderRoots {
        func identity(_ root: RootState?) -> Token {
            switch root {
            case .present(let identity, _, _): identity
            case .missing, .unreachable, nil: .none
            }
        }
        let remoteRoot = (remote as? any DiskSide)?.disk.root
        return FolderRoots(local: identity(local.root()), remote: identity(remoteRoot?.look()))
    }
}
