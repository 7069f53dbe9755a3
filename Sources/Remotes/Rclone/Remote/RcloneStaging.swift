import SyncCore
import Synchronization

/// Contents read on this computer that wait for their place on a remote.
enum RcloneContents: Sendable {
    /// A file under a temporary name on the remote.
    struct Uploaded: Sendable {
        var place: RelativePath
        var size: Int64
        /// Its modification time as the remote reports it, in nanoseconds since 1970.
        var modified: Int64
        /// When another change of it would become visible.
        var settled: ContinuousClock.Instant
    }

    case uploaded(Uploaded)
    /// A file on this computer, for a backend that cannot rename.
    case spooled(SpooledFile, modified: Int64)
}

/// Everything that is staged for a remote.
final class RcloneStaging: Sendable {
    private let contents = Mutex<[StageID: RcloneContents]>([:])

    /// The contents staged under an id; nil if there are none.
    subscript(id: StageID) -> RcloneContents? {
        get { contents.withLock { $0[id] } }
        set { contents.withLock { $0[id] = newValue } }
    }

    /// Removes and returns the contents staged under an id.
    func remove(_ id: StageID) -> RcloneContents? { contents.withLock { $0.removeValue(forKey: id) } }

    /// When further changes of all of these would become visible; nil if they already would.
    func settled(_ ids: [StageID]) -> ContinuousClock.Instant? {
        contents.withLock { contents in
            ids.compactMap { id in
                if case .uploaded(let uploaded) = contents[id] { uploaded.settled } else { nil }
            }.max()
        }
    }
}
