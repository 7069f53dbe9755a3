import NIOCore
import SyncCore
import SyncEngine

/// Publishes staged contents on a server, in one step that replaces nothing but the expected version.
struct ServerPublishing: Sendable {
    private let view: ServerView
    private let expectedItems: ExpectedItems
    private let conditions: RefusedConditions

    init(_ view: ServerView, _ area: ServerArea) {
        self.view = view
        expectedItems = ExpectedItems(view)
        conditions = RefusedConditions(view, area)
    }

    /// Moves an uploaded file to its place.
    func place(
        _ uploaded: StagedContents.Uploaded, at path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        let version = try await settled(uploaded, for: path)
        do throws(DAVFailure) {
            if let expected {
                try await replace(expected, at: path, by: uploaded.place, version)
            } else {
                try await move(uploaded.place, version, to: path, overwrites: false)
            }
        } catch {
            throw view.failure(error, at: path, whereNothingWas: expected == nil)
        }
        return try await placed(version, at: path)
    }

    /// Moves an uploaded file to the place of the expected version.
    private func replace(
        _ expected: Version, at path: RelativePath, by place: RelativePath, _ version: Version
    ) async throws(DAVFailure) {
        if !view.traits.locks, view.traits.honoursMatchOfTarget, let tag = view.versions.entityTag(of: expected) {
            let isMoved = try await conditions.attempt(.target, expected, at: path) { () throws(DAVFailure) in
                try await move(place, version, to: path, overwrites: true, replacing: tag)
                return true
            }
            if isMoved != nil { return }
        }
        try await expectedItems.hold(expected, at: path, kind: .file) { lock throws(DAVFailure) in
            try await self.move(place, version, to: path, overwrites: true, lock: lock)
        }
    }

    /// Writes a file held in memory to its place in one request.
    func write(
        _ held: StagedContents.Held, to path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            if let expected, !view.traits.honoursMatch { return try await replace(expected, at: path, by: held) }
            let condition = try expected.map { version throws(DAVFailure) in
                // This version has no usable tag, so a condition is not possible. The item has to be checked again
                // first.
                guard let tag = view.versions.entityTag(of: version) else { throw DAVFailure(.conditionFailed) }
                return Condition.version(tag)
            }
            let reply: DAVReply
            do throws(DAVFailure) {
                if let expected {
                    let replaced = try await conditions.attempt(.write, expected, at: path) { () throws(DAVFailure) in
                        try await send(held, to: path, if: condition ?? .absent)
                    }
                    guard let replaced else { return try await replace(expected, at: path, by: held) }
                    reply = replaced
                } else {
                    reply = try await send(held, to: path, if: .absent)
                }
            } catch {
                return try await arrived(held, at: path, after: error)
            }
            if let version = view.versions.written(reply, held, over: expected) { return version }
            guard let found = try await version(holding: held.bytes, at: path) else {
                throw DAVFailure(.conditionFailed)
            }
            return found
        } catch {
            throw view.failure(
                error, at: path, whereNothingWas: expected == nil, sent: held.size, of: held.size)
        }
    }

    private func send(
        _ held: StagedContents.Held, to path: RelativePath, if condition: Condition
    ) async throws(DAVFailure) -> DAVReply {
        try await view.client.write(
            path, length: held.size, parts: OneBuffer(held.bytes), if: condition,
            headers: view.versions.headers(held.modified, held.hash))
    }

    /// After a failure to write a file that leaves it open whether the request succeeded: fails with it unless the file has
    /// the contents.
    private func arrived(
        _ held: StagedContents.Held, at path: RelativePath, after error: DAVFailure
    ) async throws(DAVFailure) -> Version {
        guard error.isUndecided, let found = try await version(holding: held.bytes, at: path) else { throw error }
        return found
    }

    /// Writes a file held in memory to the place of the expected version.
    func overwrite(
        _ expected: Version, at path: RelativePath, by held: StagedContents.Held
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            return try await replace(expected, at: path, by: held)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// The same, after a check, and under a lock if the server supports that.
    private func replace(
        _ expected: Version, at path: RelativePath, by held: StagedContents.Held
    ) async throws(DAVFailure) -> Version {
        var written: Version?
        try await expectedItems.hold(expected, at: path, kind: .file) { lock throws(DAVFailure) in
            written = try await self.write(held, to: path, over: expected, lock: lock)
        }
        guard let written else { throw DAVFailure(.conditionFailed) }
        return written
    }

    private func write(
        _ held: StagedContents.Held, to path: RelativePath, over expected: Version, lock: String?
    ) async throws(DAVFailure) -> Version? {
        let reply: DAVReply
        do throws(DAVFailure) {
            reply =
                if let lock {
                    try await view.client.write(
                        path, held.bytes, lock: lock, headers: view.versions.headers(held.modified, held.hash))
                } else {
                    try await send(held, to: path, if: .none)
                }
        } catch {
            // The version before may have the same size.
            return try await arrived(held, at: path, after: error)
        }
        if let version = view.versions.written(reply, held, over: expected) { return version }
        guard lock != nil, view.traits.replacesUnderLock else {
            return try await version(holding: held.bytes, at: path)
        }
        // While the lock holds, no one else writes the file, so any write after this wait gets another tag.
        do { try await Task.sleep(for: view.versions.settlingOfStaged) } catch { throw DAVFailure(error) }
        guard var found = try await view.entry(path), found.kind == .file, found.version.size == held.size else {
            return nil
        }
        // A server that only says that it wrote the file leaves it as it was.
        if found.version.tag == expected.tag || reply.entityTag.map({ Token($0.opaque) != found.version.tag }) ?? false
        {
            guard let seen = try await version(holding: held.bytes, at: path) else { return nil }
            found.version = seen
        }
        found.version.isRacy = false
        return found.version
    }

    /// The version at a path if its contents are these bytes; nil otherwise.
    private func version(holding bytes: ByteBuffer, at path: RelativePath) async throws(DAVFailure) -> Version? {
        guard let found = try await view.entry(path), found.kind == .file, found.version.size == bytes.readableBytes
        else { return nil }
        let contents = try await view.client.open(path, expecting: EntityTag(found.version.tag.bytes))
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
        let keepsTag = view.traits.keepsTagInMoves
        try await view.move(
            from, to: path,
            isSame: { $0.version.size == version.size && (!keepsTag || $0.version.tag == version.tag) },
            { () throws(DAVFailure) in
                try await view.client.move(
                    from, to: path, isDirectory: false, if: .none, overwrites: overwrites, lock: lock,
                    replacing: replaced)
            })
    }
}
