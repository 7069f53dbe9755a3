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
        // A program that goes on writing would do so unseen, in a file that is in the trash.
        if kind == .file { try refuseWhileWritten(path, name, in: parent) }
        try noteChange(in: parent, at: path)
        if kind == .directory { return try removeDirectory(name, from: parent, path, status) }
        let own = try attempt(path) { _ throws(Errno) in try workspace(of: parent, at: path.parent) }
        if try take(intoTrashOf: own, name, from: parent, path, status) { return }
        try take(name, from: parent, path, status, .deleted)
    }

    /// Removes an empty directory. The store notes it with its permissions, so that it can be created again. It is not
    /// moved there, because programs could keep writing into it unseen.
    private func removeDirectory(
        _ name: EntryName, from parent: DirectoryHandle, _ path: RelativePath, _ status: FileStatus
    ) throws(EffectFailure) {
        func remove() throws(EffectFailure) {
            try attempt(path) { _ throws(Errno) in try parent.removeDirectory(name) }
        }
        switch disposal {
        case .trash: try remove()
        case .store:
            let note = KeptNote(path, .deleted, date: Self.seconds(), directoryMode: status.mode & 0o777)
            let (replaced, slot) = try announce(note, in: parent)
            do throws(EffectFailure) {
                try remove()
            } catch {
                try? replaced.discard(slot)
                throw error
            }
        }
    }

    /// Moves a file, or a directory with its contents, into the desktop's trash on its file system; false if there is
    /// no trash or it cannot take it.
    func take(
        intoTrashOf workspace: Workspace, _ name: EntryName, from parent: DirectoryHandle, _ path: RelativePath,
        _ status: FileStatus
    ) throws(EffectFailure) -> Bool {
        guard let trash = workspace.trash else { return false }
        let trashed: EntryName
        do throws(Errno) {
            let below = RelativePath(Array(path.names.dropFirst(workspace.prefix.names.count)))
            trashed = try trash.take(name, from: parent, path: below, date: Self.seconds())
            withUnsynced { $0.note(trashed: DesktopTrash.note(for: trashed), in: trash) }
        } catch .noSuchFileOrDirectory {
            throw EffectFailure(Errno.noSuchFileOrDirectory, path, on: side)
        } catch {
            return false
        }
        guard let now = try? trash.status(of: trashed), now.inode == status.inode,
            status.kind == .directory || now.hasSameContents(as: status)
        else {
            // Another version came in between. It is moved back; if its place is taken again, it stays in the trash.
            try? trash.restore(trashed, to: name, in: parent)
            throw changed(path)
        }
        return true
    }

    /// Moves a file into the store of replaced versions.
    func take(
        _ name: EntryName, from parent: DirectoryHandle, _ path: RelativePath, _ status: FileStatus,
        _ reason: KeptVersion.Reason
    ) throws(EffectFailure) {
        let (replaced, slot) = try announce(KeptNote(path, reason, date: Self.seconds()), in: parent)
        try attempt(path) { _ throws(Errno) in
            do throws(Errno) {
                // Nobody else knows the slot. Whatever has the name is taken in one step, and looked at there.
                try parent.rename(name, to: slot, in: replaced.directory)
            } catch {
                try? replaced.discard(slot)
                throw error
            }
        }
        guard let now = try? replaced.directory.status(of: slot), now.hasSameContents(as: status) else {
            try? replaced.directory.renameWithoutReplacing(slot, to: name, in: parent)
            throw changed(path)
        }
        countKept(now)
    }
}
