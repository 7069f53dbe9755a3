internal import RoundelBus
internal import SyncCore
internal import SyncEngine
internal import SystemPackage

/// A version that is kept, with the side that keeps it.
struct KeptItem: Sendable {
    var side: Side
    var version: KeptVersion
}

/// What was kept of one folder, on both sides, whether it is still synced or not. Asks disks that may not answer.
struct KeptOfFolder: Sendable {
    private let keepers: [Side: any KeepsVersions]
    private let removed: [Side: RemovedSide]
    private let folder: FilePath
    private let explainer: Explainer

    /// What was put back.
    struct Restored: Sendable {
        /// Where what was asked for is now, and on which side.
        var place: RelativePath
        var side: Side
        /// Everything, with the side on which it was put back.
        var items: [(side: Side, path: RelativePath)]
    }

    /// Of a folder that is synced.
    init(_ folder: SyncEngine.SyncFolder, at path: FilePath, _ explainer: Explainer) {
        keepers = [.local: folder.local as? any KeepsVersions, .remote: folder.remote as? any KeepsVersions]
            .compactMapValues { $0 }
        removed = [:]
        self.folder = path
        self.explainer = explainer
    }

    /// Of one that no longer is.
    init(removed sides: [Side: RemovedSide], at path: FilePath, _ explainer: Explainer) {
        (keepers, removed) = (sides, sides)
        folder = path
        self.explainer = explainer
    }

    /// What was kept on one side, the newest first.
    func versions(on side: Side) throws(EffectFailure) -> [KeptVersion] {
        try keepers[side]?.keptVersions() ?? []
    }

    /// What was kept on both sides, as far as they can be asked, and why one of them cannot.
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

    /// Removes what is too old of a folder that is no longer synced; returns how many versions are still kept, nil where
    /// a side cannot be asked.
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

    // MARK: Putting back

    /// Puts an item back: the version with this id, or the newest. A path of which itself nothing was kept, or only
    /// that it was a directory, stands for everything below it that was deleted.
    ///
    /// - Parameter place: A directory below which it is put back; nil for where it was.
    /// - Throws: `NotInTrash`, or `Failed` where it cannot be put back.
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

    /// Of each path at or below one the newest version that was deleted, directories before what is in them.
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
                throw .notRestored(error.message, done: items.count, of: chosen.count)
            }
        }
        guard let last = items.last else { throw .keepsNothing }
        return Restored(place: last.path, side: last.side, items: items)
    }

    /// Puts one version back; returns where it is now.
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

    /// What Delete did.
    struct Deleted: Sendable {
        var items: UInt64 = 0
        var bytes: UInt64 = 0
        /// Items that are in the desktop's trash and stay there.
        var desktop: UInt64 = 0
        /// Whether a side could not be asked, or something could not be deleted.
        var isPartial = false
    }

    /// Deletes for good what is kept at or below a path, but in the desktop's trash.
    func delete(_ path: RelativePath) -> Deleted {
        let (found, unlisted) = versions()
        var deleted = Deleted(isPartial: unlisted != nil)
        for item in found where item.version.path.names.starts(with: path.names) {
            if item.version.place == .desktop {
                deleted.desktop += 1
            } else if let keeper = keepers[item.side], (try? keeper.delete(item.version)) != nil {
                deleted.items += 1
                deleted.bytes += item.version.size
            } else {
                deleted.isPartial = true
            }
        }
        return deleted
    }
}

extension KeptVersion {
    /// Names it among what was kept of all folders.
    var identifier: String { place.rawValue + ":" + id }

    /// What is less went before.
    var age: (Int64, Int64) { (date, stored) }

    /// Whether nothing but a note says that there was a directory.
    var isNote: Bool {
        switch place {
        case .desktop: false
        case .store, .remote: isDirectory
        }
    }
}
