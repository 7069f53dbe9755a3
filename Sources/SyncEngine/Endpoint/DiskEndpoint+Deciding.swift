import Glibc
import SyncCore
import SystemPackage

/// Carries out decisions on conflicts on this side.
extension DiskEndpoint {
    func replace(_ replaced: LocalItem, with item: LocalItem) throws(EffectFailure) -> Version {
        let found = try find(item)
        let pair = ItemPair(replaced: try find(replaced), item: found)
        let areFiles = item.kind == .file && replaced.kind == .file
        if !areFiles { _ = try requireTrash(for: pair.item, at: item.path) }
        try noteChange(in: pair.replaced.parent, at: replaced.path)
        try noteChange(in: pair.item.parent, at: item.path)
        do throws(Errno) {
            try pair.exchange()
        } catch let error where error.isUnsupported {
            if areFiles { return try replaceByRename(pair, at: replaced.path) }
            try discard(replaced)
            return try move(item.path, to: replaced.path, kind: item.kind, expecting: item.expected)
        } catch {
            throw EffectFailure(error, replaced.path, on: side)
        }
        do throws(EffectFailure) {
            let (here, old) = try attempt(replaced.path) { _ throws(Errno) in try pair.looks() }
            guard here.isSameItem(as: pair.item.status), old.isSameItem(as: pair.replaced.status) else {
                throw changed(replaced.path)
            }
            let (parent, name) = (pair.item.parent, pair.item.name)
            if areFiles {
                try take(name, from: parent, replaced.path, old, .replaced)
            } else {
                try discard(LocalItem(path: item.path, kind: replaced.kind, expected: versions.version(of: old)))
            }
            showAnew(pair.replaced)
            return placed(here, pair.replaced.name, in: pair.replaced.parent)
        } catch {
            takeBack(pair)
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

    func discard(_ item: LocalItem) throws(EffectFailure) {
        if item.kind == .file { return try remove(item.path, kind: .file, expecting: item.expected) }
        let found = try find(item)
        let own = try requireTrash(for: found, at: item.path)
        try noteChange(in: found.parent, at: item.path)
        guard try take(intoTrashOf: own, found.name, from: found.parent, item.path, found.status) else {
            throw noTrash(for: item.path)
        }
    }

    /// The workspace of the file system that the item is on; fails if that has no trash.
    private func requireTrash(for item: FoundItem, at path: RelativePath) throws(EffectFailure) -> Workspace {
        let own = try attempt(path) { _ throws(Errno) in try workspace(of: item.parent, at: path.parent) }
        if own.trash == nil { throw noTrash(for: path) }
        return own
    }

    private func noTrash(for path: RelativePath) -> EffectFailure {
        EffectFailure(.denied, .noTrash, side, path)
    }

    /// For file systems that cannot exchange names: the old version gets a second name in the store, and the item is
    /// renamed over it.
    private func replaceByRename(_ pair: ItemPair, at path: RelativePath) throws(EffectFailure) -> Version {
        let (old, item) = (pair.replaced, pair.item)
        let slot = try keepBeforeRename(old.name, in: old.parent, at: path, old.status)
        do throws(Errno) {
            try item.parent.rename(item.name, to: old.name, in: old.parent)
        } catch {
            try? workspace(of: old.parent, at: path.parent).replaced().discard(slot)
            throw EffectFailure(error, path, on: side)
        }
        return placed(item.status, old.name, in: old.parent)
    }
}
