import SyncCore

/// Changes items only if they have the expected version, on a server that cannot check that in the request.
struct ExpectedItems: Sendable {
    private let view: ServerView
    /// How many seconds a lock lasts if it is not released.
    private static let lockSeconds = 120

    init(_ view: ServerView) { self.view = view }

    /// Runs `body` if the item has the expected version. If the server supports locks, other clients cannot change the
    /// item meanwhile.
    func hold(
        _ expected: Version, at path: RelativePath, kind: EntryKind,
        _ body: (_ lock: String?) async throws(DAVFailure) -> Void
    ) async throws(DAVFailure) {
        // Locking something that does not exist would create it.
        try await view.require(expected, at: path, kind: kind)
        guard view.traits.locks else { return try await body(nil) }
        let reply = try await view.client.lock(path, seconds: Self.lockSeconds)
        guard let lock = reply.lock else { throw DAVFailure(.malformed) }
        if reply.status == 201 {
            // The item was removed just before, and the lock created an empty file in its place (RFC 4918, section
            // 7.3).
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
        // On most servers, replacing or removing an item ends its lock.
        _ = try? await view.client.unlock(path, lock)
    }
}
