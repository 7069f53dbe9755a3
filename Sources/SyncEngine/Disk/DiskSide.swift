import SyncCore
import SystemPackage

/// A side that is a directory tree on a disk. What both kinds do alike is here; each decides what becomes of what it
/// removes.
protocol DiskSide: Endpoint, KeepsVersions {
    var disk: DiskTree { get }
}

extension DiskSide {
    func root() -> RootState { disk.root.look() }

    func mark(knownAs known: Token) throws(EffectFailure) -> Token { try disk.root.mark(knownAs: known) }

    func requireMounted(_ paths: [RelativePath]) throws(EffectFailure) { try disk.root.requireMounted(paths) }

    func rest() { disk.rest() }

    // MARK: Looking

    func list(_ path: RelativePath, _ part: ListingPart) throws(EffectFailure) -> ListingPage {
        try disk.reader.list(path, part)
    }

    func entry(_ path: RelativePath, in directory: Token) throws(EffectFailure) -> ListedEntry? {
        try disk.reader.entry(path, in: directory)
    }

    func open(_ path: RelativePath, expecting expected: Version) throws(EffectFailure) -> any ContentSource {
        try disk.reader.open(path, expecting: expected)
    }

    // MARK: Staging

    func stage(
        _ id: StageID, from source: any ContentSource, near path: RelativePath, progress: (Int64) -> Bool
    ) async throws(EffectFailure) -> (hash: ContentHash, size: Int64) {
        try await disk.staging.stage(id, from: source, near: path, progress)
    }

    func syncContents(_ ids: [StageID]) throws(EffectFailure) { try disk.staging.syncContents(ids) }

    func discard(_ ids: [StageID]) { disk.staging.discard(ids) }

    // MARK: Changing

    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Placed {
        try disk.placement.publish(id, at: path, replacing: expected, permissions: permissions)
    }

    func makeDirectory(_ path: RelativePath, permissions: Permissions?) throws(EffectFailure) -> Version {
        try disk.placement.makeDirectory(path, permissions: permissions)
    }

    func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) throws(EffectFailure) -> Placed {
        try disk.permissions.set(path, kind: kind, expecting: expected, to: permissions)
    }

    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> Version {
        try disk.placement.move(path, to: target, kind: kind, expecting: expected)
    }

    func syncRenames(_ items: [BarrierItem]) throws(EffectFailure) {
        try disk.barrier.syncRenames(items)
        disk.keeper.prune()
    }

    // MARK: Kept versions

    func keptVersions() throws(EffectFailure) -> [KeptVersion] {
        try disk.root.attempt(.root) { _ throws(Errno) in try disk.keeper.stores().versions() }
    }

    func keptVersions(_ page: KeptPage) throws(EffectFailure) -> [KeptVersion] {
        try disk.root.attempt(.root) { _ throws(Errno) in try disk.keeper.stores().versions(page) }
    }

    func restore(_ version: KeptVersion, below place: FilePath?) throws(EffectFailure) -> RelativePath {
        let (stores, root) = try disk.root.attempt(version.path) { workspace throws(Errno) in
            (
                try disk.keeper.stores(),
                try place.map { path throws(Errno) in try DirectoryHandle(absolute: path) } ?? workspace.directory
            )
        }
        return try stores.restore(version, below: root)
    }

    func delete(_ version: KeptVersion) throws(EffectFailure) {
        try disk.root.attempt(version.path) { _ throws(Errno) in try disk.keeper.stores() }.delete(version)
    }
}
