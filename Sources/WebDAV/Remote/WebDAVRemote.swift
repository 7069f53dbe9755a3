internal import NIOCore
package import SyncCore
package import SyncEngine
internal import Synchronization

/// A collection on a WebDAV server as the remote of a folder.
///
/// No path ever shows a part of a file. A server that honours conditions, writes at once and answers with tags is given a
/// small file in one request. Other contents are uploaded under a name of our own, looked at there, and moved to their place
/// in one step. What is replaced, moved or removed is named in the request where the server honours that, and else looked at
/// before, under a lock where the server has locks.
package final class WebDAVRemote: NetworkRemote {
    private struct State {
        var hasArea = false
        /// Whether what earlier runs left was removed, or is being.
        var hasTidied = false
        /// The mark that the root was found to carry, with the lasting id that the root had then.
        var mark: (text: String, of: Token)?
    }

    private let client: DAVClient
    private let traits: ServerTraits
    private let versions: ServerVersions
    private let area: ServerArea
    private let chunks: ChunkedUpload?
    private let trouble: ServerTrouble
    private let staging = Staging()
    private let state = Mutex(State())

    /// What has a meaning in an address.
    private static let special = Set("%?#;".utf8)
    /// Seconds that a lock lasts if nobody ends it.
    private static let lockSeconds = 120

    /// A remote that nothing is asked of yet.
    ///
    /// - Parameters:
    ///   - traits: What the server can do, as probed when the folder was added.
    ///   - owner: The folder; what others stage is left alone.
    package init(_ client: DAVClient, traits: ServerTraits, owner: EntryName) {
        self.client = client
        self.traits = traits
        versions = ServerVersions(traits: traits)
        area = ServerArea(owner: owner)
        chunks = traits.takesChunks ? ChunkedUpload(client) : nil
        trouble = ServerTrouble(client.location)
    }

    // MARK: The root

    package func root() async -> RootState {
        do throws(DAVFailure) {
            let found = try await item(.root, isDirectory: true, ServerVersions.properties.union([.dataFingerprint]))
            guard found.isCollection == true else { return .missing(trouble.explanation(.init(.notFound), at: .root)) }
            let fingerprint = found.properties[.dataFingerprint].map { Array($0.text.withoutBlanks()) } ?? []
            let (_, own) = try versions.entry(found, now: client.serverTime, year: client.year)
            return .present(
                identity: rootIdentity(mark: try await mark(of: own.identity)), generation: Token(fingerprint),
                tag: versions.directoryTag(of: found))
        } catch {
            let explanation = trouble.explanation(error, at: .root)
            return error.reason == .notFound ? .missing(explanation) : .unreachable(explanation)
        }
    }

    package func mark(knownAs known: Token) async throws(EffectFailure) -> Token {
        do throws(DAVFailure) {
            let found = try await mark()
            guard RootIdentity.compare(known: known, found: rootIdentity(mark: found)) == .same else {
                throw DAVFailure(.notFound)
            }
            if let found { return rootIdentity(mark: found) }
            try await makeArea()
            let mark = RootIdentity(known)?.mark ?? RandomName.identifier()
            let place = area.newPlace()
            let text = OneBuffer(mark)
            _ = try await client.write(place, length: Int64(mark.utf8.count), parts: text, if: .none)
            do throws(DAVFailure) {
                _ = try await client.move(
                    place, to: ServerArea.mark, isDirectory: false, if: .none, overwrites: false)
            } catch {
                _ = try? await client.remove(place, isDirectory: false, if: .none)
                // Another installation has just given it one.
                guard error.reason == .conditionFailed else { throw error }
            }
            return rootIdentity(mark: try await self.mark())
        } catch {
            throw failure(error, at: .root)
        }
    }

    /// The mark that the root carries, which is read once where a lasting id tells that the root is the same.
    private func mark(of root: Token) async throws(DAVFailure) -> String? {
        if let known = state.withLock({ $0.mark }), known.of == root { return known.text }
        let found = try await mark()
        if let found, !root.isEmpty { state.withLock { $0.mark = (found, root) } }
        return found
    }

    /// The mark that the root carries; nil if it carries none.
    private func mark() async throws(DAVFailure) -> String? {
        do throws(DAVFailure) {
            let contents = try await client.open(ServerArea.mark, expecting: nil, isPaced: false)
            var text: [UInt8] = []
            while text.count <= ServerArea.markLength, let part = try await contents.next() {
                text += Array(buffer: part).prefix(ServerArea.markLength + 1)
            }
            let mark = String(decoding: text, as: UTF8.self)
            return text.count == ServerArea.markLength && mark.allSatisfy(\.isHexDigit) ? mark : nil
        } catch {
            // A server may say of what is below a collection that is not there that it is in conflict.
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
    }

    // MARK: Looking

    package func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage {
        let listing = ServerListing(of: path, at: client.location, versions)
        do throws(DAVFailure) {
            try await client.properties(of: path, isDirectory: true, depth: .entries, ServerVersions.properties) {
                [client] items in
                try await listing.add(items, now: client.serverTime, year: client.year)
            }
            let found = try await listing.result()
            if !part.identity.isEmpty, !found.own.identity.isEmpty, found.own.identity != part.identity, !path.isRoot {
                throw DAVFailure(.conditionFailed)
            }
            let entries = part.after.map { last in found.entries.filter { last < $0.name } } ?? found.entries
            return ListingPage(entries: entries, isComplete: found.isComplete, tag: found.tag)
        } catch {
            throw failure(error, at: path)
        }
    }

    package func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry? {
        if !directory.isEmpty, try await look(path.parent)?.version.identity != directory { throw changed(path.parent) }
        return path.names.first == ServerArea.name ? nil : try await look(path)
    }

    /// What stands at a path; nil if nothing does.
    func look(_ path: RelativePath) async throws(EffectFailure) -> ListedEntry? {
        do throws(DAVFailure) {
            return try await entry(path)
        } catch {
            throw failure(error, at: path)
        }
    }

    private func entry(_ path: RelativePath) async throws(DAVFailure) -> ListedEntry? {
        do throws(DAVFailure) {
            let found = try await item(path, isDirectory: path.isRoot, ServerVersions.properties)
            let (kind, version) = try versions.entry(found, now: client.serverTime, year: client.year)
            return ListedEntry(name: path.name ?? .root, kind: kind, version: version)
        } catch {
            guard error.reason == .notFound || error.reason == .conflict else { throw error }
            return nil
        }
    }

    /// What the server says of one item.
    private func item(
        _ path: RelativePath, isDirectory: Bool, _ properties: Set<PropertyName>
    ) async throws(DAVFailure) -> MultistatusResponse {
        let found = Mutex<[MultistatusResponse]>([])
        do throws(DAVFailure) {
            try await client.properties(of: path, isDirectory: isDirectory, depth: .item, properties) { items in
                found.withLock { $0 += items.prefix(2) }
            }
        } catch {
            // Some servers send whoever names a collection without a slash to the same with one.
            guard error.reason == .movedElsewhere, !isDirectory else { throw error }
            return try await item(path, isDirectory: true, properties)
        }
        let items = found.withLock { $0 }
        guard items.count == 1, let item = items.first, client.location.path(ofReference: item.reference) == path
        else { throw DAVFailure(.malformed) }
        if let status = item.status { throw DAVFailure(status == 404 ? .notFound : .malformed, status: status) }
        return item
    }

    package func open(
        _ path: RelativePath, expecting expected: Version
    ) async throws(EffectFailure) -> any ContentSource {
        do throws(DAVFailure) {
            let contents = try await client.open(path, expecting: versions.entityTag(of: expected))
            if let length = contents.reply.length, length != expected.size { throw DAVFailure(.conditionFailed) }
            // Where the answer names no version, another one may have taken its place since.
            let isNamed = versions.entityTag(of: expected) != nil && contents.reply.entityTag != nil
            return ServerSource(
                contents, at: path, expected, of: self, answers: isNamed && traits.writesAtOnce)
        } catch {
            throw failure(error, at: path)
        }
    }

    // MARK: Staging

    package func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        if traits.publishesInOneStep, staging.reserve(source.size) { return try await hold(id, source, progress) }
        let (uploaded, hash) = try await upload(source, near: path, progress)
        staging.add(.uploaded(uploaded), as: id)
        return (hash, uploaded.version.size)
    }

    /// Reads a small file into memory, where it waits for its place.
    private func hold(
        _ id: StageID, _ source: any ContentSource, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        let expected = source.size
        var bytes = ByteBuffer()
        bytes.reserveCapacity(Int(expected))
        do throws(EffectFailure) {
            func check() throws(EffectFailure) {
                // It grows while it is read, or nobody wants it any more.
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
            staging.add(.held(StagedContents.Held(bytes: bytes, modified: source.modified)), as: id)
            return (hash, size)
        } catch {
            staging.release(expected)
            throw error
        }
    }

    /// Uploads a file under a name of our own.
    private func upload(
        _ source: any ContentSource, near path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (StagedContents.Uploaded, ContentHash) {
        let place = area.newPlace()
        do throws(DAVFailure) { try await makeArea() } catch { throw failure(error, at: path) }
        let parts = UploadParts()
        let (size, modified) = (source.size, source.modified)
        async let request = upload(parts, size, modified, to: place)
        let read: Result<(hash: ContentHash, size: Int64, version: Version), EffectFailure>
        do throws(EffectFailure) {
            read = .success(try await give(source, to: parts, progress))
            parts.end()
        } catch {
            read = .failure(error)
            parts.end(error)
        }
        let written = await request
        do throws(EffectFailure) {
            // What the server said counts more than that it took no more.
            if case .failure(let error) = written, case .failure(let other) = read, other.reason == .io {
                throw failure(error, at: path)
            }
            let (hash, sent, _) = try read.get()
            if case .failure(let error) = written { throw failure(error, at: path) }
            guard let found = try await look(place), found.kind == .file, found.version.size == sent else {
                throw EffectFailure(.io, Explanation(.wrongLength, .remote, "\(path)"))
            }
            return (StagedContents.Uploaded(place: place, version: found.version), hash)
        } catch {
            // Somebody who tidies up may have taken our collections away: they are made anew for the next attempt.
            state.withLock { $0.hasArea = false }
            // Also when it is given up, for which nobody waits: a part of a large file takes its space until then.
            let removal = Task { [client] in _ = try? await client.remove(place, isDirectory: false, if: .none) }
            if !Task.isCancelled { await removal.value }
            throw error
        }
    }

    private func upload(
        _ parts: UploadParts, _ size: Int64, _ modified: Int64, to place: RelativePath
    ) async -> Result<Void, DAVFailure> {
        do throws(DAVFailure) {
            if let chunks, size > ChunkedUpload.least {
                try await chunks.send(parts, size: size, to: place, headers: headers(modified))
            } else {
                _ = try await client.write(
                    place, length: size, parts: parts, if: .none, headers: headers(modified))
            }
            parts.end()
            return .success(())
        } catch {
            parts.end(error)
            return .failure(error)
        }
    }

    /// What a server is told of a file besides its contents.
    ///
    /// - Parameter modified: Nanoseconds since 1970. Known servers refuse times of the first day, which nobody's files have.
    private func headers(_ modified: Int64) -> [(String, String)] {
        let seconds = modified / 1_000_000_000
        return traits.keepsModified && seconds > 86_400 ? [("X-OC-Mtime", "\(seconds)")] : []
    }

    private func give(
        _ source: any ContentSource, to parts: UploadParts, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64, version: Version) {
        var passed: Int64 = 0
        func pass(_ bytes: ByteBuffer) async throws(EffectFailure) {
            var rest = bytes
            // Under a limit what is done is told piece by piece, and a part takes as many turns.
            while let piece = rest.readSlice(length: min(rest.readableBytes, client.pace.piece(.up))),
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

    /// Whether what it confirmed outlives its power is the server's affair. Where its tags are coarse, this waits, for all
    /// that was staged at once, until a further change would show in them: a place that nobody else knows keeps what was
    /// put there.
    package func syncContents(_ ids: [StageID]) async throws(EffectFailure) {
        guard let last = staging.lastRacy(of: ids) else { return }
        do {
            try await Task.sleep(until: last + ServerVersions.settling, clock: .continuous)
        } catch {
            throw failure(DAVFailure(.cancelled), at: .root)
        }
        staging.settle(ids)
    }

    package func discard(_ ids: [StageID]) async {
        for id in ids {
            guard case .uploaded(let uploaded) = staging.remove(id) else { continue }
            _ = try? await client.remove(uploaded.place, isDirectory: false, if: .none)
        }
    }

    /// Makes our own collections, and removes what earlier runs left in them.
    private func makeArea() async throws(DAVFailure) {
        if state.withLock({ $0.hasArea }) { return }
        for collection in area.collections { try await makeCollection(collection) }
        let hasTidied = state.withLock { state in
            defer { state.hasTidied = true }
            return state.hasTidied
        }
        if !hasTidied {
            // They are in nobody's way; a later run finds them as well.
            try? await removeLeftovers()
            try? await InterruptedProbes.remove(from: client)
        }
        state.withLock { $0.hasArea = true }
    }

    private func makeCollection(_ path: RelativePath) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await client.makeDirectory(path)
        } catch {
            // It is there already, or somebody else makes it in this moment, of which servers say anything.
            guard try await entry(path)?.kind == .directory else { throw error }
        }
    }

    private func removeLeftovers() async throws(DAVFailure) {
        let listing = ServerListing(of: area.staging, at: client.location, versions)
        try await client.properties(
            of: area.staging, isDirectory: true, depth: .entries, ServerVersions.properties
        ) { [client] items in
            try await listing.add(items, now: client.serverTime, year: client.year)
        }
        for entry in try await listing.result().entries where !entry.name.description.hasPrefix(area.session) {
            let path = area.staging.appending(entry.name)
            // A directory that was to be removed may have got something since; that is somebody's.
            if entry.kind == .directory, try await !isEmpty(path) { continue }
            _ = try? await client.remove(path, isDirectory: entry.kind == .directory, if: .none)
        }
    }

    // MARK: Placing

    package func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed {
        try requireShown(path)
        let version: Version
        switch staging[id] {
        case nil: throw EffectFailure(.notFound, Explanation(.contentsGone, .remote, "\(path)"))
        case .uploaded(let uploaded): version = try await place(uploaded, at: path, replacing: expected)
        case .held(let held): version = try await write(held, to: path, replacing: expected)
        }
        staging.remove(id)
        return Placed(version)
    }

    /// Moves what was uploaded to its place.
    private func place(
        _ uploaded: StagedContents.Uploaded, at path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        let version = try await settled(uploaded, for: path)
        do throws(DAVFailure) {
            if let expected, !traits.locks, traits.honoursMatchOfTarget, let tag = versions.entityTag(of: expected) {
                try await move(uploaded.place, version, to: path, overwrites: true, replacing: tag)
            } else if let expected {
                try await withExpected(expected, at: path, kind: .file) { lock throws(DAVFailure) in
                    try await self.move(uploaded.place, version, to: path, overwrites: true, lock: lock)
                }
            } else {
                try await move(uploaded.place, version, to: path, overwrites: false)
            }
        } catch {
            throw failure(error, at: path, whereNothingWas: expected == nil)
        }
        return try await placed(version, at: path)
    }

    /// Writes what is held to its place in one request.
    private func write(
        _ held: StagedContents.Held, to path: RelativePath, replacing expected: Version?
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            let condition = try expected.map { version throws(DAVFailure) in
                // The server said of this one alone that it is none to rely on: it is looked at again first.
                guard let tag = versions.entityTag(of: version) else { throw DAVFailure(.conditionFailed) }
                return Condition.version(tag)
            }
            let reply: DAVReply
            do throws(DAVFailure) {
                reply = try await client.write(
                    path, length: held.size, parts: OneBuffer(held.bytes), if: condition ?? .absent,
                    headers: headers(held.modified))
            } catch {
                // An answer that was lost is looked up.
                guard error.isUndecided, let found = try await version(holding: held.bytes, at: path) else {
                    throw error
                }
                return found
            }
            if let version = versions.written(reply, held, over: expected) { return version }
            guard let found = try await version(holding: held.bytes, at: path) else {
                throw DAVFailure(.conditionFailed)
            }
            return found
        } catch {
            throw failure(error, at: path, whereNothingWas: expected == nil)
        }
    }

    /// The version that stands at a path if it holds these bytes; nil if something else does.
    private func version(holding bytes: ByteBuffer, at path: RelativePath) async throws(DAVFailure) -> Version? {
        guard let found = try await entry(path), found.kind == .file, found.version.size == bytes.readableBytes,
            let tag = versions.entityTag(of: found.version)
        else { return nil }
        let contents = try await client.open(path, expecting: tag)
        var rest = bytes
        while let part = try await contents.next() {
            guard let same = rest.readSlice(length: part.readableBytes), same == part else { return nil }
        }
        return rest.readableBytes == 0 ? found.version : nil
    }

    /// The version of what is staged, once a further change of it would show: others can change it as soon as it has its
    /// place.
    private func settled(
        _ uploaded: StagedContents.Uploaded, for path: RelativePath
    ) async throws(EffectFailure) -> Version {
        if !uploaded.version.isRacy { return uploaded.version }
        try? await Task.sleep(until: uploaded.looked + ServerVersions.settling, clock: .continuous)
        guard let found = try await look(uploaded.place), found.kind == .file,
            found.version.size == uploaded.version.size
        else { throw EffectFailure(.notFound, Explanation(.contentsGone, .remote, "\(path)")) }
        return found.version
    }

    /// What stands in its place after a move of it.
    private func placed(_ version: Version, at path: RelativePath) async throws(EffectFailure) -> Version {
        if traits.keepsTagInMoves { return version }
        guard let found = try await look(path), found.kind == .file, found.version.size == version.size else {
            throw changed(path)
        }
        return found.version
    }

    /// Moves a file of which nobody else knows. An answer that was lost is looked up.
    private func move(
        _ from: RelativePath, _ version: Version, to path: RelativePath, overwrites: Bool, lock: String? = nil,
        replacing replaced: EntityTag? = nil
    ) async throws(DAVFailure) {
        if !overwrites && !traits.honoursOverwrite, try await entry(path) != nil { throw DAVFailure(.conditionFailed) }
        do throws(DAVFailure) {
            _ = try await client.move(
                from, to: path, isDirectory: false, if: .none, overwrites: overwrites, lock: lock, replacing: replaced)
        } catch {
            guard error.isUndecided, try await entry(from) == nil,
                let found = try await entry(path), found.version.size == version.size,
                !traits.keepsTagInMoves || found.version.tag == version.tag
            else { throw error }
        }
    }

    package func makeDirectory(
        _ path: RelativePath, permissions: Permissions?
    ) async throws(EffectFailure) -> Version {
        try requireShown(path)
        do throws(DAVFailure) {
            if let found = try await entry(path) {
                throw DAVFailure(found.kind == .directory ? .notAllowed : .conditionFailed)
            }
            _ = try await client.makeDirectory(path)
            guard let made = try await entry(path), made.kind == .directory else { throw DAVFailure(.conditionFailed) }
            return made.version
        } catch {
            throw failure(error, at: path, whereNothingWas: true)
        }
    }

    package func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed {
        guard let found = try await look(path), found.kind == kind else { throw changed(path) }
        return Placed(found.version)
    }

    package func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        try requireShown(target)
        if kind == .file, traits.movesByTag, let tag = versions.entityTag(of: expected) {
            return try await moveFile(path, to: target, expected, tag)
        }
        do throws(DAVFailure) {
            guard let found = try await entry(path) else { throw DAVFailure(.notFound) }
            guard found.kind == kind, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
            if !traits.honoursOverwrite, try await entry(target) != nil { throw DAVFailure(.notAllowed) }
        } catch {
            throw failure(error, at: path)
        }
        do throws(DAVFailure) {
            _ = try await client.move(
                path, to: target, isDirectory: kind == .directory, if: .none, overwrites: false)
        } catch {
            do throws(DAVFailure) {
                // An answer that was lost is looked up.
                guard error.isUndecided, try await entry(path) == nil, try await entry(target) != nil else {
                    throw error
                }
            } catch {
                throw failure(error, at: target, whereNothingWas: true)
            }
        }
        guard let moved = try await look(target), moved.kind == kind else { throw changed(target) }
        return moved.version
    }

    /// Moves a file where nothing is, on a server that does so only if it is the one that is meant.
    private func moveFile(
        _ path: RelativePath, to target: RelativePath, _ expected: Version, _ tag: EntityTag
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            _ = try await client.move(path, to: target, isDirectory: false, if: .version(tag), overwrites: false)
            if traits.keepsTagInMoves { return expected }
        } catch {
            let here = try await look(path)
            if error.reason == .conditionFailed {
                // The server says so of either end.
                let isMeant = here?.version.isSame(as: expected) == true
                throw isMeant ? failure(error, at: target, whereNothingWas: true) : changed(path)
            }
            // An answer that was lost is looked up.
            guard error.isUndecided, here == nil else { throw failure(error, at: target, whereNothingWas: true) }
        }
        guard let moved = try await look(target), moved.kind == .file, moved.version.size == expected.size else {
            throw changed(target)
        }
        return moved.version
    }

    // MARK: Removing

    package func remove(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) {
        do throws(DAVFailure) {
            if kind == .directory { return try await removeDirectory(path, expected) }
            if traits.movesByTag, let tag = versions.entityTag(of: expected) {
                return try await removeFile(path, if: .version(tag))
            }
            try await withExpected(expected, at: path, kind: kind) { lock throws(DAVFailure) in
                try await self.removeFile(path, if: .none, lock: lock)
            }
        } catch {
            throw failure(error, at: path)
        }
    }

    /// Removes a file. An answer that was lost is looked up.
    private func removeFile(_ path: RelativePath, if condition: Condition, lock: String? = nil) async throws(DAVFailure)
    {
        do throws(DAVFailure) {
            _ = try await client.remove(path, isDirectory: false, if: condition, lock: lock)
        } catch {
            guard error.isUndecided, try await entry(path) == nil else { throw error }
        }
    }

    /// Removes a directory that is empty. A server removes all that is in it, also what came a moment ago: it is moved
    /// aside first, where nobody puts anything, and looked at there.
    private func removeDirectory(_ path: RelativePath, _ expected: Version) async throws(DAVFailure) {
        guard let found = try await entry(path) else { throw DAVFailure(.notFound) }
        guard found.kind == .directory, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
        guard try await isEmpty(path) else { throw DAVFailure(.notEmpty) }
        try await makeArea()
        let aside = area.newPlace()
        _ = try await client.move(path, to: aside, isDirectory: true, if: .none, overwrites: false)
        guard try await isEmpty(aside) else {
            _ = try await client.move(aside, to: path, isDirectory: true, if: .none, overwrites: false)
            throw DAVFailure(.notEmpty)
        }
        _ = try await client.remove(aside, isDirectory: true, if: .none)
    }

    private func isEmpty(_ path: RelativePath) async throws(DAVFailure) -> Bool {
        let listing = ServerListing(of: path, at: client.location, versions)
        try await client.properties(of: path, isDirectory: true, depth: .entries, ServerVersions.properties) {
            [client] items in
            try await listing.add(items, now: client.serverTime, year: client.year)
        }
        let found = try await listing.result()
        return found.entries.isEmpty && found.isComplete
    }

    /// Does something with an item that is the expected version, and keeps others from changing it meanwhile where the
    /// server has locks.
    private func withExpected(
        _ expected: Version, at path: RelativePath, kind: EntryKind,
        _ body: (_ lock: String?) async throws(DAVFailure) -> Void
    ) async throws(DAVFailure) {
        // To lock what is not there would make it.
        try await require(expected, at: path, kind: kind)
        guard traits.locks else { return try await body(nil) }
        guard let lock = try await client.lock(path, seconds: Self.lockSeconds).lock else {
            throw DAVFailure(.malformed)
        }
        do throws(DAVFailure) {
            try await require(expected, at: path, kind: kind)
            try await body(lock)
        } catch {
            _ = try? await client.unlock(path, lock)
            throw error
        }
        // What replaces or removes an item ends its lock, on most servers.
        _ = try? await client.unlock(path, lock)
    }

    private func require(_ expected: Version, at path: RelativePath, kind: EntryKind) async throws(DAVFailure) {
        guard let found = try await entry(path) else { throw DAVFailure(.notFound) }
        guard found.kind == kind, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
    }

    // MARK: Failures

    /// Refuses names under which a server would not show the item again: what is not shown counts as deleted.
    private func requireShown(_ path: RelativePath) throws(EffectFailure) {
        if traits.hidesDotFiles, path.names.contains(where: { $0.bytes.first == UInt8(ascii: ".") }) {
            throw EffectFailure(.nameClash, Explanation(.hiddenName, .remote, "\(path)"))
        }
        if !traits.keepsNamesInMoves, path.names.contains(where: { !Self.special.isDisjoint(with: $0.bytes) }) {
            throw EffectFailure(.nameClash, Explanation(.unusableName, .remote, "\(path)"))
        }
    }

    /// The failure that something else than the expected version is there.
    func changed(_ path: RelativePath) -> EffectFailure {
        EffectFailure(.changed, Explanation(.changed, .remote, "\(path)"))
    }

    /// What a failure of the server means for an item.
    ///
    /// - Parameter isNew: Whether something was to be put where nothing is.
    func failure(_ failure: DAVFailure, at path: RelativePath, whereNothingWas isNew: Bool = false) -> EffectFailure {
        trouble.failure(failure, at: path, whereNothingWas: isNew)
    }
}
