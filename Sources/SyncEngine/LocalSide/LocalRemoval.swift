import SyncCore
import SystemPackage

/// Removes items of the user's folder, into the desktop's trash where there is one.
struct LocalRemoval: Sendable {
    let disk: DiskTree

    /// Removes a file or an empty directory. A file goes to the trash or, without one, to the store of replaced
    /// versions.
    func remove(_ path: RelativePath, _ kind: EntryKind, expecting expected: Version) throws(EffectFailure) {
        let item = try disk.removable(path, kind, expecting: expected)
        if kind == .directory {
            return try disk.root.attempt(path) { _ throws(Errno) in try item.parent.removeDirectory(item.name) }
        }
        // There is nothing in it that could be restored.
        if item.status.placeholder != nil { return try disk.keeper.removePlaceholder(item, at: path) }
        let own = try disk.root.workspace(holding: path, in: item.parent)
        if try take(item, at: path, intoTrashOf: own) { return }
        try disk.keeper.take(item, at: path, .deleted)
    }

    /// Moves an item to the trash, a directory with everything in it.
    func discard(_ item: LocalItem) throws(EffectFailure) {
        if item.kind == .file { return try remove(item.path, .file, expecting: item.expected) }
        let found = try disk.find(item)
        let own = try requireTrash(for: found, at: item.path)
        try disk.barrier.noteChange(in: found.parent, at: item.path)
        guard try take(found, at: item.path, intoTrashOf: own) else { throw noTrash(for: item.path) }
    }

    /// The workspace of the file system that the item is on; fails if that has no trash.
    @discardableResult
    func requireTrash(for item: FoundItem, at path: RelativePath) throws(EffectFailure) -> Workspace {
        let own = try disk.root.workspace(holding: path, in: item.parent)
        if own.trash == nil { throw noTrash(for: path) }
        return own
    }

    private func noTrash(for path: RelativePath) -> EffectFailure {
        EffectFailure(.denied, .noTrash, .local, path)
    }

    /// Moves a file, or a directory with its contents, into the desktop's trash on its file system; false if there is
    /// no trash or it cannot take it.
    private func take(
        _ item: FoundItem, at path: RelativePath, intoTrashOf workspace: Workspace
    ) throws(EffectFailure) -> Bool {
        guard let trash = workspace.trash else { return false }
        let trashed: EntryName
        do throws(Errno) {
            let below = RelativePath(Array(path.names.dropFirst(workspace.prefix.names.count)))
            trashed = try trash.take(item.name, from: item.parent, path: below, date: KeptNote.now())
            disk.barrier.note { $0.note(trashed: DesktopTrash.note(for: trashed), in: trash) }
        } catch .noSuchFileOrDirectory {
            throw EffectFailure(Errno.noSuchFileOrDirectory, path, on: .local)
        } catch {
            return false
        }
        guard let now = try? trash.status(of: trashed), now.inode == item.status.inode,
            item.status.kind == .directory || now.hasSameContents(as: item.status)
        else {
            // Another version came in between. It is moved back; if its place is taken again, it stays in the trash.
            try? trash.restore(trashed, to: item.name, in: item.parent)
            throw disk.root.changed(path)
        }
        return true
    }
}
