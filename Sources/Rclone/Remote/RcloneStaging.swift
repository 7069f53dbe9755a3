import SyncCore
import Synchronization

/// What was read of this computer and waits for its place on a remote.
enum RcloneContents: Sendable {
    /// A file under a name of our own on the remote.
    struct Uploaded: Sendable {
        var place: RelativePath
        var size: Int64
        /// When a further change of it would show.
        var settled: ContinuousClock.Instant
    }

    case uploaded(Uploaded)
    /// A file on this computer, for a backend that cannot give it another name.
    case spooled(SpooledFile, modified: Int64)
}

/// All that is staged for a remote.
final class RcloneStaging: Sendable {
    private let contents = Mutex<[StageID: RcloneContents]>([:])

    /// What is staged under an id; nil if nothing is.
    subscript(id: StageID) -> RcloneContents? {
        get { contents.withLock { $0[id] } }
        set { contents.withLock { $0[id] = newValue } }
    }

    /// Nothing is staged under an id any more; returns what was.
    func remove(_ id: StageID) -> RcloneContents? { contents.withLock { $0.removeValue(forKey: id) } }

    /// When further changes of all of these would show; nil if they would now.
    func settled(_ ids: [StageID]) -> ContinuousClock.Instant? {
        contents.withLock { contents in
            ids.compactMap { id in
                if case .uploaded(let uploaded) = contents[id] { uploaded.settled } else { nil }
            }.max()
        }
    }
}
