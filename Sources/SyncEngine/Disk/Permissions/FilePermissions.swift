import CLinux
import Glibc
import SyncCore
import SystemPackage

/// The permissions of files and directories, and what a file carries besides its contents.
struct FilePermissions: Sendable {
    let root: DiskRoot

    /// Changes the permissions of an item. If the file system does not support that, nothing changes, and the result
    /// says so.
    func set(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) throws(EffectFailure) -> Placed {
        let (parent, name) = try root.parent(of: path)
        let (item, before) = try root.attempt(path) { _ throws(Errno) in
            let item = try parent.open(name, CLINUX_O_PATH | O_NOFOLLOW)
            return (item, try item.status())
        }
        guard root.versions.matches(before, expected, kind: kind), Permissions(before.mode) == expected.permissions
        else { throw root.changed(path) }
        var refusal: Errno?
        do throws(Errno) {
            try item.setMode(before.mode & 0o7000 | UInt32(permissions.bits))
        } catch let error where error.isUnsupported || error == .permissionDenied || error == .readOnlyFileSystem {
            refusal = error
        } catch {
            throw EffectFailure(error, path, on: root.side)
        }
        let now = try root.attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard now.inode == before.inode, kind == .directory || now.hasSameContents(as: before) else {
            throw root.changed(path)
        }
        let isKept = Permissions(now.mode) == permissions
        return Placed(root.versions.version(of: now), remark: isKept ? nil : unset(path, permissions, refusal))
    }

    private func unset(_ path: RelativePath, _ permissions: Permissions, _ refusal: Errno?) -> Explanation {
        let code: Explanation.Code =
            switch refusal {
            case .readOnlyFileSystem: .permissionsReadOnly
            case .notPermitted, .permissionDenied: .permissionsForeign
            default: .permissionsUnsupported
            }
        return Explanation(code, root.side, "\(path)", "\(permissions)")
    }

    /// Sets the permissions of a file that replaces nothing to those of its source, limited by this process's umask and
    /// by what the source grants its group. If none are given, it gets those of any new file.
    ///
    /// Where the directory has a list of what new files grant (acl(5)), that takes the place of the umask, as for every
    /// other program: what it denies stays denied.
    ///
    /// - Parameter parent: The directory that the file comes into.
    /// - Returns: The status of the file afterwards.
    func grant(
        _ permissions: Permissions?, to file: StagedFile, at path: RelativePath, in parent: DirectoryHandle
    ) throws(EffectFailure) -> FileStatus {
        let source = permissions.map { permissions in file.source.map { permissions.within($0) } ?? permissions }
        let granted = granted(source, in: parent)
        let own = try root.attempt(path) { _ throws(Errno) in try file.open(O_RDONLY) }
        // A file system without permissions shows its own for every file. The mode is set first: where the list cannot
        // be, the file is as closed as it.
        try? own.setPermissions(granted.mode)
        if let list = granted.list { try? own.setAttribute(FileAttributes.accessList, to: list.bytes) }
        return try root.attempt(path) { _ throws(Errno) in try file.currentStatus() }
    }

    /// What a new file in a directory gets: these permissions, limited by this process's umask or by the directory's
    /// list of what new files grant. If none are given, those of any new file.
    func granted(
        _ permissions: Permissions?, in parent: DirectoryHandle
    ) -> (mode: UInt32, list: AccessList.Granted?) {
        let list = AccessList(defaultOf: parent.descriptor)
        let limit = list == nil ? ~ProcessUmask.value : 0o777
        let mode = permissions.map { UInt32($0.within(Permissions(limit)).bits) } ?? 0o666 & limit
        return list?.granted(mode) ?? (mode, nil)
    }

    /// Copies to the file what the one at `name` that it is to replace carries: attributes, access control list, group,
    /// owner and permission bits. Set-id bits are left out, so that nothing from a remote ever runs as another user.
    ///
    /// - Parameters:
    ///   - opened: The file at `name`, if it was opened already.
    ///   - permissions: The permissions to set; nil for those of the replaced file.
    /// - Returns: The status of the file afterwards, and what could not be kept; nil if everything could.
    func carryOver(
        to file: StagedFile, from name: EntryName, in parent: DirectoryHandle,
        _ opened: (file: Descriptor, status: FileStatus)?, at path: RelativePath,
        expecting expected: Version, permissions: Permissions?
    ) throws(EffectFailure) -> (FileStatus, Explanation?) {
        let (old, status, new) = try root.attempt(path) { _ throws(Errno) in
            let new = try file.open(O_RDWR)
            if let opened { return (opened.file, opened.status, new) }
            let old = try parent.open(name, CLINUX_O_PATH | O_NOFOLLOW)
            return (old, try old.status(), new)
        }
        guard root.versions.matches(status, expected, kind: .file) else { throw root.changed(path) }
        // With a coarse clock, the times do not show that its permissions were restricted a moment ago.
        if let known = expected.permissions, Permissions(status.mode) != known { throw root.changed(path) }
        // The group comes first: the access control list may let it read.
        let isGroupKept = status.group == file.status.group || fchown(new.raw, uid_t.max, status.group) == 0
        var lost = FileAttributes.copy(from: old, to: new)
        var mode = permissions.map { UInt32($0.bits) } ?? status.mode & 0o777
        if lost.contains(FileAttributes.accessList), let group = FileAttributes.groupBits(of: old) {
            mode &= group | 0o707
        }
        if !isGroupKept {
            lost.append("group")
            // A group other than before gets no more access than everyone.
            mode &= (mode & 0o007) << 3 | 0o707
        }
        try? new.setPermissions(mode)
        if status.owner != file.status.owner, fchown(new.raw, status.owner, gid_t.max) != 0 { lost.append("owner") }
        let given = try root.attempt(path) { _ throws(Errno) in try file.currentStatus() }
        return (given, lost.isEmpty ? nil : Explanation(.attributesLost, root.side, ["\(path)"] + lost))
    }
}
