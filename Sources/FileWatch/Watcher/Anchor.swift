import SystemPackage

/// A path that is followed: the root of a folder, or an observed directory.
///
/// A class because nodes, queues and pending batches refer to it; it is confined to the watcher's thread.
final class Anchor {
    enum Role: Equatable {
        case folder(FolderID, recursive: Bool)
        case observed
    }

    enum State: Equatable {
        /// Its path was not followed yet.
        case pending
        /// Watched.
        case attached(NodeID)
        /// Was watched; its directory went, or something on the way to it did.
        case dropped
        case missing
        /// Something else stands there.
        case blocked(RootKind)
        /// On a file system that is not watched and may not answer.
        case unwatchable
    }

    /// Tells directories apart whatever they are called.
    struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    let role: Role
    /// As it was asked for.
    let path: FilePath
    var state = State.pending
    /// The path without symbolic links, as far as it was found.
    var resolved: FilePath
    var identity: Identity?
    /// Directories whose entries are followed for the sake of this anchor.
    var nameNodes: [NodeID] = []
    /// Where the path ends for now, and the name that is missing there.
    var waitsAt: (node: NodeID, name: [UInt8])?

    /// A recursive folder's changes that wait to be handed over.
    var changes = ChangeCoalescer()
    var isEstablished = false
    /// A directory of the folder got no watch.
    var lacksWatches = false
    /// Mounts below the folder that are not entered.
    var unwatchablePoints: Set<FilePath> = []

    /// Names that went from an observed directory and wait to be reported.
    var vanished: Set<[UInt8]> = []
    var vanishPeriod: QuietPeriod?

    init(role: Role, path: FilePath) {
        self.role = role
        self.path = path
        resolved = path
    }

    var folder: FolderID? {
        if case .folder(let id, _) = role { id } else { nil }
    }

    var isRecursive: Bool { role == folder.map { .folder($0, recursive: true) } }

    var node: NodeID? {
        if case .attached(let node) = state { node } else { nil }
    }

    var isUnreliable: Bool {
        isRecursive && (state == .unwatchable || lacksWatches || !unwatchablePoints.isEmpty)
    }
}
