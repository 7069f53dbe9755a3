import SyncCore
import SyncEngine
import Synchronization

/// The checksums that listings tell of files, as far as they are not a part of the version. Each is kept until the file was
/// read and found right, or for as long as there is room.
final class ToldDigests: Sendable {
    private struct Told {
        var digest: ContentDigest
        var tag: Token
    }

    /// Of two generations, the older one goes when the newer one is full.
    private struct State {
        var recent: [RelativePath: Told] = [:]
        var former: [RelativePath: Told] = [:]
        var hasForgotten = false
    }

    /// The most of a generation.
    private let most: Int
    private let state = Mutex(State())

    /// - Parameter most: The most that are kept.
    init(most: Int = 10_000) { self.most = most / 2 }

    /// Keeps what a listing tells of a file; nil if it tells nothing.
    func note(_ digest: ContentDigest?, of path: RelativePath, tag: Token) {
        state.withLock { state in
            if !state.former.isEmpty { state.former[path] = nil }
            guard let digest else {
                if !state.recent.isEmpty { state.recent[path] = nil }
                return
            }
            if state.recent.count >= most, state.recent[path] == nil {
                if !state.former.isEmpty { state.hasForgotten = true }
                (state.former, state.recent) = (state.recent, [:])
            }
            state.recent[path] = Told(digest: digest, tag: tag)
        }
    }

    /// The checksum of a version; nil if none is known.
    func digest(of path: RelativePath, tag: Token) -> ContentDigest? {
        state.withLock { state in
            guard let found = state.recent[path] ?? state.former[path], found.tag == tag else { return nil }
            return found.digest
        }
    }

    /// The file was read, and is right.
    func forget(_ path: RelativePath) {
        state.withLock { ($0.recent[path], $0.former[path]) = (nil, nil) }
    }

    /// Whether some checksums were not kept, so that files of which none is known are looked at again before they are read.
    var hasForgotten: Bool { state.withLock { $0.hasForgotten } }
}
