internal import RoundelBus
internal import SyncCore
internal import SyncEngine

/// What was kept of one folder, on both sides. Asks disks that may not answer.
struct KeptOfFolder: Sendable {
    private let local: any Endpoint
    private let remote: any Endpoint
    private let explainer: Explainer

    /// What was put back.
    struct Restored: Sendable {
        /// Where what was asked for is now, and on which side.
        var place: RelativePath
        var side: Side
        /// Everything, with the side on which it was put back.
        var items: [(side: Side, path: RelativePath)]
    }

    init(_ folder: SyncEngine.SyncFolder, _ explainer: Explainer) {
        self.explainer = explainer
        local = folder.local
        remote = folder.remote
    }

    private func keeper(_ side: Side) -> (any KeepsVersions)? {
        switch side {
        case .local: local as? any KeepsVersions
        case .remote: remote as? any KeepsVersions
        }
    }

    /// What was kept on one side, the newest first.
    func versions(on side: Side) throws(EffectFailure) -> [KeptVersion] {
        try keeper(side)?.keptVersions() ?? []
    }

    /// Puts an item back: the version with this id, or the newest. A path of which itself nothing was kept, or only
    /// that it was a directory, stands for everything below it that was deleted.
    /// - Throws: `NotInTrash`, or `Failed` where it cannot be put back.
    func restore(_ path: RelativePath, id: String?, of item: ItemURI) throws(WorkerError) -> Restored {
        var found: [(side: Side, version: KeptVersion)] = []
        var unlisted: EffectFailure?
        for side in Side.allCases {
            do {
                found += try versions(on: side).map { (side, $0) }
            } catch {
                unlisted = error
            }
        }
        let own = found.filter { $0.version.path == path && (id == nil || id == $0.version.identifier) }
        let newest = own.max { $0.version.date < $1.version.date }
        if let newest, id != nil || !newest.version.isNote { return try putBack([newest]) }
        let tree = Self.newestDeleted(of: found, from: path)
        if !tree.isEmpty {
            var restored = try putBack(tree)
            (restored.place, restored.side) = (path, tree.contains { $0.side == .remote } ? .remote : .local)
            return restored
        }
        throw unlisted.map { .notKept(item, unlisted: explainer.sentence($0.message)) } ?? .notKept(item)
    }

    /// Of each path at or below one the newest version that was deleted, directories before what is in them.
    private static func newestDeleted(
        of found: [(side: Side, version: KeptVersion)], from path: RelativePath
    ) -> [(side: Side, version: KeptVersion)] {
        var newest: [RelativePath: (side: Side, version: KeptVersion)] = [:]
        for item in found where item.version.reason == .deleted && item.version.path.names.starts(with: path.names) {
            let known = newest[item.version.path]
            if known == nil || known?.version.date ?? 0 < item.version.date { newest[item.version.path] = item }
        }
        return newest.values.sorted { first, second in
            first.version.path.names.lexicographicallyPrecedes(second.version.path.names)
        }
    }

    private func putBack(_ chosen: [(side: Side, version: KeptVersion)]) throws(WorkerError) -> Restored {
        var items: [(side: Side, path: RelativePath)] = []
        for item in chosen {
            do {
                if let place = try keeper(item.side)?.restore(item.version) { items.append((item.side, place)) }
            } catch {
                throw .notRestored(explainer.sentence(error.message), done: items.count, of: chosen.count)
            }
        }
        guard let last = items.last else { throw .keepsNothing }
        return Restored(place: last.path, side: last.side, items: items)
    }
}

extension KeptVersion {
    /// Names it among what was kept of all folders.
    var identifier: String { place.rawValue + ":" + id }

    /// Whether nothing but a note says that there was a directory.
    fileprivate var isNote: Bool {
        switch place {
        case .desktop: false
        case .store, .remote: isDirectory
        }
    }
}
