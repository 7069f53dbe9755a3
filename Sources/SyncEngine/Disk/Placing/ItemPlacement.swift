import Glibc
import SyncCore
import SystemPackage

/// Gives staged files, new directories and moved items their places.
struct ItemPlacement: Sendable {
    let root: DiskRoot
    let barrier: RenameBarrier
    let keeper: VersionKeeper
    let permissions: FilePermissions
    let replacement: FileReplacement
    let staging: FileStaging

    // MARK: Publishing

    /// Moves a staged file to its place. If `expected` is nil, nothing may exist there.
    func publish(
        _ id: StageID, at path: RelativePath, replacing expected: Version?, permissions: Permissions?
    ) throws(EffectFailure) -> Placed {
        var shortage: EffectFailure?
        return try keeper.withRoom(near: path) { () throws(EffectFailure) in
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
        guard let file = staging.file(id) else {
            throw EffectFailure(.notFound, .contentsGone, root.side, path)
        }
        do throws(EffectFailure) {
            let placed = try publish(file, at: path, replacing: expected, permissions: permissions)
            staging.published(id, at: path, placed.version)
            return placed
        } catch {
            // It may already have the attributes of the file that it was to replace.
            if !error.leavesPartial { file.claim?.forget() }
            throw error
        }
    }

    private func publish(
        _ file: StagedFile, at path: RelativePath, replacing expected: Version?, permissions bits: Permissions?
    ) throws(EffectFailure) -> Placed {
        let (parent, name) = try root.parent(of: path)
        try barrier.noteChange(in: parent, at: path)
        var remark: Explanation?
        let given: FileStatus
        if let expected {
            (given, remark) = try replacement.replace(
                at: path, name, in: parent, expecting: expected, with: file, permissions: bits)
        } else {
            given = try permissions.grant(bits, to: file, at: path, in: parent)
            barrier.note { file.noteGiving(&$0) }
            try place(at: path, name, in: parent) { () throws(Errno) in try file.give(name, in: parent) }
        }
        return Placed(placed(given, name, in: parent), remark: remark)
    }

    // MARK: Creating and moving

    /// Creates a directory.
    func makeDirectory(_ path: RelativePath, permissions: Permissions?) throws(EffectFailure) -> Version {
        try keeper.withRoom(near: path) { () throws(EffectFailure) in
            try makeDirectoryOnce(path, permissions: permissions)
        }
    }

    private func makeDirectoryOnce(_ path: RelativePath, permissions: Permissions?) throws(EffectFailure) -> Version {
        let (parent, name) = try root.parent(of: path)
        try barrier.noteChange(in: parent, at: path)
        do throws(Errno) {
            try parent.makeDirectory(name, permissions: permissions.map { UInt32($0.bits) } ?? 0o777)
            return root.versions.version(of: try parent.status(of: name))
        } catch .fileExists {
            throw occupied(path, name, in: parent)
        } catch {
            throw EffectFailure(error, path, on: root.side)
        }
    }

    /// Moves an item to a path where nothing exists.
    func move(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> Version {
        try keeper.withRoom(near: target) { () throws(EffectFailure) in
            try moveOnce(path, to: target, kind: kind, expecting: expected)
        }
    }

    private func moveOnce(
        _ path: RelativePath, to target: RelativePath, kind: EntryKind, expecting expected: Version
    ) throws(EffectFailure) -> Version {
        let item = try root.find(path, kind, expecting: expected)
        let (parent, name, status) = (item.parent, item.name, item.status)
        let (newParent, newName) = try root.parent(of: target)
        try refuseAcrossMounts(path, parent, target, newParent)
        try barrier.noteChange(in: parent, at: path)
        try barrier.noteChange(in: newParent, at: target)
        do throws(EffectFailure) {
            try place(at: target, newName, in: newParent) { () throws(Errno) in
                try parent.renameWithoutReplacing(name, to: newName, in: newParent)
            }
        } catch let error where error.message.code == .onAnotherFileSystem {
            // Several file systems look like one: the layers of overlayfs, the disks of mergerfs.
            throw EffectFailure(.denied, .movedAcross, root.side, path, "\(target)")
        } catch let error where error.reason == .exists || error.reason == .nameClash {
            // On a file system that ignores case, the item itself occupies another spelling of its name.
            guard let other = try? newParent.status(of: newName), other.inode == status.inode,
                other.device == status.device, kind == .directory || other.links == 1
            else { throw error }
            try root.attempt(path) { _ throws(Errno) in try parent.rename(name, to: newName, in: newParent) }
        }
        let now = try root.attempt(target) { _ throws(Errno) in try newParent.status(of: newName) }
        guard now.inode == status.inode, kind == .directory || now.hasSameContents(as: status) else {
            // Something else took the name between check and move: it is moved back.
            try? newParent.renameWithoutReplacing(newName, to: name, in: parent)
            throw root.changed(path)
        }
        return root.versions.version(of: now.mode == status.mode ? now : status)
    }

    /// No system call moves an item between mounted file systems.
    private func refuseAcrossMounts(
        _ path: RelativePath, _ parent: DirectoryHandle, _ target: RelativePath, _ newParent: DirectoryHandle
    ) throws(EffectFailure) {
        let isOnOne = try root.attempt(path) { _ throws(Errno) in
            try parent.descriptor.status().isOnSameMount(as: newParent.descriptor.status())
        }
        if isOnOne { return }
        throw EffectFailure(.denied, .movedAcross, root.side, path, "\(target)")
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
            throw EffectFailure(error, path, on: root.side)
        }
    }

    // MARK: What is there

    /// The failure that a name is taken: exactly this name, or a spelling that the file system considers the same.
    func occupied(
        _ path: RelativePath, _ name: EntryName, in parent: DirectoryHandle
    ) -> EffectFailure {
        guard let names = try? parent.names(), !names.contains(name) else {
            return EffectFailure(.exists, .taken, root.side, path)
        }
        return EffectFailure(.nameClash, .nameClash, root.side, path)
    }

    /// The version of what was just placed. If something else is seen there now, this is still the version that was
    /// placed, so that the next look notices the difference.
    func placed(
        _ status: FileStatus, _ name: EntryName, in parent: DirectoryHandle
    ) -> Version {
        guard let now = try? parent.status(of: name), now.isUntouched(since: status) else {
            return root.versions.version(of: status)
        }
        return root.versions.version(of: now)
    }
}
