internal import RoundelBus
internal import Support
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// A kept version and the side that keeps it.
struct KeptItem: Sendable {
    var side: Side
    var version: KeptVersion
}

/// The kept versions of one folder on both sides, whether it is still synced or not. Reads disks, which may not
/// respond.
struct KeptOfFolder: Sendable {
    private let keepers: [Side: any KeepsVersions]
    private let removed: [Side: RemovedSide]
    private let folder: FilePath
    private let explainer: Explainer

    /// The result of restoring.
    struct Restored: Sendable {
        /// The place of the requested item now, and its side.
        var place: RelativePath
        var side: Side
        /// All restored items, with the side of each.
        var items: [(side: Side, path: RelativePath)]
    }

    /// For a folder that is synced.
    init(_ folder: SyncEngine.SyncFolder, at path: FilePath, _ explainer: Explainer) {
        keepers = [.local: folder.local as? any KeepsVersions, .remote: folder.remote as? any KeepsVersions]
            .compactMapValues { $0 }
        removed = [:]
        self.folder = path
        self.explainer = explainer
    }

    /// For a folder that is no longer synced.
    init(removed sides: [Side: RemovedSide], at path: FilePath, _ explainer: Explainer) {
        (keepers, removed) = (sides, sides)
        folder = path
        self.explainer = explainer
    }

    /// The kept versions of one side, the newest first.
    func versions(on side: Side) throws(EffectFailure) -> [KeptVersion] {
        try keepers[side]?.keptVersions() ?? []
    }

    /// A part of those of one side, and one version more where there are more.
    func versions(on side: Side, _ page: KeptPage) throws(EffectFailure) -> [KeptVersion] {
        try keepers[side]?.keptVersions(page) ?? []
    }

    /// The kept versions of the sides that can be read, and the failure if one cannot.
    func versions() -> (items: [KeptItem], unlisted: EffectFailure?) {
        var found: [KeptItem] = []
        var unlisted: EffectFailure?
        for side in Side.allCases {
            do throws(EffectFailure) {
                found += try versions(on: side).map { KeptItem(side: side, version: $0) }
            } catch {
                unlisted = error
            }
        }
        return (found, unlisted)
    }

    /// Removes old versions of a folder that is no longer synced. Returns how many versions are still kept; nil if a
    /// side cannot be read.
    func age() -> Int? {
        var count: Int? = 0
        for side in removed.values {
            guard let kept = try? side.age() else {
                count = nil
                continue
            }
            count = count.map { $0 + kept }
        }
        return count
    }

    /// Removes what syncing needed, and the engine's directories in which nothing is kept, of a folder that is no longer
    /// synced.
    func removeRemains() { for side in removed.values { side.removeRemains() } }

    // MARK: Restoring

    /// Restores an item: the version with this ID, or the newest. If nothing was kept of the path itself, or only a
    /// note that it was a directory, this restores everything below it that was deleted.
    ///
    /// - Parameter place: A directory below which to restore; nil to restore to the original place.
    /// - Throws: `NotInTrash`, or `Failed` if it cannot be restored.
    func restore(
        _ path: RelativePath, id: String?, of item: ItemURI, to place: FilePath?
    ) throws(WorkerError) -> Restored {
        let (found, unlisted) = versions()
        let own = found.filter { $0.version.path == path && (id == nil || id == $0.version.identifier) }
        let newest = own.max { $0.version.age < $1.version.age }
        if let newest, id != nil || !newest.version.isNote { return try putBack([newest], to: place) }
        let tree = Self.newestDeleted(of: found, from: path)
        if !tree.isEmpty {
            var restored = try putBack(tree, to: place)
            (restored.place, restored.side) = (path, tree.contains { $0.side == .remote } ? .remote : .local)
            return restored
        }
        throw unlisted.map { .notKept(item, unlisted: explainer.sentence($0.message)) } ?? .notKept(item)
    }

    /// The newest deleted version of each path at or below `path`, directories before their contents.
    private static func newestDeleted(of found: [KeptItem], from path: RelativePath) -> [KeptItem] {
        var newest: [RelativePath: KeptItem] = [:]
        for item in found where item.version.reason == .deleted && item.version.path.names.starts(with: path.names) {
            let known = newest[item.version.path]
            if known.map({ $0.version.age < item.version.age }) ?? true { newest[item.version.path] = item }
        }
        return sorted(newest.values)
    }

    private static func sorted(_ items: some Sequence<KeptItem>) -> [KeptItem] {
        items.sorted { $0.version.path.names.lexicographicallyPrecedes($1.version.path.names) }
    }

    private func putBack(_ chosen: [KeptItem], to place: FilePath?) throws(WorkerError) -> Restored {
        var items: [(side: Side, path: RelativePath)] = []
        for item in chosen {
            do throws(WorkerError) {
                items.append((item.side, try putBack(item, to: place)))
            } catch {
                throw .notRestored(error, done: items.count, of: chosen.count)
            }
        }
        guard let last = items.last else { throw .keepsNothing }
        return Restored(place: last.path, side: last.side, items: items)
    }

    /// Restores one version; returns its place now.
    func putBack(_ item: KeptItem, to place: FilePath?) throws(WorkerError) -> RelativePath {
        guard let keeper = keepers[item.side] else { throw .keepsNothing }
        do throws(EffectFailure) {
            return try keeper.restore(item.version, below: place)
        } catch {
            let isPlaceGone = [.rootMissing, .rootReplaced].contains(error.message.code)
            if isPlaceGone && !removed.isEmpty { throw .placeGone(item.side, of: folder) }
            throw WorkerError(.failed, explainer.sentence(error.message))
        }
    }

    // MARK: Deleting

    /// Permanently deletes the versions kept at or below a path, except those in the desktop's trash.
    func delete(_ path: RelativePath) -> SyncDeletedVersions {
        let (found, unlisted) = versions()
        var deleted = SyncDeletedVersions()
        deleted.isPartial = unlisted != nil
        for item in found where item.version.path.names.starts(with: path.names) {
            if item.version.place == .desktop {
                deleted.desktop += 1
            } else if let keeper = keepers[item.side], (try? keeper.delete(item.version)) != nil {
                deleted.versions += 1
                deleted.bytes += item.version.size
            } else {
                deleted.isPartial = true
            }
        }
        return deleted
    }
}

extension KeptVersion {
    /// A sort key: smaller values were removed earlier.
    var age: (Int64, Int64) { (date, stored) }

    /// Whether it is only a note that a directory existed.
    var isNote: Bool {
        switch place {
        case .desktop: false
        case .store, .remote: isDirectory
        }
    }
}

extension WorkerError {
    static func notKept(_ item: ItemURI) -> WorkerError {
        WorkerError(
            .notInTrash, tr("There is no kept version of “{1}”.", ShownPath.short(item.filePath)))
    }

    fileprivate static func notKept(_ item: ItemURI, unlisted why: String) -> WorkerError {
        WorkerError(
            .notInTrash,
            tr("Nothing was found of “{1}”, but one side could not be asked: {2}", ShownPath.short(item.filePath), why))
    }

    /// - Parameter path: The path of the folder that is no longer synced.
    fileprivate static func placeGone(_ side: Side, of path: FilePath) -> WorkerError {
        WorkerError(
            .placeGone,
            side == .local
                ? tr(
                    """
                    “{1}” is no longer synced and is missing, or another folder is in its place. Name a directory to \
                    restore to.
                    """, ShownPath.short(path))
                : tr(
                    """
                    The remote of “{1}”, which is no longer synced, is missing, or another directory is in its \
                    place. Name a directory to restore to.
                    """, ShownPath.short(path)))
    }

    fileprivate static var keepsNothing: WorkerError { WorkerError(.failed, tr("This folder keeps nothing.")) }

    /// - Parameter done: The number of items that were restored before the failure.
    fileprivate static func notRestored(_ why: WorkerError, done: Int, of all: Int) -> WorkerError {
        if done == 0 { return why }
        return WorkerError(
            .failed,
            tr(
                done, one: "1 of {2} items was restored. {3}", other: "{1} of {2} items were restored. {3}", "\(all)",
                why.message))
    }
}
