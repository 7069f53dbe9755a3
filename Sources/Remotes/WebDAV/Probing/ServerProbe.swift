internal import NIOCore
package import SyncCore
internal import SyncEngine
internal import Synchronization

/// Finds out what a server can do, in a collection that is removed afterwards.
package final class ServerProbe: Sendable {
    /// Changes with what is tested: servers that were probed with a lower number are probed again.
    static let number = 9

    private let client: DAVClient
    private let scratch: ScratchCollection
    /// A file that is moved, and one that is replaced by a move.
    private static let (moved, replaced) = ((name: "f", text: "kept"), (name: "o", text: "old"))
    /// The SHA-256 of the letter s: some servers check that what they are told of contents fits these.
    private static let hashOfS = ContentDigest.hash(
        in: Array("SHA256:043a718774c572bd8a25adbeb1bfcd5c0256ae11cecf9f9c3f925d0e52beaf89".utf8))
    /// Whether a tag stayed weak for as long as it was waited for.
    private let hasLastingWeakTags = Mutex(false)

    /// - Parameter name: The name of the collection, which must be unused.
    package convenience init(_ client: DAVClient, in name: EntryName) {
        self.init(ScratchCollection(client, RelativePath([name])))
    }

    private init(_ scratch: ScratchCollection) { (client, self.scratch) = (scratch.client, scratch) }

    /// Runs all tests. Fails if the collection cannot be created, or the server stops responding.
    package func run() async throws(DAVFailure) -> ServerTraits { try await run(nil) }

    /// Has a server confirm what is known of those that say the same of themselves. All tests are run if nothing is, or if it
    /// does anything else than they do.
    func run(saying claim: ServerClaim) async throws(DAVFailure) -> ServerTraits {
        try await run(KnownServer(claim, at: client.location))
    }

    private func run(_ known: KnownServer?) async throws(DAVFailure) -> ServerTraits {
        _ = try await client.makeDirectory(scratch.path)
        let result: Result<ServerTraits, DAVFailure>
        do throws(DAVFailure) {
            result = .success(try await found(known))
        } catch {
            result = .failure(error)
        }
        await tidyUp()
        return try result.get()
    }

    private func found(_ known: KnownServer?) async throws(DAVFailure) -> ServerTraits {
        guard let known else { return try await tryAll() }
        if try await isConfirmed(known) { return known.traits }
        // What the few requests left behind would mislead all the others.
        let other = ScratchCollection(client, scratch.file("all"))
        _ = try await client.makeDirectory(other.path)
        return try await ServerProbe(other).tryAll()
    }

    /// Whether a server behaves as one of a known kind, as far as a wrong belief could do harm.
    private func isConfirmed(_ server: KnownServer) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            switch server {
            case .apache: return try await ApacheConfirmation(scratch).run()
            }
        } catch {
            // An answer that is not expected shows that it is another server; no answer shows nothing.
            guard error.status != nil, !error.isAboutLogin else { throw error }
            return false
        }
    }

    /// Removes the collection. A server that is still busy with the interrupted write may refuse at first. A collection
    /// that cannot be removed is useless but harmless.
    private func tidyUp() async {
        for _ in 0..<5 {
            do throws(DAVFailure) {
                try await scratch.remove()
                return
            } catch {
                if error.status == nil || error.reason == .notFound { return }
            }
            try? await Task.sleep(for: .milliseconds(200))
        }
    }

    private func tryAll() async throws(DAVFailure) -> ServerTraits {
        var traits = ServerTraits()
        // Tags that are weak at first become strong while one of the tests waits.
        for (name, text) in [Self.moved, Self.replaced] { _ = try await scratch.put(scratch.file(name), text) }
        let (weak, grain) = try await tryTags(&traits)
        try await tryWriting(&traits)
        try await tryMoving(&traits)
        try await tryListing(&traits)
        traits.locks = try await isLockKept()
        traits.writesAtOnce = try await isWriteHiddenUntilItsEnd()
        traits.ranges = try await isPartRead()
        traits.keepsModified = try await isModifiedKept()
        (traits.keepsDigests, traits.tellsDigests) = try await tryDigests()
        traits.tellsAccess = try await isAccessTold()
        traits.takesChunks = try await areChunksTaken()
        try await tryPages(&traits)
        if let weak, let grain, grain <= TagGrain.fine {
            traits.weakTagsStay = try await settledTag(of: scratch.file("b"))?.isStrongForm(of: weak) == true
            traits.tagsAreVeryFine = grain <= TagGrain.veryFine
        }
        return traits
    }

    // MARK: Steps

    private func tryWriting(_ traits: inout ServerTraits) async throws(DAVFailure) {
        let path = scratch.file("a")
        let reply = try await scratch.put(path, "first")
        traits.repliesWithTags = reply.entityTag != nil
        let isAbsenceKept = try await scratch.isRefused { () throws(DAVFailure) in
            try await scratch.put(path, "other", if: .absent)
        }
        let hasFirst = try await scratch.contents(path) == "first"
        traits.honoursAbsence = isAbsenceKept && hasFirst
        _ = try await scratch.put(path, "first")
        guard let foreign = ScratchCollection.foreignTag else { return }
        let isMatchKept = try await scratch.isRefused { () throws(DAVFailure) in
            try await scratch.put(path, "other", if: .version(foreign))
        }
        let stillHasFirst = try await scratch.contents(path) == "first"
        // A server that refuses even its own tag does not support the condition.
        guard isMatchKept, stillHasFirst, let tag = try await conditionTag(of: path) else { return }
        traits.honoursMatch =
            !(try await scratch.isRefused { () throws(DAVFailure) in
                try await scratch.put(path, "again", if: .version(tag))
            })
    }

    /// The tag of a file once it is no longer weak, which it may be in the second after a write, or for good.
    private func settledTag(of path: RelativePath) async throws(DAVFailure) -> EntityTag? {
        var tag = try await client.look(path).entityTag
        for _ in 0..<30 where tag?.isWeak == true && !hasLastingWeakTags.withLock({ $0 }) {
            do { try await Task.sleep(for: .milliseconds(100)) } catch { throw DAVFailure(error) }
            tag = try await client.look(path).entityTag
        }
        if tag?.isWeak == true { hasLastingWeakTags.withLock { $0 = true } }
        return tag
    }

    /// The tag of a file as later conditions contain it. If only a proxy weakens tags, the server knows the strong form.
    private func conditionTag(of path: RelativePath) async throws(DAVFailure) -> EntityTag? {
        try await settledTag(of: path).flatMap { EntityTag($0.opaque) }
    }

    /// How often the series of writes is repeated that was too slow to show anything.
    private static let slowSeries = 3

    /// Returns the tag of the last write if it is weak, and ``TagGrain/bound``.
    private func tryTags(
        _ traits: inout ServerTraits
    ) async throws(DAVFailure) -> (weak: EntityTag?, grain: Duration?) {
        let path = scratch.file("b")
        var grain: Duration?
        for _ in 0..<Self.slowSeries {
            let series = try await tagsOfWrites(to: path)
            grain = series.grain
            // Even tags of whole seconds tell writes apart that take that long.
            traits.tellsQuickWrites = series.areDistinct && series.grain.map { $0 < TagGrain.wholeSeconds } ?? false
            if traits.tellsQuickWrites || !series.areDistinct { break }
        }
        let tag = try await scratch.entry(path)?.entityTag
        traits.listsTags = tag != nil
        return (tag?.isWeak == true ? tag : nil, grain)
    }

    /// Writes a file several times. Whether each write had its own tag, and ``TagGrain/bound``.
    private func tagsOfWrites(
        to path: RelativePath
    ) async throws(DAVFailure) -> (areDistinct: Bool, grain: Duration?) {
        var tags: Set<EntityTag> = []
        var grain = TagGrain()
        let writes = 6
        let start = ContinuousClock.now
        for number in 0..<writes {
            let begun = ContinuousClock.now
            _ = try await scratch.put(path, "\(number)")
            let ended = ContinuousClock.now
            guard let tag = try await client.look(path).entityTag else { continue }
            tags.insert(tag)
            grain.add(tag.opaque, begun: begun - start, ended: ended - start)
        }
        return (tags.count == writes, grain.bound)
    }

    private func tryMoving(_ traits: inout ServerTraits) async throws(DAVFailure) {
        let (from, to) = (scratch.file("c"), scratch.file("d"))
        _ = try await scratch.put(from, "c")
        _ = try await scratch.put(to, "d")
        traits.honoursOverwrite = try await scratch.isRefused { () throws(DAVFailure) in
            try await client.move(from, to: to, isDirectory: false, if: .none, overwrites: false)
        }
        if !traits.honoursOverwrite { _ = try await scratch.put(from, "c") }
        if let foreign = ScratchCollection.foreignTag {
            let isMoveKept = try await scratch.isRefused { () throws(DAVFailure) in
                try await client.move(
                    from, to: scratch.file("e"), isDirectory: false, if: .version(foreign), overwrites: false)
            }
            let isRemovalKept = try await scratch.isRefused { () throws(DAVFailure) in
                try await client.remove(to, isDirectory: false, if: .version(foreign))
            }
            traits.honoursMatchInMoves = isMoveKept && isRemovalKept
            // A server that refuses even its own tags does not support the condition.
            if traits.honoursMatchInMoves {
                traits.honoursMatchInMoves = try await areMatchesDone(moving: from, removing: to)
            }
        }
        traits.honoursMatchOfTarget = try await isTargetKept()
        let kept = scratch.file(Self.moved.name)
        let before = try await settledTag(of: kept)
        _ = try await client.move(kept, to: scratch.file("g"), isDirectory: false, if: .none, overwrites: false)
        let after = try await settledTag(of: scratch.file("g"))
        traits.keepsTagInMoves = before != nil && before == after
        traits.keepsNamesInMoves = try await areNamesKept(movingFrom: scratch.file("g"))
    }

    /// Whether a move and a removal of files that have the expected tags are carried out.
    private func areMatchesDone(
        moving from: RelativePath, removing path: RelativePath
    ) async throws(DAVFailure) -> Bool {
        guard let moved = try await conditionTag(of: from), let removed = try await conditionTag(of: path) else {
            return false
        }
        let isMoveRefused = try await scratch.isRefused { () throws(DAVFailure) in
            try await client.move(
                from, to: scratch.file("e"), isDirectory: false, if: .version(moved), overwrites: false)
        }
        let isRemovalRefused = try await scratch.isRefused { () throws(DAVFailure) in
            try await client.remove(path, isDirectory: false, if: .version(removed))
        }
        return !isMoveRefused && !isRemovalRefused
    }

    /// Whether a move gives a file exactly the requested name. If a server refuses a question mark, as Nextcloud does
    /// for compatibility with Windows, only the other characters are tested.
    private func areNamesKept(movingFrom path: RelativePath) async throws(DAVFailure) -> Bool {
        for name in ["p%41;q?r#s", "p%41;q#s"] {
            let isRefused = try await scratch.isRefused { () throws(DAVFailure) in
                try await client.move(path, to: scratch.file(name), isDirectory: false, if: .none, overwrites: false)
            }
            if isRefused { continue }
            do throws(DAVFailure) {
                return try await scratch.contents(scratch.file(name)) == Self.moved.text
            } catch {
                guard error.reason == .notFound else { throw error }
                return false
            }
        }
        return false
    }

    /// Whether a move replaces a file only if that has the expected tag.
    private func isTargetKept() async throws(DAVFailure) -> Bool {
        let (from, to) = (scratch.file("n"), scratch.file(Self.replaced.name))
        _ = try await scratch.put(from, "new")
        guard let foreign = ScratchCollection.foreignTag, let tag = try await conditionTag(of: to) else { return false }
        let isRefused = try await scratch.isRefused { () throws(DAVFailure) in
            try await client.move(from, to: to, isDirectory: false, if: .none, overwrites: true, replacing: foreign)
        }
        guard isRefused, try await scratch.contents(to) == Self.replaced.text else { return false }
        return try await !scratch.isRefused { () throws(DAVFailure) in
            try await client.move(from, to: to, isDirectory: false, if: .none, overwrites: true, replacing: tag)
        }
    }

    /// Whether a collection that is there is not made again.
    private func isMadeOnce(_ directory: RelativePath) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            return try await scratch.isRefused(for: .notAllowed) { () throws(DAVFailure) in
                try await client.makeDirectory(directory)
            }
        } catch {
            // The failure of a server is no refusal.
            guard error.status != nil, !error.isAboutLogin else { throw error }
            return false
        }
    }

    private func tryListing(_ traits: inout ServerTraits) async throws(DAVFailure) {
        let directory = scratch.file("h")
        _ = try await client.makeDirectory(directory)
        traits.makesOnlyNew = try await isMadeOnce(directory)
        guard let name = EntryName("i"), let hidden = EntryName(".hidden") else { return }
        _ = try await client.makeDirectory(directory.appending(name))
        _ = try await scratch.put(directory.appending(hidden), "hidden")
        let items = try await scratch.list(directory, depth: .entries)
        traits.hidesDotFiles = !items.contains {
            client.location.path(ofReference: $0.reference)?.name == hidden
        }
        traits.tellsQuota = items.contains { $0.properties[.available].map { !$0.text.isEmpty } ?? false }
        let before = try await scratch.entry(directory, isDirectory: true)?.entityTag
        _ = try await scratch.put(directory.appending(name).appending(name), "deep")
        let after = try await scratch.entry(directory, isDirectory: true)?.entityTag
        traits.directoryTags = before != nil && after != nil && before != after
        do throws(DAVFailure) {
            // Some servers list only one level.
            traits.listsTrees = try await scratch.list(directory, depth: .tree).contains {
                client.location.path(ofReference: $0.reference)?.names.count == directory.names.count + 2
            }
        } catch {
            guard error.status != nil else { throw error }
        }
        if traits.directoryTags {
            traits.keepsTreeTags = try await areTagsKept(
                of: directory, changing: directory.appending(name).appending(name))
        }
    }

    /// Whether a collection gets another tag with each change of a file deep in it, however quick, and keeps its tag when it
    /// is moved.
    private func areTagsKept(
        of directory: RelativePath, changing path: RelativePath
    ) async throws(DAVFailure) -> Bool {
        do throws(DAVFailure) {
            var tags = [try await scratch.entry(directory, isDirectory: true)?.entityTag]
            for text in ["1", "2"] {
                _ = try await scratch.put(path, text)
                tags.append(try await scratch.entry(directory, isDirectory: true)?.entityTag)
            }
            _ = try await client.remove(path, isDirectory: false, if: .none)
            let last = try await scratch.entry(directory, isDirectory: true)?.entityTag
            guard let last, Set(tags.compactMap(\.self) + [last]).count == tags.count + 1 else { return false }
            let other = scratch.file("j")
            _ = try await client.move(directory, to: other, isDirectory: true, if: .none, overwrites: false)
            return try await scratch.entry(other, isDirectory: true)?.entityTag == last
        } catch {
            guard error.status != nil else { throw error }
            return false
        }
    }

    private func isLockKept() async throws(DAVFailure) -> Bool {
        let path = scratch.file("l")
        _ = try await scratch.put(path, "l")
        let lock: String
        do throws(DAVFailure) {
            guard let token = try await client.lock(path, seconds: 60).lock else { return false }
            lock = token
        } catch {
            guard error.status != nil else { throw error }
            return false
        }
        let isKept = try await scratch.isRefused { () throws(DAVFailure) in try await scratch.put(path, "m") }
        _ = try await client.unlock(path, lock)
        return isKept
    }

    /// Starts to overwrite a file, and looks at it when half of the new contents were sent.
    private func isWriteHiddenUntilItsEnd() async throws(DAVFailure) -> Bool {
        let path = scratch.file("w")
        let old = "the old contents"
        _ = try await scratch.put(path, old)
        let parts = InterruptedParts()
        async let write: Void = send(parts, to: path)
        await parts.halfIsSent()
        // A server that writes in place may take a moment to start.
        var isHidden = true
        for _ in 0..<20 where isHidden {
            isHidden = (try? await scratch.contents(path)) == old
            try? await Task.sleep(for: .milliseconds(40))
        }
        parts.interrupt()
        await write
        let after = try? await scratch.contents(path)
        return isHidden && after == old
    }

    private func send(_ parts: InterruptedParts, to path: RelativePath) async {
        _ = try? await client.write(path, length: InterruptedParts.length, parts: parts, if: .none)
        // If the server refused the request early, this ends the wait for the half.
        parts.interrupt()
    }

    private func isPartRead() async throws(DAVFailure) -> Bool {
        let path = scratch.file("r")
        _ = try await scratch.put(path, "0123456789")
        do throws(DAVFailure) {
            return try await scratch.contents(path, from: 4) == "456789"
        } catch {
            guard error.status != nil else { throw error }
            return false
        }
    }

    private func areChunksTaken() async throws(DAVFailure) -> Bool {
        guard let upload = ChunkedUpload(client) else { return false }
        let (path, text) = (scratch.file("k"), "in chunks")
        do throws(DAVFailure) {
            try await upload.send(OneBuffer(text), size: Int64(text.utf8.count), to: path, headers: [])
            return try await scratch.contents(path) == text
        } catch {
            guard error.status != nil else { throw error }
            return false
        }
    }

    private func tryDigests() async throws(DAVFailure) -> (areKept: Bool, areTold: Bool) {
        let path = scratch.file("s")
        // Some servers check that the digest matches the contents.
        guard let hash = Self.hashOfS else { return (false, false) }
        func told() async throws(DAVFailure) -> ContentDigest? {
            try await scratch.entry(path)?.properties[.checksums].flatMap { ContentDigest(in: Array($0.text)) }
        }
        _ = try await scratch.put(path, "s", headers: [ContentDigest.header(hash)])
        guard let first = try await told() else { return (false, false) }
        _ = try await scratch.put(path, "t")
        let isNew = try await told() != first
        return (first.kind == .sha256 && first.bytes == hash.bytes && isNew, isNew)
    }

    /// Whether the letters of a file that was just written say at least that it may be written: those of another server could
    /// mean something else.
    private func isAccessTold() async throws(DAVFailure) -> Bool {
        let found = try await scratch.entry(scratch.file("a"))
        return found?.properties[.permissions]?.text.contains(UInt8(ascii: "W")) == true
    }

    private func tryPages(_ traits: inout ServerTraits) async throws(DAVFailure) {
        guard AccountFiles(of: client.location) != nil else { return }
        traits.hasItemPages =
            try await scratch.entry(scratch.path, isDirectory: true).flatMap { ItemPage.number(of: $0) } != nil
        traits.note(try await ServerCapabilities.read(client))
    }

    private func isModifiedKept() async throws(DAVFailure) -> Bool {
        let (path, moment): (RelativePath, Int64) = (scratch.file("m"), 1_234_567_890)
        _ = try await scratch.put(path, "m", headers: [("X-OC-Mtime", "\(moment)")])
        return try await scratch.entry(path)?.modified(year: client.year) == moment
    }
}
