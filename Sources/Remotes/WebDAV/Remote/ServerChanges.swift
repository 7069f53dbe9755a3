import SyncCore
import SyncEngine

/// Creates, moves and removes items on a server, each only if it is the expected one.
struct ServerChanges: Sendable {
    private let view: ServerView
    private let area: ServerArea
    private let expectedItems: ExpectedItems
    private let conditions: RefusedConditions

    init(_ view: ServerView, _ area: ServerArea) {
        self.view = view
        self.area = area
        expectedItems = ExpectedItems(view)
        conditions = RefusedConditions(view, area)
    }

    /// Creates a directory where nothing exists.
    func makeDirectory(_ path: RelativePath) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            if let found = try await view.entry(path) {
                throw DAVFailure(found.kind == .directory ? .notAllowed : .conditionFailed)
            }
            _ = try await view.client.makeDirectory(path)
            guard let made = try await view.entry(path), made.kind == .directory else {
                throw DAVFailure(.conditionFailed)
            }
            return made.version
        } catch {
            throw view.failure(error, at: path, whereNothingWas: true)
        }
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
            _ = try await view.client.move(
                path, to: target, isDirectory: kind == .directory, if: .none, overwrites: false)
        } catch {
            do throws(DAVFailure) {
                // If the response was lost, the result is checked.
                guard error.isUndecided, try await view.entry(path) == nil, try await view.entry(target) != nil else {
                    throw error
                }
            } catch {
                throw view.failure(error, at: target, whereNothingWas: true)
            }
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

    /// Removes an empty directory. A server would also remove contents that were added a moment ago, so the directory
    /// is first moved where no one adds anything, and checked there. If the server does not list dot-files, the directory
    /// may contain some and stays there.
    private func removeDirectory(_ path: RelativePath, _ expected: Version) async throws(DAVFailure) {
        guard let found = try await view.entry(path) else { throw DAVFailure(.notFound) }
        guard found.kind == .directory, found.version.isSame(as: expected) else { throw DAVFailure(.conditionFailed) }
        guard try await view.isEmpty(path) else { throw DAVFailure(.notEmpty) }
        try await area.make()
        let aside = area.newPlace()
        _ = try await view.client.move(path, to: aside, isDirectory: true, if: .none, overwrites: false)
        guard try await view.isEmpty(aside) else {
            _ = try await view.client.move(aside, to: path, isDirectory: true, if: .none, overwrites: false)
            throw DAVFailure(.notEmpty)
        }
        if view.traits.hidesDotFiles { return }
        _ = try await view.client.remove(aside, isDirectory: true, if: .none)
    }

    // MARK: Removing trees

    /// Removes a directory with everything in it, if it has this tag.
    ///
    /// Nextcloud knows no condition on the tag of a directory: one never holds (sabre-io/dav, issue 659). So the directory is
    /// first moved where no one else changes anything, as an empty one is. It has the same tag there if nothing in it has
    /// changed, at any depth; otherwise it goes back.
    func removeTree(_ path: RelativePath, expecting expected: Version, tag: Token) async throws(EffectFailure) {
        do throws(DAVFailure) {
            try await require(tag, expected, at: path)
            try await area.make()
            let aside = area.newPlace(for: path.name)
            try await moveTree(path, to: aside)
            // From here on a directory that must go back is out of sight: that is looked at even if the task is cancelled.
            let looked = Task { () async -> DAVFailure? in
                do throws(DAVFailure) {
                    try await self.require(tag, expected, at: aside)
                    return nil
                } catch {
                    await self.bringBack(aside, to: path)
                    return error
                }
            }
            if let failure = await looked.value { throw failure }
            try await removeAside(aside, from: path)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// Fails with `conditionFailed` unless the directory at a path is the expected one and has this tag, and with `notFound`
    /// if nothing is there.
    private func require(_ tag: Token, _ expected: Version, at path: RelativePath) async throws(DAVFailure) {
        let found = try await view.item(path, isDirectory: true, view.versions.properties)
        let (kind, version) = try view.versions.entry(found, now: view.client.serverTime, year: view.client.year)
        guard kind == .directory, version.isSame(as: expected), view.versions.directoryTag(of: found) == tag else {
            throw DAVFailure(.conditionFailed)
        }
    }

    /// Moves a directory to an unused place. If the response was lost, the result is checked.
    private func moveTree(_ path: RelativePath, to target: RelativePath) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await view.client.move(path, to: target, isDirectory: true, if: .none, overwrites: false)
        } catch {
            guard error.isUndecided, try await view.entry(path) == nil, try await view.entry(target) != nil else {
                throw error
            }
        }
    }

    /// Moves a directory back that was moved aside. If something else has its place by now, it gets a visible one; if even
    /// that fails, a later run does it.
    private func bringBack(_ aside: RelativePath, to path: RelativePath) async {
        do throws(DAVFailure) { try await moveTree(aside, to: path) } catch { try? await area.putBack(aside) }
    }

    /// Removes a directory that was moved aside, and in which everything was as expected.
    private func removeAside(_ aside: RelativePath, from path: RelativePath) async throws(DAVFailure) {
        do throws(DAVFailure) {
            _ = try await view.client.remove(aside, isDirectory: true, if: .none)
        } catch {
            guard error.isUndecided else {
                await bringBack(aside, to: path)
                throw error
            }
            // It is gone from its path. The server may be busy removing it.
            await area.dispose(aside)
        }
    }
}
