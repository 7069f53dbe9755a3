import Glibc
import SyncCore
import SystemPackage

/// What follows here from a decision on a conflict.
extension DiskEndpoint {
    func replace(_ replaced: LocalItem, with item: LocalItem) throws(EffectFailure) -> Version {
        let (parent, name, status) = try find(item)
        guard item.kind == .file && replaced.kind == .file else {
            return try replaceWhole(replaced, with: item, name, in: parent, status)
        }
        let (newParent, newName) = try attempt(replaced.path) { workspace throws(Errno) in
            try workspace.directory.parent(of: replaced.path)
        }
        try exchange(
            StagedFile(name, in: parent, status: status), with: newName, in: newParent, at: replaced.path,
            expecting: replaced.expected)
        return placed(status, newName, in: newParent)
    }

    func discard(_ item: LocalItem) throws(EffectFailure) {
        if item.kind == .file { return try remove(item.path, kind: .file, expecting: item.expected) }
        let (parent, name, status) = try find(item)
        let trash = try attempt(item.path) { workspace throws(Errno) in workspace.trash }
        guard let trash, try take(into: trash, name, from: parent, item.path, status) else {
            throw EffectFailure(
                .denied, "“\(item.path)” cannot be put into the trash, so it stays. Move it elsewhere yourself.")
        }
    }

    /// The directory that holds an item, its name there and its status, if it is the expected one.
    private func find(_ item: LocalItem) throws(EffectFailure) -> (DirectoryHandle, EntryName, FileStatus) {
        let (parent, name) = try attempt(item.path) { workspace throws(Errno) in
            try workspace.directory.parent(of: item.path)
        }
        let status = try attempt(item.path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, item.expected, kind: item.kind) else { throw changed(item.path) }
        return (parent, name, status)
    }

    /// Both exchange their names, in one step where the file system can, and what stood in the way goes to the trash:
    /// at every moment each of them has a name.
    private func replaceWhole(
        _ replaced: LocalItem, with item: LocalItem, _ name: EntryName, in parent: DirectoryHandle,
        _ status: FileStatus
    ) throws(EffectFailure) -> Version {
        let (newParent, newName, old) = try find(replaced)
        do throws(Errno) {
            try parent.exchange(name, with: newName, in: newParent)
        } catch let error where error.isUnsupported {
            try discard(replaced)
            return try move(item.path, to: replaced.path, kind: item.kind, expecting: item.expected)
        } catch {
            throw EffectFailure(error, replaced.path, in: place)
        }
        do throws(EffectFailure) {
            let moved = try attempt(item.path) { _ throws(Errno) in try parent.status(of: name) }
            guard moved.inode == old.inode, replaced.kind == .directory || moved.hasSameContents(as: old),
                let here = try? newParent.status(of: newName), here.inode == status.inode,
                item.kind == .directory || here.hasSameContents(as: status)
            else { throw changed(replaced.path) }
            try discard(LocalItem(path: item.path, kind: replaced.kind, expected: versions.version(of: moved)))
            return versions.version(of: here)
        } catch {
            try? parent.exchange(name, with: newName, in: newParent)
            throw error
        }
    }
}
