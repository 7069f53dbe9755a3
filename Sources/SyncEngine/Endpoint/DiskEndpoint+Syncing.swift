import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// Making renames durable.
extension DiskEndpoint {
    func syncRenames(_ items: [BarrierItem]) throws(EffectFailure) {
        let unsynced = withUnsynced { unsynced in
            defer { unsynced = UnsyncedChanges() }
            return unsynced
        }
        do throws(EffectFailure) {
            try attempt(.root) { workspace throws(Errno) in try synchronize(items, unsynced, in: workspace) }
        } catch {
            withUnsynced { $0.add(unsynced) }
            throw error
        }
        pruneKept()
    }

    private func synchronize(
        _ items: [BarrierItem], _ unsynced: UnsyncedChanges, in workspace: Workspace
    ) throws(Errno) {
        let root = workspace.directory
        let own = unsynced.places
        let reached = Mutex<Set<UnsyncedChanges.DirectoryID>>([])
        let isAnyLost = Atomic(false)
        let isWhole = try Durability.synchronize(
            count: items.count + own.count,
            // One sync does not reach other file systems.
            kind: workspace.hasNested ? .foreign : workspace.kind, fileSystem: root.descriptor
        ) { index throws(Errno) in
            if index >= items.count { return try own[index - items.count].open() }
            do throws(Errno) {
                let opened = try root.open(items[index].path, DirectoryHandle.reading)
                let status = try opened.status()
                let wanted = items[index].identity
                // Another item is there now: the one that was meant may be anywhere.
                if !wanted.isEmpty && versions.version(of: status).identity != wanted {
                    isAnyLost.store(true, ordering: .relaxed)
                }
                reached.withLock { _ = $0.insert(UnsyncedChanges.DirectoryID(status)) }
                return opened
            } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .noSuchAddressOrDevice,
                .permissionDenied
            {
                // It was renamed, replaced by something else, or closed to its owner.
                isAnyLost.store(true, ordering: .relaxed)
                return nil
            }
        }
        if isWhole { return }
        let isReached = reached.withLock { unsynced.directories.isSubset(of: $0) }
        if isReached && !isAnyLost.load(ordering: .relaxed) { return }
        for place in workspace.all { try place.directory.descriptor.synchronizeFileSystem() }
    }
}
