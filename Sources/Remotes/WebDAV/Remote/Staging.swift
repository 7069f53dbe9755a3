import NIOCore
import SyncCore
import SyncEngine
import Synchronization

/// The contents of a local file that wait to be published on a server.
enum StagedContents: Sendable {
    /// A file uploaded under a temporary name.
    struct Uploaded: Sendable {
        var place: RelativePath
        /// Bytes.
        var size: Int64
        /// When the server confirmed the last write, or later.
        var written = ContinuousClock.now
        /// The version that the server reports; nil until it was requested.
        var version: Version?
        /// The claim on the record of this upload, kept until it is published; nil if the upload is not recorded.
        var claim: TransferClaim?
        /// The contents, for a server on which a small file is replaced by a write; nil otherwise.
        var held: Held?
    }

    /// A small file in memory.
    struct Held: Sendable {
        var bytes: ByteBuffer
        /// Nanoseconds since 1970, like ``ContentSource/modified``.
        var modified: Int64
        var hash: ContentHash

        var size: Int64 { Int64(bytes.readableBytes) }
    }

    case uploaded(Uploaded)
    case held(Held)
}

/// Everything staged for a server, and the memory it uses.
final class Staging: Sendable {
    private struct State {
        var contents: [StageID: StagedContents] = [:]
        /// Bytes of the files held in memory, including those still being read.
        var held: Int64 = 0
    }

    /// The maximum size of a small file in bytes. Small files can be held in memory, because an extra request to move
    /// an uploaded one would cost as much as sending many of these bytes.
    static let largest: Int64 = 256 << 10
    /// The maximum bytes held at a time; further files are uploaded immediately.
    private static let limit: Int64 = 16 << 20

    private let state = Mutex(State())

    /// Reserves memory for a file of this size; false if it should be uploaded instead.
    func reserve(_ size: Int64) -> Bool {
        state.withLock { state in
            guard size <= Self.largest, state.held + size <= Self.limit else { return false }
            state.held += size
            return true
        }
    }

    /// Releases the memory reserved for a file of this size.
    func release(_ size: Int64) { state.withLock { $0.held -= size } }

    /// Adds staged contents. Memory for held ones must already be reserved.
    func add(_ contents: StagedContents, as id: StageID) { state.withLock { $0.contents[id] = contents } }

    /// The contents staged under an ID; nil if there are none.
    subscript(id: StageID) -> StagedContents? { state.withLock { $0.contents[id] } }

    /// Removes and returns the contents staged under an ID, and releases their memory.
    @discardableResult
    func remove(_ id: StageID) -> StagedContents? {
        state.withLock { state in
            let contents = state.contents.removeValue(forKey: id)
            switch contents {
            case .held(let held): state.held -= held.size
            case .uploaded(let uploaded): state.held -= uploaded.held?.size ?? 0
            case nil: break
            }
            return contents
        }
    }

    /// The places of the uploaded files whose version is not known yet.
    func unseen(of ids: [StageID]) -> [RelativePath] {
        state.withLock { state in
            ids.compactMap { id in
                guard case .uploaded(let uploaded) = state.contents[id], uploaded.version == nil else { return nil }
                return uploaded.place
            }
        }
    }

    /// Sets the versions of uploaded files that were found with the size that was sent; others stay without one.
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

    /// When the last of these files was written whose version is racy, so that a change might not change its tag; nil
    /// if none is racy.
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

    /// Marks the versions of these as no longer racy: from now on, every change would change the tag.
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
