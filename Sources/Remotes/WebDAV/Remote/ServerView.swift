import Remotes
import SyncCore
import SyncEngine
import Synchronization

/// Reads items of a server, and converts its failures to those of a folder.
struct ServerView: Sendable {
    let client: DAVClient
    let versions: ServerVersions
    /// What the server can do.
    var traits: ServerTraits { versions.traits }
    /// The checksums that listings told.
    let digests = ToldDigests()
    private let trouble: ServerTrouble

    init(_ client: DAVClient, _ known: KnownTraits) {
        self.client = client
        versions = ServerVersions(known, user: AccountFiles(of: client.location)?.userName)
        trouble = ServerTrouble(client.location)
    }

    // MARK: Items

    /// The item at a path; nil if there is none.
    func look(_ path: RelativePath) async throws(EffectFailure) -> ListedEntry? {
        do throws(DAVFailure) {
            return try await entry(path)
        } catch {
            throw failure(error, at: path)
        }
    }

    /// The item at a path; nil if there is none. Fails with the server's own failure.
    func entry(_ path: RelativePath) async throws(DAVFailure) -> ListedEntry? {
        do throws(DAVFailure) {
            let found = try await item(path, isDirectory: path.isRoot, versions.properties)
            let (kind, version) = try versions.entry(found, now: client.serverTime, year: client.year)
            if kind == .file { digests.note(versions.digest(of: found), of: path, tag: version.tag) }
            return ListedEntry(
                name: path.name ?? .root, kind: kind, version: version, access: versions.access(found))
        } catch {
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
    }

    /// The properties of one item.
    func item(
        _ path: RelativePath, isDirectory: Bool, _ properties: Set<PropertyName>
    ) async throws(DAVFailure) -> MultistatusResponse {
        let found = Mutex<[MultistatusResponse]>([])
        do throws(DAVFailure) {
            try await client.properties(of: path, isDirectory: isDirectory, depth: .item, properties) { items in
                found.withLock { $0 += items.prefix(2) }
            }
        } catch {
            // Some servers redirect requests for a collection without a trailing slash to the same URL with one.
            guard error.reason == .movedElsewhere, !isDirectory else { throw error }
            return try await item(path, isDirectory: true, properties)
        }
        let items = found.withLock { $0 }
        guard items.count == 1, let item = items.first, client.location.path(ofReference: item.reference) == path
        else { throw DAVFailure(.malformed) }
        if let status = item.status { throw DAVFailure(status == 404 ? .notFound : .malformed, status: status) }
        return item
    }

    /// Fails with `conditionFailed` unless the item at a path has the expected version, and with `notFound` if there is
    /// no item.
    func require(_ expected: Version, at path: RelativePath, kind: EntryKind) async throws(DAVFailure) {
        guard let found = try await entry(path) else { throw DAVFailure(.notFound) }
        guard found.kind == kind, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
    }

    /// The version of an uploaded file that is to be published at a path.
    ///
    /// - Throws: `notFound` if it no longer exists, and `io` if the server has another number of bytes.
    func version(of uploaded: StagedContents.Uploaded, for path: RelativePath) async throws(EffectFailure) -> Version {
        guard let found = try await look(uploaded.place) else {
            throw EffectFailure(.notFound, Explanation(.contentsGone, .remote, "\(path)"))
        }
        guard found.kind == .file, found.version.size == uploaded.size else {
            throw EffectFailure(.io, Explanation(.wrongLength, .remote, "\(path)"))
        }
        return found.version
    }

    /// Sends a request that moves an item. If the response was lost, this checks whether the item was moved.
    ///
    /// - Parameter isSame: Whether what is at the target is that item.
    func move(
        _ path: RelativePath, to target: RelativePath, isSame: (ListedEntry) -> Bool = { _ in true },
        _ request: () async throws(DAVFailure) -> DAVReply
    ) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await request()
        } catch {
            guard error.isUndecided, try await entry(path) == nil, let found = try await entry(target), isSame(found)
            else { throw error }
        }
    }

    // MARK: Collections

    /// The items of a collection.
    func list(_ path: RelativePath) async throws(DAVFailure) -> ServerListing.Found {
        let listing = ServerListing(of: path, at: client.location, versions, digests)
        try await client.properties(of: path, isDirectory: true, depth: .entries, versions.properties) {
            [client] items in
            try await listing.add(items, now: client.serverTime, year: client.year)
        }
        return try await listing.result()
    }

    /// Whether a collection is certainly empty.
    func isEmpty(_ path: RelativePath) async throws(DAVFailure) -> Bool {
        let found = try await list(path)
        return found.entries.isEmpty && found.isComplete
    }

    // MARK: Failures

    /// The failure for an item that does not have the expected version.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, Explanation(.changed, .remote, "\(path)"))
    }

    /// Converts a failure of the server to one of an item.
    ///
    /// - Parameter isNew: Whether the request should have created an item where there was none.
    func failure(_ failure: DAVFailure, at path: RelativePath, whereNothingWas isNew: Bool = false) -> EffectFailure {
        trouble.failure(failure, at: path, whereNothingWas: isNew)
    }

    /// Converts a failure of the server to send contents. If a request was too large, the file is sent again at once in
    /// smaller chunks, on a server that takes chunks.
    ///
    /// - Parameters:
    ///   - sent: The bytes of the largest request.
    ///   - size: The size of the file in bytes.
    func failure(
        _ failure: DAVFailure, at path: RelativePath, whereNothingWas isNew: Bool = false, sent: Int64, of size: Int64
    ) -> EffectFailure {
        if failure.reason == .tooLarge, traits.takesChunks, versions.known.noteTooLarge(sent, of: size) {
            return EffectFailure(.changed, Explanation(ServerCode.tooLarge, .remote, "\(path)"))
        }
        return self.failure(failure, at: path, whereNothingWas: isNew)
    }

    /// The explanation of a failure that concerns the root.
    func explanation(_ failure: DAVFailure) -> Explanation { trouble.explanation(failure, at: .root) }
}
