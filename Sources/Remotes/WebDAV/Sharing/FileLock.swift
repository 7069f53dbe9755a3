package import SyncCore

/// Locks that people set on files, on a Nextcloud with the app for it (files_lock).
package enum FileLock {
    /// Why a file is locked or unlocked no more than before.
    package enum Failure: Error, Hashable, Sendable {
        case request(DAVFailure)
        /// Somebody else has it locked, or the server does not let it be done.
        case refused
    }

    /// Locks a file for the logged-in user, or ends their lock.
    ///
    /// - Parameter client: A client of the collection that contains it.
    package static func set(
        _ isLocked: Bool, _ item: RelativePath, _ client: DAVClient
    ) async throws(Failure) {
        do throws(DAVFailure) {
            guard let number = try await ItemPage.number(of: item, client).flatMap({ EntryName($0) }) else {
                throw DAVFailure(.notFound)
            }
            let place = RelativePath(ServerPages.base(of: client.location) + ServerPages.locks + [number])
            let server = client.at([])
            if isLocked {
                _ = try await server.put(json: place, [("format", "json")])
            } else {
                _ = try await server.remove(json: place, [("format", "json")])
            }
        } catch {
            // The app answers 500 where a file is locked by somebody else, and where it is not locked.
            if error.reason == .locked || error.status == 500 || error.status == 423 { throw .refused }
            throw .request(error)
        }
    }
}
