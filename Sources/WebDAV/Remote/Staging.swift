import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// What was read of this computer and waits for its place on a server.
enum StagedContents: Sendable {
    /// A file under a name of our own.
    struct Uploaded: Sendable {
        var place: RelativePath
        /// Bytes.
        var size: Int64
        /// When the server confirmed the last of it, or later.
        var written = ContinuousClock.now
        /// What the server says of it; nil until it is looked at.
        var version: Version?
        /// What is noted of the upload, until it has its place; nil if nothing is.
        var claim: TransferClaim?
    }

    /// A small file in memory.
    struct Held: Sendable {
        var bytes: ByteBuffer
        /// As ``ContentSource/modified`` has it.
        var modified: Int64
        var hash: ContentHash

        var size: Int64 { Int64(bytes.readableBytes) }
    }

    case uploaded(Uploaded)
    case held(Held)
}

/// All that is staged for a server, and how much memory that takes.
final class Staging: Sendable {
    private struct State {
        var contents: [StageID: StagedContents] = [:]
        /// Bytes of what is held, and of what is being read to be held.
        var held: Int64 = 0
    }

    /// Bytes of a small file, at most: it can be held, as a request of its own that moves it later costs as much as many of
    /// them.
    static let largest: Int64 = 256 << 10
    /// Bytes of all that are held at a time; what is more is uploaded at once.
    private static let limit: Int64 = 16 << 20

    private let state = Mutex(State())

    /// Whether a file is to be held in memory, for which room is kept from now on.
    func reserve(_ size: Int64) -> Bool {
        state.withLock { state in
            guard size <= Self.largest, state.held + size <= Self.limit else { return false }
            state.held += size
            return true
        }
    }

    /// Gives back what was kept for a file of that size.
    func release(_ size: Int64) { state.withLock { $0.held -= size } }

    /// Something is staged; room is kept already for what is held.
    func add(_ contents: StagedContents, as id: StageID) { state.withLock { $0.contents[id] = contents } }

    /// What is staged under an id; nil if nothing is.
    subscript(id: StageID) -> StagedContents? { state.withLock { $0.contents[id] } }

    /// Nothing is staged under an id any more; returns what was.
    @discardableResult
    func remove(_ id: StageID) -> StagedContents? {
        state.withLock { state in
            let contents = state.contents.removeValue(forKey: id)
            if case .held(let held) = contents { state.held -= held.size }
            return contents
        }
    }

    /// The places of those that were not looked at yet.
    func unseen(of ids: [StageID]) -> [RelativePath] {
        state.withLock { state in
            ids.compactMap { id in
                guard case .uploaded(let uploaded) = state.contents[id], uploaded.version == nil else { return nil }
                return uploaded.place
            }
        }
    }

    /// These were looked at. What is not there as it was sent stays unseen.
    func see(_ found: [RelativePath: ListedEntry], of ids: [StageID]) {
        state.withLock { state in
            for id in ids {
                guard case .uploaded(var uploaded) = state.contents[id], uploaded.version == nil,
                    let entry = found[uploaded.place], entry.kind == .file, entry.version.size == uploaded.size
                else { continue }
                uploaded.version = entry.version
                state.contents[id] = .uploaded(uploaded)
            }
        }
    }

    /// When the last of these was written that could change without its tag; nil if all of them would show it.
    func lastRacy(of ids: [StageID]) -> ContinuousClock.Instant? {
        state.withLock { state in
            ids.compactMap { id in
                guard case .uploaded(let uploaded) = state.contents[id], uploaded.version?.isRacy == true else {
                    return nil
                }
                return uploaded.written
            }.max()
        }
    }

    /// A further change of these would show from now on.
    func settle(_ ids: [StageID]) {
        state.withLock { state in
            for id in ids {
                guard case .uploaded(var uploaded) = state.contents[id] else { continue }
                uploaded.version?.isRacy = false
                state.contents[id] = .uploaded(uploaded)
            }
        }
    }
}
