import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func remove(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) {
        let (parent, name) = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.parent(of: path)
        }
        let status = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, expected, kind: kind) else { throw changed(path) }
        if kind == .directory {
            return try attempt(path) { _ throws(Errno) in try parent.removeDirectory(name) }
        }
        let trash = try attempt(path) { workspace throws(Errno) in workspace.trash }
        if let trash, try take(into: trash, name, from: parent, path, status) { return }
        try take(name, from: parent, path, status)
    }

    /// Moves a file, or a directory with all that is in it, into the desktop's trash; false if that cannot take it.
    func take(
        into trash: DesktopTrash, _ name: EntryName, from parent: DirectoryHandle, _ path: RelativePath,
        _ status: FileStatus
    ) throws(EffectFailure) -> Bool {
        let trashed: EntryName
        do throws(Errno) {
            trashed = try trash.take(name, from: parent, path: path, date: Self.seconds())
        } catch .noSuchFileOrDirectory {
            throw EffectFailure(Errno.noSuchFileOrDirectory, path, in: place)
        } catch {
            return false
        }
        guard let now = try? trash.status(of: trashed), now.inode == status.inode,
            status.kind == .directory || now.hasSameContents(as: status)
        else {
            // Another version came in between. It goes back; should its place be taken again, the trash keeps it.
            try? trash.restore(trashed, to: name, in: parent)
            throw changed(path)
        }
        return true
    }

    /// Moves a file into the store of replaced versions, and out of the world if nothing is to be kept.
    func take(
        _ name: EntryName, from parent: DirectoryHandle, _ path: RelativePath, _ status: FileStatus
    ) throws(EffectFailure) {
        let replaced = try attempt(path) { workspace throws(Errno) in try workspace.replaced() }
        let slot = try attempt(path) { _ throws(Errno) in
            let slot = try replaced.announce(path: path, date: Self.seconds())
            do throws(Errno) {
                try parent.renameWithoutReplacing(name, to: slot, in: replaced.directory)
            } catch {
                try? replaced.discard(slot)
                throw error
            }
            return slot
        }
        guard let now = try? replaced.directory.status(of: slot), now.hasSameContents(as: status) else {
            try? replaced.directory.renameWithoutReplacing(slot, to: name, in: parent)
            throw changed(path)
        }
        if case .discard = disposal { try? replaced.discard(slot) }
    }
}
