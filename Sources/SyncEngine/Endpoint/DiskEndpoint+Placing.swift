import Glibc
import SyncCore
import SystemPackage

extension DiskEndpoint {
    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Placed {
        var shortage: EffectFailure?
        return try withRoom(near: path) { () throws(EffectFailure) in
            do throws(EffectFailure) {
                return try publishOnce(id, at: path, replacing: expected, permissions: permissions)
            } catch {
                // The first attempt may have used up what was staged.
                if error.reason == .notFound, let shortage { throw shortage }
                shortage = error
                throw error
            }
        }
    }

    private func publishOnce(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Placed {
        guard let file = stagedFile(id) else {
            throw EffectFailure(.notFound, .contentsGone, side, path)
        }
        do throws(EffectFailure) {
            let placed = try publish(file, at: path, replacing: expected, permissions: permissions)
            forget(id)
            linkedContents.published(id, at: path, placed.version)
            return placed
        } catch {
            // It may already have the attributes of the file that it was to replace.
            if !error.leavesPartial { file.claim?.forget() }
            throw error
        }
    }

    private func publish(
        _ file: StagedFile, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Placed {
        let (parent, name) = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.parent(of: path)
        }
        try noteChange(in: parent, at: path)
        var remark: Explanation?
        let given: FileStatus
        if let expected {
            (given, remark) = try replaceChecked(
                at: path, name, in: parent, expecting: expected, with: file, permissions: permissions)
        } else {
            given = try grant(permissions, to: file, at: path, in: parent)
            withUnsynced { file.noteGiving(&$0) }
            try place(at: path, name, in: parent) { () throws(Errno) in try file.give(name, in: parent) }
        }
        return Placed(placed(given, name, in: parent), remark: remark)
    }

    func makeDirectory(_ path: RelativePath, permissions: Permissions?) throws(EffectFailure) -> Version {
        try withRoom(near: path) { () throws(EffectFailure) in
            try makeDirectoryOnce(path, permissions: permissions)
        }
    }

    private func makeDirectoryOnce(_ path: RelativePath, permissions: Permissions?) throws(EffectFailure) -> Version {
        let (parent, name) = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.parent(of: path)
        }
        try noteChange(in: parent, at: path)
        do throws(Errno) {
            try parent.makeDirectory(name, permissions: permissions.map { UInt32($0.bits) } ?? 0o777)
            return versions.version(of: try parent.status(of: name))
        } catch .fileExists {
            throw occupied(path, name, in: parent)
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> Version {
        try withRoom(near: target) { () throws(EffectFailure) in
            try moveOnce(path, to: target, kind: kind, expecting: expected)
        }
    }

    private func moveOnce(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> Version {
        let (parent, name) = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.parent(of: path)
        }
        let status = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard versions.matches(status, expected, kind: kind) else { throw changed(path) }
        let (newParent, newName) = try attempt(target) { workspace throws(Errno) in
            try workspace.directory.parent(of: target)
        }
        try refuseAcrossMounts(path, parent, target, newParent)
        try noteChange(in: parent, at: path)
        try noteChange(in: newParent, at: target)
        do throws(EffectFailure) {
            try place(at: target, newName, in: newParent) { () throws(Errno) in
                try parent.renameWithoutReplacing(name, to: newName, in: newParent)
            }
        } catch let error where error.message.code == .onAnotherFileSystem {
            // Several file systems look like one: the layers of overlayfs, the disks of mergerfs.
            throw EffectFailure(.denied, .movedAcross, side, path, "\(target)")
        } catch let error where error.reason == .exists || error.reason == .nameClash {
            // On a file system that ignores case, the item itself occupies another spelling of its name.
            guard let other = try? newParent.status(of: newName), other.inode == status.inode,
                other.device == status.device, kind == .directory || other.links == 1
            else { throw error }
            try attempt(path) { _ throws(Errno) in try parent.rename(name, to: newName, in: newParent) }
        }
        let now = try attempt(target) { _ throws(Errno) in try newParent.status(of: newName) }
        guard now.inode == status.inode, kind == .directory || now.hasSameContents(as: status) else {
            // Something else took the name between check and move: it is moved back.
            try? newParent.renameWithoutReplacing(newName, to: name, in: parent)
            throw changed(path)
        }
        return versions.version(of: now.mode == status.mode ? now : status)
    }

    /// No system call moves an item between mounted file systems.
    private func refuseAcrossMounts(
        _ path: RelativePath, _ parent: DirectoryHandle, _ target: RelativePath, _ newParent: DirectoryHandle
    ) throws(EffectFailure) {
        let isOnOne = try attempt(path) { _ throws(Errno) in
            try parent.descriptor.status().isOnSameMount(as: newParent.descriptor.status())
        }
        if isOnOne { return }
        throw EffectFailure(.denied, .movedAcross, side, path, "\(target)")
    }

    /// Gives an entry a name that must be unused.
    private func place(
        at path: RelativePath, _ name: EntryName, in parent: DirectoryHandle, _ give: () throws(Errno) -> Void
    ) throws(EffectFailure) {
        do throws(Errno) {
            try give()
        } catch .fileExists {
            throw occupied(path, name, in: parent)
        } catch {
            throw EffectFailure(error, path, on: side)
        }
    }

    /// The failure that a name is taken: exactly this name, or a spelling that the file system considers the same.
    func occupied(
        _ path: RelativePath, _ name: EntryName, in parent: DirectoryHandle
    ) -> EffectFailure {
        guard let names = try? parent.names(), !names.contains(name) else {
            return EffectFailure(.exists, .taken, side, path)
        }
        return EffectFailure(.nameClash, .nameClash, side, path)
    }

    /// The version of what was just placed. If something else is seen there now, this is still the version that was
    /// placed, so that the next look notices the difference.
    func placed(
        _ status: FileStatus, _ name: EntryName, in parent: DirectoryHandle
    ) -> Version {
        guard let now = try? parent.status(of: name), now.isUntouched(since: status) else {
            return versions.version(of: status)
        }
        return versions.version(of: now)
    }
}
