package import SyncCore
package import SyncEngine
internal import Synchronization
internal import SystemPackage

/// A directory of a remote configured in rclone, as the remote of a folder.
///
/// Local contents are copied under a temporary name and renamed when they are complete. If the backend cannot rename,
/// they are copied to their place directly. rclone cannot make a change depend on the current version of an item, so
/// each item is checked just before and just after it is replaced, moved or removed. A change that another client makes
/// between the two checks is not noticed.
package final class RcloneRemote: NetworkRemote {
    private struct State {
        var hasPlaces = false
        /// Whether the removal of leftovers of earlier runs has begun.
        var hasTidied = false
        /// Directories that exist even if they are empty.
        var kept: Set<RelativePath> = []
    }

    private let client: RcloneClient
    private let area: RcloneArea
    private let trouble: RcloneTrouble
    private let staging = RcloneStaging()
    private let state = Mutex(State())

    /// Creates a remote without sending a request.
    ///
    /// - Parameter owner: The name of the folder; files staged for other folders are left alone.
    package init(_ client: RcloneClient, owner: EntryName) {
        self.client = client
        area = RcloneArea(owner: owner)
        trouble = RcloneTrouble(client.location)
    }

    // MARK: The root

    package func root() async -> RootState {
        do throws(RcloneFailure) {
            return .present(identity: Self.rootIdentity(mark: try await mark()), generation: .none)
        } catch {
            let explanation = trouble.explanation(error, at: .root)
            return switch error.reason {
            case .notFound, .notDirectory: .missing(explanation)
            case .noProgram, .notStarted, .ended, .silent, .cancelled, .notConfigured, .loginNeeded, .unreachable,
                .untrusted, .busy, .denied, .notEmpty, .noSpace, .changed, .taken, .nameClash, .malformed, .refused:
                .unreachable(explanation)
            }
        }
    }

    /// The mark of the root; nil if it has none. Fails if there is no root.
    private func mark() async throws(RcloneFailure) -> String? {
        do throws(RcloneFailure) {
            if let mark = RcloneArea.mark(among: try await client.list(RcloneArea.path).names) { return mark }
        } catch {
            guard error.reason == .notFound else { throw error }
        }
        do throws(RcloneFailure) {
            _ = try await client.list(.root)
        } catch {
            // In a bucket, a directory exists only once there is a file in it.
            guard error.reason == .notFound, try await client.traits().isBucket else { throw error }
        }
        return nil
    }

    package func mark(knownAs known: Token) async throws(EffectFailure) -> Token {
        do throws(RcloneFailure) {
            let found = try await mark()
            guard RootIdentity.mayMark(known: known, found: Self.rootIdentity(mark: found)) else {
                throw RcloneFailure(.notFound)
            }
            if let found { return Self.rootIdentity(mark: found) }
            let mark = RootIdentity(known)?.mark ?? RandomName.identifier()
            try await makeArea()
            try await put(mark, at: RcloneArea.place(ofMark: mark))
            // A mark that a service does not show would be missed from then on.
            guard let kept = try await settle(on: mark) else { throw RcloneFailure(.notFound) }
            return Self.rootIdentity(mark: kept)
        } catch {
            throw failure(error, at: .root)
        }
    }

    /// The mark that the root keeps. Another installation may mark the root at the same time. So this waits until both
    /// marks exist, and both installations choose the same one.
    private func settle(on own: String) async throws(RcloneFailure) -> String? {
        do {
            try await Task.sleep(for: client.service.limits.marking, clock: .continuous)
        } catch {
            throw RcloneFailure(.cancelled)
        }
        let found = try await mark()
        if let found, found != own { try? await client.removeFile(RcloneArea.place(ofMark: own)) }
        return found
    }

    /// Writes a small file for the engine. It is not empty, because some services accept no empty files.
    private func put(_ text: String, at path: RelativePath) async throws(RcloneFailure) {
        let file: SpooledFile
        do {
            file = try client.service.spool.make(for: 0, of: path)
            try file.append(text)
        } catch {
            throw RcloneFailure(.noSpace)
        }
        try await client.upload(file, to: path)
    }

    // MARK: Looking

    package func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage {
        do throws(RcloneFailure) {
            let found: RcloneClient.Found
            do throws(RcloneFailure) {
                found = try await client.list(path)
            } catch {
                guard path.isRoot, error.reason == .notFound, try await client.traits().isBucket else { throw error }
                found = RcloneClient.Found()
            }
            let entries = part.after.map { last in found.entries.filter { last < $0.name } } ?? found.entries
            return ListingPage(entries: entries, isComplete: found.isComplete)
        } catch {
            throw failure(error, at: path)
        }
    }

    package func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry? {
        RcloneArea.holds(path) ? nil : try await look(path)
    }

    /// The item at a path; nil if there is none.
    func look(_ path: RelativePath) async throws(EffectFailure) -> ListedEntry? {
        do throws(RcloneFailure) {
            return try await client.entry(path)
        } catch {
            throw failure(error, at: path)
        }
    }

    package func open(
        _ path: RelativePath, expecting expected: Version
    ) async throws(EffectFailure) -> any ContentSource {
        let grain: Duration
        do throws(RcloneFailure) {
            grain = try await client.traits().grain
            try await require(expected, at: path, kind: .file)
        } catch {
            throw failure(error, at: path)
        }
        let file = try client.service.spool.make(for: expected.size, of: path)
        return RcloneSource(file, at: path, expected, of: self, grain: grain)
    }

    /// Copies a file to the local disk.
    func fetch(_ path: RelativePath, into file: SpooledFile) async throws(RcloneFailure) {
        try await client.fetch(path, into: file)
    }

    // MARK: Staging

    package func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        do throws(RcloneFailure) {
            // A file that cannot get its name is not uploaded at all.
            try await client.requireDistinct(path)
        } catch {
            throw failure(error, at: path)
        }
        let file = try client.service.spool.make(for: source.size, of: path)
        let (hash, size) = try await spool(source, into: file, at: path, progress)
        do throws(RcloneFailure) {
            let modified = try await time(ofReplacingWhatIsAt: path, size: size, source.modified) ?? source.modified
            file.setModified(modified)
            if try await client.traits().movesFiles {
                staging[id] = .uploaded(try await upload(file, size, modified, progress))
            } else {
                staging[id] = .spooled(file, modified: modified)
            }
        } catch {
            throw failure(error, at: path)
        }
        return (hash, size)
    }

    /// Copies a local file to one that nothing else changes.
    private func spool(
        _ source: any ContentSource, into file: SpooledFile, at path: RelativePath, _ progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        func attempt(_ body: () throws(Errno) -> Void) throws(EffectFailure) {
            do throws(Errno) { try body() } catch { throw SpooledFile.failure(error, at: path) }
            // No bytes have been sent yet.
            if !progress(0) { throw EffectFailure(.changed, Explanation(.abandoned)) }
        }
        let (hash, size, _) = try await ContentTransfer.run(source) { length throws(EffectFailure) in
            try attempt { () throws(Errno) in try file.lengthen(by: length) }
        } write: { bytes throws(EffectFailure) in
            try attempt { () throws(Errno) in try file.append(bytes) }
        }
        return (hash, size)
    }

    /// Uploads a file under a temporary name.
    private func upload(
        _ file: SpooledFile, _ size: Int64, _ modified: Int64, _ progress: (Int64) -> Bool
    ) async throws(RcloneFailure) -> RcloneContents.Uploaded {
        let place = area.newPlace()
        do throws(RcloneFailure) {
            try await makeArea()
            try await client.upload(file, to: place, progress: progress)
            guard let found = try await client.entry(place), found.version.size == size else {
                throw RcloneFailure(.malformed)
            }
            let versions = RcloneVersions(traits: try await client.traits())
            let settling = versions.settling(modified: modified, now: RcloneClient.now())
            return RcloneContents.Uploaded(
                place: place, size: size, modified: found.version.modified, settled: .now + settling)
        } catch {
            // A user may have deleted the engine's directories, so the next attempt creates them again.
            state.withLock { $0.hasPlaces = false }
            try? await client.removeFile(place)
            throw error
        }
    }

    /// Whether confirmed contents survive a power failure is up to the service. If modification times are coarse, this
    /// waits, once for all staged files, until a further change would change them. The files do not change meanwhile,
    /// because no other client knows their names.
    package func syncContents(_ ids: [StageID]) async throws(EffectFailure) {
        guard let last = staging.settled(ids) else { return }
        do {
            try await Task.sleep(until: last, clock: .continuous)
        } catch {
            throw failure(RcloneFailure(.cancelled), at: .root)
        }
    }

    package func discard(_ ids: [StageID]) async {
        for id in ids {
            guard case .uploaded(let uploaded) = staging.remove(id) else { continue }
            try? await client.removeFile(uploaded.place)
        }
    }

    /// Creates the engine's directories, and once in a run removes the leftovers of earlier runs.
    private func makeArea() async throws(RcloneFailure) {
        if state.withLock({ $0.hasPlaces }) { return }
        if try await client.traits().keepsEmptyDirectories { try await client.makeDirectory(area.staging) }
        let hasTidied = state.withLock { state in
            defer { state.hasTidied = true }
            return state.hasTidied
        }
        if !hasTidied {
            // Failures do not matter: leftovers are harmless, and a later run can remove them.
            try? await removeLeftovers()
        }
        state.withLock { $0.hasPlaces = true }
    }

    private func removeLeftovers() async throws(RcloneFailure) {
        for entry in try await client.list(area.staging).entries
        where entry.kind == .file && !entry.name.description.hasPrefix(area.session) {
            try await client.removeFile(area.staging.appending(entry.name))
        }
    }

    // MARK: Placing

    package func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed {
        guard var contents = staging[id] else {
            throw EffectFailure(.notFound, Explanation(.contentsGone, .remote, "\(path)"))
        }
        do throws(RcloneFailure) {
            // Nothing that takes long may come between the look at the version and what replaces it.
            if case .uploaded(let staged) = contents, let again = try await distinct(staged, from: expected) {
                contents = .uploaded(again)
                staging[id] = contents
                do { try await Task.sleep(until: again.settled, clock: .continuous) } catch {
                    throw RcloneFailure(.cancelled)
                }
            }
            if let expected {
                try await require(expected, at: path, kind: .file)
            } else {
                try await requireNothing(at: path)
            }
            let version: Version
            switch contents {
            case .uploaded(let uploaded):
                try await move(uploaded, to: path)
                version = try await placed(uploaded.size, at: path)
            case .spooled(let file, let modified):
                if let later = try await time(ofReplacing: expected, size: file.size, modified) {
                    file.setModified(later)
                }
                try await client.upload(file, to: path)
                version = try await placed(file.size, at: path)
            }
            _ = staging.remove(id)
            return Placed(version)
        } catch {
            throw failure(error, at: path)
        }
    }

    /// The time for a file that would otherwise have the size and time of the version that it replaces, or an earlier time:
    /// on a remote without hashes, other computers tell versions apart by nothing else. Nil if its own time will do.
    ///
    /// - Parameters:
    ///   - modified: Its own time, in nanoseconds since 1970.
    ///   - isAsShown: Whether that is how the remote shows it. A time of this computer may be rounded down there.
    private func time(
        ofReplacing expected: Version?, size: Int64, _ modified: Int64, isAsShown: Bool = false
    ) async throws(RcloneFailure) -> Int64? {
        let traits = try await client.traits()
        let grain = max(1, Int64(traits.grain / .nanoseconds(1)))
        guard let expected, traits.hash == nil, traits.keepsModified, size == expected.size,
            modified.subtractingReportingOverflow(expected.modified).partialValue < (isAsShown ? 1 : grain)
        else { return nil }
        return expected.modified.addingReportingOverflow(max(1_000_000_000, grain)).partialValue
    }

    /// The same for a file that will replace what is at a path now.
    private func time(
        ofReplacingWhatIsAt path: RelativePath, size: Int64, _ modified: Int64
    ) async throws(RcloneFailure) -> Int64? {
        let traits = try await client.traits()
        guard traits.hash == nil, traits.keepsModified, let found = try await client.entry(path), found.kind == .file
        else { return nil }
        return try await time(ofReplacing: found.version, size: size, modified)
    }

    /// Uploads a file again that would have the size and the time of the version that it replaces: what was there when it was
    /// staged has changed. Nil if it differs.
    private func distinct(
        _ uploaded: RcloneContents.Uploaded, from expected: Version?
    ) async throws(RcloneFailure) -> RcloneContents.Uploaded? {
        let later = try await time(
            ofReplacing: expected, size: uploaded.size, uploaded.modified, isAsShown: true)
        guard let later else { return nil }
        let file: SpooledFile
        do {
            file = try client.service.spool.make(for: uploaded.size, of: uploaded.place)
        } catch {
            throw RcloneFailure(.noSpace)
        }
        try await client.fetch(uploaded.place, into: file)
        file.setModified(later)
        let again = try await upload(file, uploaded.size, later) { _ in true }
        try? await client.removeFile(uploaded.place)
        return again
    }

    /// Moves an uploaded file to its place. rclone first removes the existing file; if the move itself then fails, it
    /// is tried once more.
    private func move(_ uploaded: RcloneContents.Uploaded, to path: RelativePath) async throws(RcloneFailure) {
        do throws(RcloneFailure) {
            try await client.moveFile(uploaded.place, to: path)
        } catch {
            let (staged, found) = (try await client.entry(uploaded.place), try await client.entry(path))
            switch (staged, found) {
            // The move succeeded, but the response was lost.
            case (nil, .some) where error.isUndecided: break
            case (.some, nil): try await client.moveFile(uploaded.place, to: path)
            case _: throw error
            }
        }
    }

    /// The version of a file that was just placed.
    private func placed(_ size: Int64, at path: RelativePath) async throws(RcloneFailure) -> Version {
        guard let found = try await client.entry(path), found.kind == .file, found.version.size == size else {
            throw RcloneFailure(.changed)
        }
        return found.version
    }

    package func makeDirectory(
        _ path: RelativePath, permissions: Permissions?
    ) async throws(EffectFailure) -> Version {
        do throws(RcloneFailure) {
            try await requireNothing(at: path)
            if try await client.traits().keepsEmptyDirectories {
                try await client.makeDirectory(path)
            } else {
                try await keep(path)
            }
            guard let made = try await client.entry(path), made.kind == .directory else {
                throw RcloneFailure(.changed)
            }
            return made.version
        } catch {
            throw failure(error, at: path)
        }
    }

    /// Makes a directory exist even if it is empty, on a backend where it otherwise would not.
    private func keep(_ path: RelativePath) async throws(RcloneFailure) {
        guard try await !client.traits().keepsEmptyDirectories, !path.isRoot,
            !state.withLock({ $0.kept.contains(path) })
        else { return }
        let keeper = path.appending(RcloneArea.keeper)
        if try await client.entry(keeper) == nil { try await put("This keeps the directory.\n", at: keeper) }
        state.withLock { _ = $0.kept.insert(path) }
    }

    private func forgetKept(_ path: RelativePath) {
        state.withLock { state in state.kept = state.kept.filter { !$0.names.starts(with: path.names) } }
    }

    package func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed {
        guard let found = try await look(path), found.kind == kind else {
            throw failure(RcloneFailure(.changed), at: path)
        }
        return Placed(found.version)
    }

    package func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        do throws(RcloneFailure) {
            try await require(expected, at: path, kind: kind)
            try await keep(path.parent)
        } catch {
            throw failure(error, at: path)
        }
        do throws(RcloneFailure) {
            try await requireNothing(at: target, except: path)
            do throws(RcloneFailure) {
                try await moveItem(path, to: target, kind)
            } catch {
                // If the response was lost, the result is checked, and a partial move is completed.
                guard error.isUndecided else { throw error }
                if try await client.entry(path) != nil { try await moveItem(path, to: target, kind) }
            }
            guard let moved = try await client.entry(target), moved.kind == kind,
                kind == .directory || moved.version.size == expected.size
            else { throw RcloneFailure(.changed) }
            return moved.version
        } catch {
            throw failure(error, at: target)
        }
    }

    private func moveItem(_ path: RelativePath, to target: RelativePath, _ kind: EntryKind) async throws(RcloneFailure)
    {
        switch kind {
        case .file: try await client.moveFile(path, to: target)
        case .directory:
            // An empty directory would not exist, and so could not be moved.
            try await keep(path)
            try await client.moveDirectory(path, to: target)
            forgetKept(path)
        case .symlink, .special: throw RcloneFailure(.changed)
        }
    }

    // MARK: Removing

    package func remove(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) {
        do throws(RcloneFailure) {
            try await require(expected, at: path, kind: kind)
            try await keep(path.parent)
            do throws(RcloneFailure) {
                if kind == .directory { try await removeDirectory(path) } else { try await client.removeFile(path) }
            } catch {
                // If the response was lost, the result is checked.
                guard error.isUndecided, try await client.entry(path) == nil else { throw error }
            }
        } catch {
            throw failure(error, at: path)
        }
    }

    private func removeDirectory(_ path: RelativePath) async throws(RcloneFailure) {
        let found = try await client.list(path)
        guard found.entries.isEmpty && found.isComplete else { throw RcloneFailure(.notEmpty) }
        forgetKept(path)
        if found.names.contains(RcloneArea.keeper.description) {
            try await client.removeFile(path.appending(RcloneArea.keeper))
        }
        if try await client.traits().keepsEmptyDirectories { try await client.removeDirectory(path) }
    }

    // MARK: Conditions

    private func require(_ expected: Version, at path: RelativePath, kind: EntryKind) async throws(RcloneFailure) {
        guard let found = try await client.entry(path) else { throw RcloneFailure(.notFound) }
        guard found.kind == kind, found.version.isSame(as: expected) else { throw RcloneFailure(.changed) }
    }

    private func requireNothing(at path: RelativePath, except other: RelativePath? = nil) async throws(RcloneFailure) {
        // An item with such a name would not be listed again, and would count as deleted.
        guard !RcloneArea.holds(path),
            !path.names.contains(where: { $0.description.unicodeScalars.contains("\u{FFFD}") })
        else { throw RcloneFailure(.nameClash) }
        if try await client.entry(path) != nil { throw RcloneFailure(.taken) }
        try await client.requireDistinct(path, except: other)
    }

    /// Converts a failure to one of an item.
    func failure(_ failure: RcloneFailure, at path: RelativePath) -> EffectFailure {
        trouble.failure(failure, at: path)
    }
}
