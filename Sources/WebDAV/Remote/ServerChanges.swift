import SyncCore
import SyncEngine

/// Makes, moves and removes items of a server, each only if it is the one that is meant.
struct ServerChanges: Sendable {
    private let view: ServerView
    private let area: ServerArea
    private let expectedItems: ExpectedItems

    init(_ view: ServerView, _ area: ServerArea) {
        self.view = view
        self.area = area
        expectedItems = ExpectedItems(view)
    }

    /// Makes a directory where nothing is.
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

    /// Moves an item where nothing is.
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        if kind == .file, view.traits.movesByTag, let tag = view.versions.entityTag(of: expected) {
            return try await moveFile(path, to: target, expected, tag)
        }
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
                // An answer that was lost is looked up.
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

    /// Moves a file where nothing is, on a server that does so only if it is the one that is meant.
    private func moveFile(
        _ path: RelativePath, to target: RelativePath, _ expected: Version, _ tag: EntityTag
    ) async throws(EffectFailure) -> Version {
        do throws(DAVFailure) {
            _ = try await view.client.move(path, to: target, isDirectory: false, if: .version(tag), overwrites: false)
            if view.traits.keepsTagInMoves { return expected }
        } catch {
            let here = try await view.look(path)
            if error.reason == .conditionFailed {
                // The server says so of either end.
                let isMeant = here?.version.isSame(as: expected) == true
                throw isMeant ? view.failure(error, at: target, whereNothingWas: true) : view.changed(path)
            }
            // An answer that was lost is looked up.
            guard error.isUndecided, here == nil else { throw view.failure(error, at: target, whereNothingWas: true) }
        }
        guard let moved = try await view.look(target), moved.kind == .file, moved.version.size == expected.size else {
            throw view.changed(target)
        }
        return moved.version
    }

    // MARK: Removing

    /// Removes a file or an empty directory.
    func remove(_ path: RelativePath, kind: EntryKind, expecting expected: Version) async throws(EffectFailure) {
        do throws(DAVFailure) {
            if kind == .directory { return try await removeDirectory(path, expected) }
            if view.traits.movesByTag, let tag = view.versions.entityTag(of: expected) {
                return try await removeFile(path, if: .version(tag))
            }
            try await expectedItems.hold(expected, at: path, kind: kind) { lock throws(DAVFailure) in
                try await self.removeFile(path, if: .none, lock: lock)
            }
        } catch {
            throw view.failure(error, at: path)
        }
    }

    /// Removes a file. An answer that was lost is looked up.
    private func removeFile(_ path: RelativePath, if condition: Condition, lock: String? = nil) async throws(DAVFailure)
    {
        do throws(DAVFailure) {
            _ = try await view.client.remove(path, isDirectory: false, if: condition, lock: lock)
        } catch {
            guard error.isUndecided, try await view.entry(path) == nil else { throw error }
        }
    }

    /// Removes a directory that is empty. A server removes all that is in it, also what came a moment ago: it is moved
    /// aside first, where nobody puts anything, and looked at there. Where dot-files do not show, nobody knows whether it
    /// holds some: it stays aside.
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
}
