import SyncCore

/// Items that are changed only if they are the expected version, on a server that is not told so in the request.
struct ExpectedItems: Sendable {
    private let view: ServerView
    /// Seconds that a lock lasts if nobody ends it.
    private static let lockSeconds = 120

    init(_ view: ServerView) { self.view = view }

    /// Does something with an item that is the expected version, and keeps others from changing it meanwhile where the
    /// server has locks.
    func hold(
        _ expected: Version, at path: RelativePath, kind: EntryKind,
        _ body: (_ lock: String?) async throws(DAVFailure) -> Void
    ) async throws(DAVFailure) {
        // To lock what is not there would make it.
        try await view.require(expected, at: path, kind: kind)
        guard view.traits.locks else { return try await body(nil) }
        let reply = try await view.client.lock(path, seconds: Self.lockSeconds)
        guard let lock = reply.lock else { throw DAVFailure(.malformed) }
        if reply.status == 201 {
            // It has just gone, and the lock made an empty file in its place (RFC 4918, section 7.3).
            _ = try? await view.client.remove(path, isDirectory: false, if: .none, lock: lock)
            _ = try? await view.client.unlock(path, lock)
            throw DAVFailure(.notFound)
        }
        do throws(DAVFailure) {
            try await view.require(expected, at: path, kind: kind)
            try await body(lock)
        } catch {
            _ = try? await view.client.unlock(path, lock)
            throw error
        }
        // What replaces or removes an item ends its lock, on most servers.
        _ = try? await view.client.unlock(path, lock)
    }
}
