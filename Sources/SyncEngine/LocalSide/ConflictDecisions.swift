import Glibc
import SyncCore
import SystemPackage

/// Carries out decisions on conflicts: an item takes the place of another, which is kept.
struct ConflictDecisions: Sendable {
    let disk: DiskTree
    let removal: LocalRemoval

    /// Moves an item to the place of another, which is kept: a file replaced by a file among the replaced versions,
    /// anything else in the trash.
    func replace(_ replaced: LocalItem, with item: LocalItem) throws(EffectFailure) -> Version {
        let found = try disk.find(item)
        let pair = ItemPair(replaced: try disk.find(replaced), item: found)
        let areFiles = item.kind == .file && replaced.kind == .file
        if !areFiles { try removal.requireTrash(for: pair.item, at: item.path) }
        try disk.barrier.noteChange(in: pair.replaced.parent, at: replaced.path)
        try disk.barrier.noteChange(in: pair.item.parent, at: item.path)
        do throws(Errno) {
            try pair.exchange()
        } catch let error where error.isUnsupported {
            if areFiles { return try replaceByRename(pair, at: replaced.path) }
            try removal.discard(replaced)
            return try disk.placement.move(
                item.path, to: replaced.path, kind: item.kind, expecting: item.expected)
        } catch {
            throw EffectFailure(error, replaced.path, on: .local)
        }
        do throws(EffectFailure) {
            let (here, old) = try disk.root.attempt(replaced.path) { _ throws(Errno) in try pair.looks() }
            guard here.isSameItem(as: pair.item.status), old.isSameItem(as: pair.replaced.status) else {
                throw disk.root.changed(replaced.path)
            }
            if areFiles {
                let left = FoundItem(parent: pair.item.parent, name: pair.item.name, status: old)
                try disk.keeper.take(left, at: replaced.path, .replaced)
            } else {
                let expected = disk.root.versions.version(of: old)
                try removal.discard(LocalItem(path: item.path, kind: replaced.kind, expected: expected))
            }
            showAnew(pair.replaced)
            return disk.placement.placed(here, pair.replaced.name, in: pair.replaced.parent)
        } catch {
            pair.takeBack()
            throw error
        }
    }

    /// Makes file managers refresh the item at a name.
    ///
    /// They see an exchange as two renames, and mix up what they know of the two items. A change of attributes that
    /// changes nothing makes them ask again; where that is not permitted, they show the old emblem until their window
    /// is refreshed.
    private func showAnew(_ place: FoundItem) {
        guard let file = try? place.parent.open(place.name, DirectoryHandle.reading),
            let status = try? file.status(), status.mode & 0o7000 == 0
        else { return }
        try? file.setPermissions(status.mode)
    }

    /// For file systems that cannot exchange names: the old version gets a second name in the store, and the item is
    /// renamed over it.
    private func replaceByRename(_ pair: ItemPair, at path: RelativePath) throws(EffectFailure) -> Version {
        let (old, item) = (pair.replaced, pair.item)
        let slot = try disk.keeper.keepBeforeRename(old, at: path)
        do throws(Errno) {
            try item.parent.rename(item.name, to: old.name, in: old.parent)
        } catch {
            try? disk.root.workspace(of: old.parent, at: path.parent).replaced().discard(slot)
            throw EffectFailure(error, path, on: .local)
        }
        return disk.placement.placed(item.status, old.name, in: old.parent)
    }
}
