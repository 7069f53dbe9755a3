import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// Remembers what was changed in a tree, and makes it durable.
final class RenameBarrier: Sendable {
    private let root: DiskRoot
    private let unsynced = Mutex(UnsyncedChanges())

    init(in root: DiskRoot) {
        self.root = root
    }

    /// The entries of a directory are about to change.
    func noteChange(in directory: DirectoryHandle, at path: RelativePath) throws(EffectFailure) {
        let status = try root.attempt(path) { _ throws(Errno) in try directory.whereabouts() }
        unsynced.withLock { $0.note(UnsyncedChanges.DirectoryID(status)) }
    }

    /// Notes what else is about to change.
    func note(_ change: (inout UnsyncedChanges) -> Void) {
        unsynced.withLock { change(&$0) }
    }

    /// The names of the versions that were put away since renames were last made durable.
    var announcedSlots: Set<EntryName> { unsynced.withLock { $0.slots } }

    /// Forgets what was changed. Its open directories would keep a file system from being unmounted; a finished batch
    /// has synced them.
    func rest() {
        unsynced.withLock { $0 = UnsyncedChanges() }
    }

    /// Makes what was noted durable, and these items.
    func syncRenames(_ items: [BarrierItem]) throws(EffectFailure) {
        let noted = unsynced.withLock { unsynced in
            defer { unsynced = UnsyncedChanges() }
            return unsynced
        }
        do throws(EffectFailure) {
            try root.attempt(.root) { workspace throws(Errno) in try synchronize(items, noted, in: workspace) }
        } catch {
            unsynced.withLock { $0.add(noted) }
            throw error
        }
    }

    private func synchronize(
        _ items: [BarrierItem], _ unsynced: UnsyncedChanges, in workspace: Workspace
    ) throws(Errno) {
        let directory = workspace.directory
        let own = unsynced.places
        let reached = Mutex<Set<UnsyncedChanges.DirectoryID>>([])
        let isAnyLost = Atomic(false)
        let isWhole = try Durability.synchronize(
            count: items.count + own.count,
            // One sync does not reach other file systems.
            whole: workspace.hasNested ? nil : workspace.wholeSynchronization
        ) { index throws(Errno) in
            if index >= items.count { return try own[index - items.count].open() }
            do throws(Errno) {
                let opened = try directory.open(items[index].path, DirectoryHandle.reading)
                let status = try opened.status()
                let wanted = items[index].identity
                // Another item is there now: the one that was meant may be anywhere.
                if !wanted.isEmpty && root.versions.version(of: status).identity != wanted {
                    isAnyLost.store(true, ordering: .relaxed)
                }
                reached.withLock { _ = $0.insert(UnsyncedChanges.DirectoryID(status)) }
                return opened
            } catch .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .noSuchAddressOrDevice,
                .permissionDenied, .noData
            {
                // It was renamed, replaced by something else, or closed to its owner; or its contents are away.
                isAnyLost.store(true, ordering: .relaxed)
                return nil
            }
        }
        if isWhole { return }
        let isReached = reached.withLock { unsynced.directories.isSubset(of: $0) }
        if isReached && !isAnyLost.load(ordering: .relaxed) { return }
        for place in workspace.all { try place.synchronizeFileSystem() }
    }
}
