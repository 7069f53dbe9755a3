package import SyncCore
package import SyncEngine

/// A collection on a WebDAV server as the remote of a folder.
///
/// No path ever shows a part of a file. If a server honours conditions, writes at once and responds with tags, a small
/// file is written in one request. Other contents are uploaded under a temporary name, checked there, and moved to
/// their place in one step. Requests that replace, move or remove an item contain the expected version if the server
/// honours that. If it does not, the item is checked before the request; a replaced or removed item is locked meanwhile
/// if the server supports locks, and a moved item is checked again after the request.
package final class WebDAVRemote: NetworkRemote, KeepsPartialTransfers {
    private let view: ServerView
    private let names: UsableNames
    private let serverRoot: ServerRoot
    private let staging: ServerStaging
    private let publishing: ServerPublishing
    private let changes: ServerChanges
    private let asides: AsideDirectories

    /// Creates a remote without sending a request.
    ///
    /// - Parameters:
    ///   - known: What the server can do, according to the last probe.
    ///   - owner: The name of the folder; files staged for other folders are left alone.
    ///   - transfers: The records of large transfers to the server; nil if later runs should not resume any.
    package init(
        _ client: DAVClient, traits known: KnownTraits, owner: EntryName, transfers: TransferLedger? = nil
    ) {
        view = ServerView(client, known)
        names = UsableNames(known)
        let area = ServerArea(view, owner: owner, transfers: transfers)
        asides = AsideDirectories(view, area, transfers)
        serverRoot = ServerRoot(view, area, asides)
        staging = ServerStaging(view, area, transfers)
        publishing = ServerPublishing(view, area)
        changes = ServerChanges(view, area, asides)
    }

    /// Creates a remote of a server whose traits do not change.
    package convenience init(
        _ client: DAVClient, traits: ServerTraits, owner: EntryName, transfers: TransferLedger? = nil
    ) {
        self.init(client, traits: KnownTraits(traits), owner: owner, transfers: transfers)
    }

    // MARK: Looking

    package func root() async -> RootState { await serverRoot.look() }

    package func mark(knownAs known: Token) async throws(EffectFailure) -> Token {
        try await serverRoot.mark(knownAs: known)
    }

    package func list(_ path: RelativePath, _ part: ListingPart) async throws(EffectFailure) -> ListingPage {
        do throws(DAVFailure) {
            try await asides.settle(in: path)
            let found = try await view.list(path)
            if !part.identity.isEmpty, !found.own.identity.isEmpty, found.own.identity != part.identity, !path.isRoot {
                throw DAVFailure(.conditionFailed)
            }
            let entries = part.after.map { last in found.entries.filter { last < $0.name } } ?? found.entries
            return ListingPage(entries: entries, isComplete: found.isComplete, tag: found.tag)
        } catch {
            throw view.failure(error, at: path)
        }
    }

    package func entry(_ path: RelativePath, in directory: Token) async throws(EffectFailure) -> ListedEntry? {
        if !directory.isEmpty, try await view.look(path.parent)?.version.identity != directory {
            throw view.changed(path.parent)
        }
        do throws(DAVFailure) {
            try await asides.settle(in: path.parent)
        } catch {
            throw view.failure(error, at: path)
        }
        return path.names.first == ServerArea.name ? nil : try await view.look(path)
    }

    package func open(
        _ path: RelativePath, expecting expected: Version
    ) async throws(EffectFailure) -> any ContentSource {
        try await ServerSource(at: path, expected, of: view)
    }

    // MARK: Staging

    package func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        // A file that the server cannot store under its name is not uploaded at all.
        try names.require(path)
        return try await staging.stage(id, from: source, near: path, progress: progress)
    }

    package func syncContents(_ ids: [StageID]) async throws(EffectFailure) { try await staging.syncContents(ids) }

    package func discard(_ ids: [StageID]) async { await staging.discard(ids) }

    package func removePartial(_ record: TransferRecord) async -> Bool { await staging.removePartial(record) }

    // MARK: Changing

    package func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) async throws(EffectFailure) -> Placed {
        try names.require(path)
        do throws(EffectFailure) {
            let version: Version
            var isMoved = true
            switch staging[id] {
            case nil: throw EffectFailure(.notFound, Explanation(.contentsGone, .remote, "\(path)"))
            case .uploaded(let uploaded):
                isMoved = expected == nil || uploaded.held == nil || !view.traits.replacesUnderLock
                version =
                    if !isMoved, let expected, let held = uploaded.held {
                        try await publishing.overwrite(expected, at: path, by: held)
                    } else {
                        try await publishing.place(uploaded, at: path, replacing: expected)
                    }
            case .held(let held): version = try await publishing.write(held, to: path, replacing: expected)
            }
            await staging.isPlaced(id, isMoved: isMoved)
            return Placed(version)
        } catch {
            if !error.leavesPartial { staging.doNotKeep(id) }
            throw error
        }
    }

    package func makeDirectory(
        _ path: RelativePath, permissions: Permissions?
    ) async throws(EffectFailure) -> Version {
        try names.require(path)
        return try await changes.makeDirectory(path)
    }

    /// Does nothing but check the item, because a server stores no permissions.
    package func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) async throws(EffectFailure) -> Placed {
        guard let found = try await view.look(path), found.kind == kind else { throw view.changed(path) }
        return Placed(found.version)
    }

    package func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) -> Version {
        try names.require(target)
        return try await changes.move(path, to: target, kind: kind, expecting: expected)
    }

    package func remove(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version
    ) async throws(EffectFailure) {
        try await changes.remove(path, kind: kind, expecting: expected)
    }

    package func removeTree(
        _ path: RelativePath, expecting expected: Version, tag: Token
    ) async throws(EffectFailure) {
        guard view.traits.removesTrees, !tag.isEmpty else {
            throw EffectFailure(.denied, Explanation(.denied, .remote, "\(path)"))
        }
        try names.require(path)
        try await changes.removeTree(path, expecting: expected, tag: tag)
    }
}
