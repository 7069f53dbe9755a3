import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Who may do what with files and directories here, and what a file carries besides its contents.
extension DiskEndpoint {
    func setPermissions(
        _ path: RelativePath, kind: EntryKind, expecting expected: Version, to permissions: Permissions
    ) throws(EffectFailure) -> Placed {
        let (parent, name) = try attempt(path) { workspace throws(Errno) in
            try workspace.directory.parent(of: path)
        }
        let (item, before) = try attempt(path) { _ throws(Errno) in
            let item = try parent.open(name, CLINUX_O_PATH | O_NOFOLLOW)
            return (item, try item.status())
        }
        guard versions.matches(before, expected, kind: kind), Permissions(before.mode) == expected.permissions else {
            throw changed(path)
        }
        var refusal: Errno?
        do throws(Errno) {
            try item.setMode(before.mode & 0o7000 | UInt32(permissions.bits))
        } catch let error where error.isUnsupported || error == .permissionDenied || error == .readOnlyFileSystem {
            refusal = error
        } catch {
            throw EffectFailure(error, path, on: side)
        }
        let now = try attempt(path) { _ throws(Errno) in try parent.status(of: name) }
        guard now.inode == before.inode, kind == .directory || now.hasSameContents(as: before) else {
            throw changed(path)
        }
        let isKept = Permissions(now.mode) == permissions
        return Placed(versions.version(of: now), remark: isKept ? nil : unset(path, permissions, refusal))
    }

    private func unset(_ path: RelativePath, _ permissions: Permissions, _ refusal: Errno?) -> Explanation {
        let code: Explanation.Code =
            switch refusal {
            case .readOnlyFileSystem: .permissionsReadOnly
            case .notPermitted, .permissionDenied: .permissionsForeign
            default: .permissionsUnsupported
            }
        return Explanation(code, side, "\(path)", "\(permissions)")
    }

    /// Gives a file that is to stand where nothing is the permissions of its source, within what this process gives to
    /// new files and what the source grants its group; those of any new file if there are none to go by.
    ///
    /// - Returns: What the file is then.
    func grant(
        _ permissions: Permissions?, to file: StagedFile, at path: RelativePath
    ) throws(EffectFailure) -> FileStatus {
        let plain = 0o666 & ~ProcessUmask.value
        let mode = permissions.map { permissions in
            let source = file.source.map { permissions.within($0) } ?? permissions
            return UInt32(source.within(Permissions(~ProcessUmask.value)).bits)
        }
        let own = try attempt(path) { _ throws(Errno) in try file.open(O_RDONLY) }
        // A file system without permissions shows it as it shows everything.
        try? own.setPermissions(mode ?? plain)
        return try attempt(path) { _ throws(Errno) in try file.currentStatus() }
    }

    /// Gives the file that is to replace the one at `name` what that carries: attributes, access control list, group,
    /// owner and permission bits, without set-id bits: what a remote sends never runs as somebody else.
    ///
    /// - Parameters:
    ///   - opened: The one at `name`, if it was opened already.
    ///   - permissions: Those that it is to have; nil for those of the replaced one.
    /// - Returns: What the file is then, and what could not be kept; nil if everything could.
    func carryOver(
        to file: StagedFile, from name: EntryName, in parent: DirectoryHandle,
        _ opened: (file: Descriptor, status: FileStatus)?, at path: RelativePath,
        expecting expected: Version, permissions: Permissions?
    ) throws(EffectFailure) -> (FileStatus, Explanation?) {
        let (old, status, new) = try attempt(path) { _ throws(Errno) in
            let new = try file.open(O_RDWR)
            if let opened { return (opened.file, opened.status, new) }
            let old = try parent.open(name, CLINUX_O_PATH | O_NOFOLLOW)
            return (old, try old.status(), new)
        }
        guard versions.matches(status, expected, kind: .file) else { throw changed(path) }
        // A coarse clock does not show that it was closed to others a moment ago.
        if let known = expected.permissions, Permissions(status.mode) != known { throw changed(path) }
        var lost = FileAttributes.copy(from: old, to: new)
        var mode = permissions.map { UInt32($0.bits) } ?? status.mode & 0o777
        if lost.contains(FileAttributes.accessList), let group = FileAttributes.groupBits(of: old) {
            mode &= group | 0o707
        }
        if status.group != file.status.group, fchown(new.raw, uid_t.max, status.group) != 0 {
            lost.append("group")
            // Another group than before gets no more than everybody.
            mode &= (mode & 0o007) << 3 | 0o707
        }
        try? new.setPermissions(mode)
        if status.owner != file.status.owner, fchown(new.raw, status.owner, gid_t.max) != 0 { lost.append("owner") }
        let given = try attempt(path) { _ throws(Errno) in try file.currentStatus() }
        return (given, lost.isEmpty ? nil : Explanation(.attributesLost, side, ["\(path)"] + lost))
    }
}
