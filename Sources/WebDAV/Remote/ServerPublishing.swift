import NIOCore
import SyncCore
import SyncEngine

/// Publishes staged contents on a server, in one step that replaces nothing but the expected version.
struct ServerPublishing: Sendable {
    private let view: ServerView
    private let expectedItems: ExpectedItems

    init(_ view: ServerView) {
        self.view = view
        expectedItems = ExpectedItems(view)
    }

    /// Moves an uploaded file to its place.
    func place(
        _ uploaded: StagedContents.Uploaded, at path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        let version = try await settled(uploaded, for: path)
        do throws(DAVFailure) {
            if let expected, !view.traits.locks, view.traits.honoursMatchOfTarget,
                let tag = view.versions.entityTag(of: expected)
            {
                try await move(uploaded.place, version, to: path, overwrites: true, replacing: tag)
            } else if let expected {
                try await expectedItems.hold(expected, at: path, kind: .file) { lock throws(DAVFailure) in
                    try await self.move(uploaded.place, version, to: path, overwrites: true, lock: lock)
                }
            } else {
                try await move(uploaded.place, version, to: path, overwrites: false)
            }
        } catch {
            throw view.failure(error, at: path, whereNothingWas: expected == nil)
        }
        return try await placed(version, at: path)
    }

    /// Writes a file held in memory to its place in one request.
    func write(
        _ held: StagedContents.Held, to path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            let condition = try expected.map { version throws(DAVFailure) in
                // This version has no usable tag, so a condition is not possible. The item has to be checked again
                // first.
                guard let tag = view.versions.entityTag(of: version) else { throw DAVFailure(.conditionFailed) }
                return Condition.version(tag)
            }
            let reply: DAVReply
            do throws(DAVFailure) {
                reply = try await view.client.write(
                    path, length: held.size, parts: OneBuffer(held.bytes), if: condition ?? .absent,
                    headers: view.versions.headers(held.modified, held.hash))
            } catch {
                // If the response was lost, the file shows whether the request succeeded.
                guard error.isUndecided, let found = try await version(holding: held.bytes, at: path) else {
                    throw error
                }
                return found
            }
            if let version = view.versions.written(reply, held, over: expected) { return version }
            guard let found = try await version(holding: held.bytes, at: path) else {
                throw DAVFailure(.conditionFailed)
            }
            return found
        } catch {
            throw view.failure(error, at: path, whereNothingWas: expected == nil)
        }
    }

    /// The version at a path if its contents are these bytes; nil otherwise.
    private func version(holding bytes: ByteBuffer, at path: RelativePath) async throws(DAVFailure) -> Version? {
        guard let found = try await view.entry(path), found.kind == .file, found.version.size == bytes.readableBytes,
            let tag = view.versions.entityTag(of: found.version)
        else { return nil }
        let contents = try await view.client.open(path, expecting: tag)
        var rest = bytes
        while let part = try await contents.next() {
            guard let same = rest.readSlice(length: part.readableBytes), same == part else { return nil }
        }
        return rest.readableBytes == 0 ? found.version : nil
    }

    /// The version of an uploaded file, after waiting until a further change would change its tag: other clients can
    /// change it as soon as it is published.
    private func settled(
        _ uploaded: StagedContents.Uploaded, for path: RelativePath
    ) async throws(EffectFailure) -> Version {
        if let version = uploaded.version, !version.isRacy { return version }
        try? await Task.sleep(until: uploaded.written + view.versions.settlingOfStaged, clock: .continuous)
        var version = try await view.version(of: uploaded, for: path)
        // No other client knows the temporary name, so nothing changed the file.
        if view.traits.weakTagsStay { version.isRacy = false }
        return version
    }

    /// The version of a file after it was moved to its place.
    private func placed(_ version: Version, at path: RelativePath) async throws(EffectFailure) -> Version {
        if view.traits.keepsTagInMoves { return version }
        guard let found = try await view.look(path), found.kind == .file, found.version.size == version.size else {
            throw view.changed(path)
        }
        return found.version
    }

    /// Moves a file from a temporary name that no other client knows. If the response was lost, this checks whether the
    /// move succeeded.
    private func move(
        _ from: RelativePath, _ version: Version, to path: RelativePath, overwrites: Bool, lock: String? = nil,
        replacing replaced: EntityTag? = nil
    ) async throws(DAVFailure) {
        if !overwrites && !view.traits.honoursOverwrite, try await view.entry(path) != nil {
            throw DAVFailure(.conditionFailed)
        }
        do throws(DAVFailure) {
            _ = try await view.client.move(
                from, to: path, isDirectory: false, if: .none, overwrites: overwrites, lock: lock, replacing: replaced)
        } catch {
            guard error.isUndecided, try await view.entry(from) == nil,
                let found = try await view.entry(path), found.version.size == version.size,
                !view.traits.keepsTagInMoves || found.version.tag == version.tag
            else { throw error }
        }
    }
}
