import SyncCore

/// Changes items only if they have the expected version, on a server that cannot check that in the request.
struct ExpectedItems: Sendable {
    private let view: ServerView
    /// How many seconds a lock lasts if it is not released.
    private static let lockSeconds = 120
    /// How long to wait before a lock is released again, when the request got no answer.
    private static let pauses: [Duration] = [.milliseconds(200), .seconds(1)]

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
            await release(lock, at: path)
            throw DAVFailure(.notFound)
        }
        do throws(DAVFailure) {
            try await view.require(expected, at: path, kind: kind)
            try await body(lock)
        } catch {
            await release(lock, at: path)
            throw error
        }
        // On most servers, replacing or removing an item ends its lock.
        await release(lock, at: path)
    }

    /// Releases a lock, also if this task is cancelled: until it expires, nobody can change the item, and its directory
    /// cannot be moved.
    private func release(_ lock: String, at path: RelativePath) async {
        for pause in Self.pauses {
            do throws(DAVFailure) {
                _ = try await view.client.unlock(path, lock)
                return
            } catch {
                if case .throttled(let seconds) = error.reason { return releaseLater(lock, at: path, after: seconds) }
                // Any other answer says that the lock is not there any more.
                guard error.isUndecided else { return }
            }
            if (try? await Task.sleep(for: pause)) == nil { break }
        }
        // Whoever cancelled this task does not wait for a server that is gone.
        let last = Task { [view] in _ = try? await view.client.unlock(path, lock, within: .seconds(1)) }
        await last.value
    }

    /// Releases a lock when the server may be asked again, if it has not expired by then.
    private func releaseLater(_ lock: String, at path: RelativePath, after seconds: Int64?) {
        let pause = max(1, seconds ?? 1)
        guard pause < Self.lockSeconds else { return }
        Task { [view] in
            guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
            _ = try? await view.client.unlock(path, lock)
        }
    }
}
