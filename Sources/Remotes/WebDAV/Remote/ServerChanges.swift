import SyncCore
import SyncEngine

/// Creates, moves and removes items on a server, each only if it is the expected one.
struct ServerChanges: Sendable {
    private let view: ServerView
    private let expectedItems: ExpectedItems
    private let conditions: RefusedConditions
    private let asides: AsideDirectories

    init(_ view: ServerView, _ area: ServerArea, _ asides: AsideDirectories) {
        self.view = view
        self.asides = asides
        expectedItems = ExpectedItems(view)
        conditions = RefusedConditions(view, area)
    }

    /// Creates a directory where nothing exists.
    func makeDirectory(_ path: RelativePath) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            let isChecked = view.traits.makesOnlyNew
            if !isChecked { try await requireNothing(at: path) }
            do throws(DAVFailure) {
                _ = try await view.client.makeDirectory(path)
            } catch {
                // What a server answers where something is differs.
                if isChecked, error.status != nil { try await requireNothing(at: path) }
                throw error
            }
            // It was made just now, and there is nothing else to know of it.
            if isChecked, view.versions.known.givesNoIDs { return Version(identity: .none, tag: .none, size: 0) }
            guard let made = try await view.entry(path), made.kind == .directory else {
                throw DAVFailure(.conditionFailed)
            }
            return made.version
        } catch {
            throw view.failure(error, at: path, whereNothingWas: true)
        }
    }

    private func requireNothing(at path: RelativePath) async throws(DAVFailure) {
        guard let found = try await view.entry(path) else { return }
        throw DAVFailure(found.kind == .directory ? .notAllowed : .conditionFailed)
    }

    /// Moves an item to an unused path.
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        if kind == .file, view.traits.movesByTag, let tag = view.versions.entityTag(of: expected),
            let moved = try await moveFile(path, to: target, expected, tag)
        {
            return moved
        }
        return try await moveChecked(path, to: target, kind: kind, expecting: expected)
    }

    /// Moves an item to an unused path after a check of both.
    private func moveChecked(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            guard let found = try await view.entry(path) else { throw DAVFailure(.notFound) }
            guard found.kind == kind, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
            if !view.traits.honoursOverwrite, try await view.entry(target) != nil { throw DAVFailure(.notAllowed) }
        } catch {
            throw view.failure(error, at: path)
        }
        do throws(DAVFailure) {
            try await view.move(path, to: target) { () throws(DAVFailure) in
                try await view.client.move(
                    path, to: target, isDirectory: kind == .directory, if: .none, overwrites: false)
            }
        } catch {
            throw view.failure(error, at: target, whereNothingWas: true)
        }
        guard let moved = try await view.look(target), moved.kind == kind else { throw view.changed(target) }
        if kind != .file { return moved.version }
        // Another client may have written it on the way, or just now: what it wrote shows as a change of what was meant.
        if view.traits.keepsTagInMoves { return expected }
        guard moved.version.size == expected.size else { throw view.changed(target) }
        return moved.version
    }

    /// Moves a file to an unused path, on a server that checks its tag; nil if the server refuses such a condition.
    private func moveFile(
        _ path: RelativePath, to target: RelativePath, _ expected: Version, _ tag: EntityTag
    ) async throws(EffectFailure) -> Version? {
        do throws(DAVFailure) {
            let isMoved = try await conditions.attempt(.move, expected, at: path) { () throws(DAVFailure) in
                try await moveFile(path, to: target, if: tag)
                return true
            }
            if isMoved == nil { return nil }
            if view.traits.keepsTagInMoves { return expected }
        } catch {
            let here = try await view.look(path)
            if error.status == 412 {
                guard error.reason == .notAllowed, here?.version.isSame(as: expected) == true else {
                    throw view.changed(path)
                }
                throw view.failure(error, at: target, whereNothingWas: true)
            }
            // If the response was lost, the result is checked.
            guard error.isUndecided, here == nil else { throw view.failure(error, at: target, whereNothingWas: true) }
        }
        guard let moved = try await view.look(target), moved.kind == .file, moved.version.size == expected.size else {
            throw view.changed(target)
        }
        return moved.version
    }

    /// Moves a file that has this tag. Fails with `notAllowed` if something is at the target.
    private func moveFile(
        _ path: RelativePath, to target: RelativePath, if tag: EntityTag
    ) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await view.client.move(path, to: target, isDirectory: false, if: .version(tag), overwrites: false)
        } catch {
            // The server reports this for either end.
            guard error.reason == .conditionFailed, try await view.entry(target) != nil else { throw error }
            throw DAVFailure(.notAllowed, status: error.status)
        }
    }

    // MARK: Removing

    /// Removes a file or an empty directory.
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) async throws(EffectFailure) {
        do throws(DAVFailure) {
            if kind == .directory { return try await removeDirectory(path, expected) }
            if view.traits.movesByTag, let tag = view.versions.entityTag(of: expected) {
                let isRemoved = try await conditions.attempt(.move, expected, at: path) { () throws(DAVFailure) in
                    try await removeFile(path, if: .version(tag))
                    return true
                }
                if isRemoved != nil { return }
            }
            try await expectedItems.hold(expected, at: path, kind: kind) { lock throws(DAVFailure) in
                try await self.removeFile(path, if: .none, lock: lock)
            }
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// Removes a file. If the response was lost, the result is checked.
    private func removeFile(_ path: RelativePath, if condition: Condition, lock: String? = nil) async throws(DAVFailure)
    {
        do throws(DAVFailure) {
            _ = try await view.client.remove(path, isDirectory: false, if: condition, lock: lock)
        } catch {
            guard error.isUndecided, try await view.entry(path) == nil else { throw error }
        }
    }

    /// Removes an empty directory, which is first moved aside: a server would also remove what was added a moment ago. If
    /// the server does not list dot-files, the directory may contain some and stays there.
    private func removeDirectory(_ path: RelativePath, _ expected: Version) async throws(DAVFailure) {
        guard let found = try await view.entry(path) else { throw DAVFailure(.notFound) }
        guard found.kind == .directory, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
        guard try await view.isEmpty(path) else { throw DAVFailure(.notEmpty) }
        try await asides.remove(path, as: .empty)
    }

    /// Removes a directory with everything in it, if it has this tag, and neither it nor what holds it comes from
    /// somebody else or is shared by itself.
    ///
    /// Nextcloud knows no condition on the tag of a directory: one never holds (sabre-io/dav, issue 659). So the directory
    /// is first moved aside. It has the same tag there if nothing in it has changed, at any depth; otherwise it goes back.
    func removeTree(_ path: RelativePath, expecting expected: Version, tag: Token) async throws(EffectFailure) {
        do throws(DAVFailure) {
            let properties = view.versions.properties.union([.permissions, .shareTypes, .mountType])
            let found = try await view.item(path, isDirectory: true, properties)
            let (kind, version) = try view.versions.entry(found, now: view.client.serverTime, year: view.client.year)
            guard kind == .directory, version.isSame(as: expected), view.versions.directoryTag(of: found) == tag else {
                throw DAVFailure(.conditionFailed)
            }
            guard Self.isOwn(found) else { throw DAVFailure(.denied) }
            try await asides.remove(path, as: .whole(identity: version.identity, tag: tag))
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// Whether the server says that a directory is the user's own, on the user's own storage, and not shared by itself:
    /// others reach a shared directory wherever it is, and the tags of another storage may be old.
    private static func isOwn(_ found: MultistatusResponse) -> Bool {
        guard let permissions = found.properties[.permissions] else { return false }
        // The letters for what somebody else shares and for another storage.
        let isForeign = permissions.text.contains { $0 == UInt8(ascii: "S") || $0 == UInt8(ascii: "M") }
        let isReached = [PropertyName.shareTypes, .mountType].contains {
            found.properties[$0].map { !$0.text.withoutBlanks().isEmpty } ?? false
        }
        return !isForeign && !isReached
    }
}
