import NIOCore
import SyncCore
import SyncEngine

/// Stages contents of local files for a server: small ones wait in memory, others are uploaded under a temporary name.
final class ServerStaging: Sendable {
    private let view: ServerView
    private let area: ServerArea
    private var chunks: ChunkedUpload? {
        view.traits.takesChunks ? ChunkedUpload(view.client, largest: view.versions.known.largestBody) : nil
    }
    private let contents = Staging()
    private let transfers: TransferLedger?

    /// - Parameter transfers: The records of large transfers; nil if later runs should not resume any.
    init(_ view: ServerView, _ area: ServerArea, _ transfers: TransferLedger?) {
        self.view = view
        self.area = area
        self.transfers = transfers
    }

    /// The contents staged under an ID; nil if there are none.
    subscript(id: StageID) -> StagedContents? { contents[id] }

    /// Forgets staged contents that were published, and the record of their upload.
    ///
    /// - Parameter isMoved: Whether the uploaded file itself was moved to its place; otherwise it is removed.
    func isPlaced(_ id: StageID, isMoved: Bool) async {
        guard case .uploaded(let uploaded) = contents.remove(id) else { return }
        uploaded.claim?.forget()
        if !isMoved { await area.dispose(uploaded.place) }
    }

    /// Forgets the record of an upload that cannot be published, so that it is not kept for a later attempt.
    func doNotKeep(_ id: StageID) {
        guard case .uploaded(let uploaded) = contents[id] else { return }
        uploaded.claim?.forget()
    }

    /// Implements ``Endpoint/stage(_:from:near:progress:)``.
    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        let traits = view.traits
        let isInReach = view.versions.known.largestBody.map { source.size <= $0 } ?? true
        if traits.publishesInOneStep || traits.replacesUnderLock, isInReach, contents.reserve(source.size) {
            do throws(EffectFailure) {
                let held = try await hold(source, progress)
                contents.add(try await staged(held, traits, near: path), as: id)
                return (held.hash, held.size)
            } catch {
                contents.release(source.size)
                throw error
            }
        }
        let (uploaded, hash) = try await upload(source, near: path, progress)
        contents.add(.uploaded(uploaded), as: id)
        return (hash, uploaded.size)
    }

    /// A small file in memory as it is staged: a server on which new files are published by a move gets it already.
    private func staged(
        _ held: StagedContents.Held, _ traits: ServerTraits, near path: RelativePath
    ) async throws(EffectFailure) -> StagedContents {
        if traits.publishesInOneStep { return .held(held) }
        let place = area.newPlace()
        do throws(DAVFailure) {
            try await area.make()
            do throws(DAVFailure) {
                _ = try await view.client.write(
                    place, length: held.size, parts: OneBuffer(held.bytes), if: .none,
                    headers: view.versions.headers(held.modified, held.hash))
            } catch {
                try await requireArrival(at: place, size: held.size, after: error)
            }
        } catch {
            area.mayBeGone()
            await area.dispose(place, mayAppear: error.isUndecided)
            throw view.failure(error, at: path, sent: held.size, of: held.size)
        }
        return .uploaded(StagedContents.Uploaded(place: place, size: held.size, held: held))
    }

    /// After a failure that leaves it open whether the server has the whole file: fails with it unless it has.
    private func requireArrival(
        at place: RelativePath, size: Int64, after error: DAVFailure
    ) async throws(DAVFailure) {
        let found = error.isUndecided ? try? await view.entry(place) : nil
        guard let found, found.kind == .file, found.version.size == size else { throw error }
    }

    /// Reads a small file into memory, where it stays until it is published.
    private func hold(
        _ source: any ContentSource, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> StagedContents.Held {
        let expected = source.size
        var bytes = ByteBuffer()
        bytes.reserveCapacity(Int(expected))
        func check() throws(EffectFailure) {
            // The file grew while it was read, or the transfer was abandoned.
            if bytes.readableBytes > expected || !progress(Int64(bytes.readableBytes)) {
                throw EffectFailure(.changed, Explanation(.abandoned))
            }
        }
        let (hash, size, _) = try await ContentTransfer.run(source) { length throws(EffectFailure) in
            bytes.writeRepeatingByte(0, count: length)
            try check()
        } write: { part throws(EffectFailure) in
            bytes.writeBytes(part)
            try check()
        }
        guard size == expected else { throw EffectFailure(.changed, Explanation(.abandoned)) }
        return StagedContents.Held(bytes: bytes, modified: source.modified, hash: hash)
    }

    /// Uploads a file under a temporary name.
    private func upload(
        _ source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (StagedContents.Uploaded, ContentHash) {
        let large: LargeUpload?
        do throws(DAVFailure) {
            try await area.make()
            large = try await largeUpload(source)
        } catch {
            throw view.failure(error, at: path)
        }
        let place = large?.place ?? area.newPlace()
        // A single request has to send the hash in its headers. For chunks, it is sent with the last request.
        let told = large == nil && view.traits.keepsDigests ? try await source.hash() : nil
        let headers = view.versions.headers(source.modified, told)
        let parts = UploadParts()
        let (size, modified) = (source.size, source.modified)
        async let request = upload(parts, size, headers, to: place, large)
        let read: Result<(hash: ContentHash, size: Int64, version: Version), EffectFailure>
        do throws(EffectFailure) {
            read = .success(try await give(source, to: parts, progress))
            parts.end()
        } catch {
            read = .failure(error)
            parts.end(error)
        }
        var written = await request
        if large == nil, case .failure(let error) = written, case .success = read {
            do throws(DAVFailure) {
                written = .success(try await requireArrival(at: place, size: size, after: error))
            } catch {
                written = .failure(error)
            }
        }
        do throws(EffectFailure) {
            // The server's own failure says more than the failure to send it more bytes.
            if case .failure(let error) = written, case .failure(let other) = read, other.reason == .io {
                throw failure(error, at: path, size, large)
            }
            let (hash, sent, _) = try read.get()
            if case .failure(let error) = written { throw failure(error, at: path, size, large) }
            if let told, told != hash { throw EffectFailure(.changed, Explanation(.abandoned)) }
            try await finish(large, size, view.versions.headers(modified, hash), for: path)
            var uploaded = StagedContents.Uploaded(place: place, size: sent, claim: large?.claim)
            // The versions of small files are requested together later.
            if sent > Staging.largest { uploaded.version = try await view.version(of: uploaded, for: path) }
            return (uploaded, hash)
        } catch {
            area.mayBeGone()
            if large?.claim != nil && error.leavesPartial { throw error }
            // A server discards a part of a file; it may still write one of which it got all bytes.
            let mayAppear: Bool
            if case .success = read, case .failure(let failure) = written {
                mayAppear = failure.isUndecided
            } else {
                mayAppear = false
            }
            // Removes the upload even if this task is cancelled, but without waiting then: a part of a large file uses
            // space until it is removed.
            let removal = Task { [area] in
                if let large { return await large.remove(area) }
                await area.dispose(place, mayAppear: mayAppear)
            }
            if !Task.isCancelled { await removal.value }
            throw error
        }
    }

    /// The failure of an upload.
    private func failure(
        _ error: DAVFailure, at path: RelativePath, _ size: Int64, _ large: LargeUpload?
    ) -> EffectFailure {
        view.failure(error, at: path, sent: large?.chunkLength(of: size) ?? size, of: size)
    }

    /// The upload of a file that is sent in chunks; nil for other files.
    private func largeUpload(_ source: any ContentSource) async throws(DAVFailure) -> LargeUpload? {
        let least = min(Int64(ChunkedUpload.least), view.versions.known.largestBody ?? .max)
        guard let chunks, source.size > least else { return nil }
        if let origin = source.origin, let claim = transfers?.claim(origin),
            let noted = try await LargeUpload(origin, claim, chunks, in: area)
        {
            return noted
        }
        return LargeUpload(chunks, in: area)
    }

    /// Makes the server join the chunks to one file, now that the hash of the whole file is known.
    private func finish(
        _ large: LargeUpload?, _ size: Int64, _ headers: [(String, String)], for path: RelativePath
    ) async throws(EffectFailure) {
        do throws(DAVFailure) {
            try await large?.finish(size: size, headers: headers)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    private func upload(
        _ parts: UploadParts, _ size: Int64, _ headers: [(String, String)], to place: RelativePath,
        _ large: LargeUpload?
    ) async -> Result<Void, DAVFailure> {
        do throws(DAVFailure) {
            if let large {
                try await large.send(parts, size: size)
            } else {
                _ = try await view.client.write(
                    place, length: size, parts: parts, if: .none, headers: headers)
            }
            parts.end()
            return .success(())
        } catch {
            parts.end(error)
            return .failure(error)
        }
    }

    private func give(
        _ source: any ContentSource, to parts: UploadParts, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        var passed: Int64 = 0
        func pass(_ bytes: ByteBuffer) async throws(EffectFailure) {
            var rest = bytes
            // With a bandwidth limit, a part is sent in pieces, with progress reported after each one.
            while let piece = rest.readSlice(length: min(rest.readableBytes, view.client.pace.piece(.up))),
                piece.readableBytes > 0
            {
                passed += Int64(piece.readableBytes)
                do {
                    try await parts.send(piece)
                } catch {
                    throw EffectFailure(.io, Explanation(.abandoned))
                }
                if !progress(passed) { throw EffectFailure(.changed, Explanation(.abandoned)) }
            }
        }
        return try await ContentTransfer.run(source) { length async throws(EffectFailure) in
            try await pass(ByteBuffer(repeating: 0, count: length))
        } write: { bytes async throws(EffectFailure) in
            try await pass(ByteBuffer(bytes: bytes))
        }
    }

    /// Whether confirmed contents survive a power failure is up to the server. If its tags are coarse, this waits, once
    /// for all staged files, until a further change would change their tags. The files do not change meanwhile, because
    /// no other client knows their names.
    func syncContents(_ ids: [StageID]) async throws(EffectFailure) {
        await look(at: ids)
        guard let last = contents.lastRacy(of: ids) else { return }
        do {
            try await Task.sleep(until: last + view.versions.settlingOfStaged, clock: .continuous)
        } catch {
            throw view.failure(DAVFailure(.cancelled), at: .root)
        }
        contents.settle(ids)
    }

    /// Requests the versions that are not known yet, in one request if there are several. A version not found here is
    /// requested again just before the file is published, and any failure is reported then.
    private func look(at ids: [StageID]) async {
        let places = contents.unseen(of: ids)
        if places.count > 1 {
            contents.see((try? await area.staged()) ?? [:], of: ids)
        } else if let place = places.first, let entry = try? await view.entry(place) {
            contents.see([place: entry], of: ids)
        }
    }

    /// Forgets staged contents and removes uploaded ones, unless they are recorded for a later attempt.
    func discard(_ ids: [StageID]) async {
        for id in ids {
            guard case .uploaded(let uploaded) = contents.remove(id), uploaded.claim?.record == nil else { continue }
            await area.dispose(uploaded.place)
        }
    }

    /// Removes everything that a transfer left; false if something may remain on the server.
    func removePartial(_ record: TransferRecord) async -> Bool { (try? await area.remove(record, chunks)) != nil }
}
