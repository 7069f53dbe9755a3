import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Changes to the entries of one open directory. Names are single components, so none of these calls resolves
/// a path.
extension DirectoryHandle {
    /// Creates a directory with the permissions that the process's umask leaves of `permissions`.
    func makeDirectory(_ name: EntryName, permissions: UInt32 = 0o777) throws(Errno) {
        try SystemCall.value { name.withCString { mkdirat(descriptor.raw, $0, permissions) } }
    }

    /// The directory `name`, created if it is missing.
    func directory(creating name: EntryName, permissions: UInt32 = 0o777) throws(Errno) -> DirectoryHandle {
        // It usually exists.
        do throws(Errno) { return try directory(at: RelativePath([name])) } catch .noSuchFileOrDirectory {}
        do throws(Errno) {
            try makeDirectory(name, permissions: permissions)
            // Its contents are durable only if the directory itself is; that is done once.
            try descriptor.synchronize()
        } catch .fileExists {
            // It was created meanwhile; opening it below refuses anything but a directory.
        }
        return try directory(at: RelativePath([name]))
    }

    /// The directory `name`, accessible to its owner only: it is created if it is missing, and other users' access is
    /// removed if it belongs to this user.
    func privateDirectory(_ name: EntryName) throws(Errno) -> DirectoryHandle {
        let directory = try directory(creating: name, permissions: 0o700)
        try directory.closeToOthers()
        return directory
    }

    /// Removes other users' access to this directory, which was just opened, if it belongs to this user.
    func closeToOthers() throws(Errno) {
        let status = try whereabouts()
        if status.owner == geteuid(), status.mode & 0o077 != 0 {
            // This fails on a file system without permissions.
            try? descriptor.setPermissions(0o700)
        }
    }

    /// Removes the entry of a file, link or special file.
    func removeFile(_ name: EntryName) throws(Errno) {
        try SystemCall.value { name.withCString { unlinkat(descriptor.raw, $0, 0) } }
    }

    /// Removes an empty directory.
    func removeDirectory(_ name: EntryName) throws(Errno) {
        try SystemCall.value { name.withCString { unlinkat(descriptor.raw, $0, AT_REMOVEDIR) } }
    }

    /// Gives the entry `name` the name `newName` in `target`, replacing what is there.
    func rename(
        _ name: EntryName, to newName: EntryName, in target: DirectoryHandle
    ) throws(Errno) {
        try renameEntry(name, to: newName, in: target, flags: 0)
    }

    /// Exchanges two entries in one step.
    func exchange(
        _ name: EntryName, with other: EntryName, in target: DirectoryHandle
    ) throws(Errno) {
        try renameEntry(name, to: other, in: target, flags: CLINUX_RENAME_EXCHANGE)
    }

    /// Gives the entry `name` the name `newName` in `target`; throws `EEXIST` if that name is taken.
    ///
    /// If the file system cannot rename without replacing, a file is linked and its old name removed, which refuses an
    /// existing name as well; if it cannot link either, the name is checked first.
    func renameWithoutReplacing(
        _ name: EntryName, to newName: EntryName, in target: DirectoryHandle
    ) throws(Errno) {
        do {
            return try renameEntry(name, to: newName, in: target, flags: CLINUX_RENAME_NOREPLACE)
        } catch let error where error.isUnsupported {
            // Some network file systems support only the plain rename.
        } catch {
            throw error
        }
        do {
            let file = try status(of: name)
            try link(name, to: newName, in: target)
            return try removeName(name, of: file)
        } catch let error where error.isUnsupported {
            // Directories, and file systems without hard links.
        } catch {
            throw error
        }
        do {
            _ = try target.status(of: newName)
        } catch Errno.noSuchFileOrDirectory {
            return try rename(name, to: newName, in: target)
        } catch {
            throw error
        }
        throw .fileExists
    }

    /// Removes a name of a file that has another one.
    ///
    /// Another file that has taken the name meanwhile keeps it: a program that saves by renaming may do so at any
    /// moment, and its file has no other name. So the name is changed to one that nobody knows before it is removed.
    func removeName(_ name: EntryName, of file: FileStatus) throws(Errno) {
        let aside = IntermediateName.random()
        do throws(Errno) {
            try rename(name, to: aside, in: self)
        } catch .noSuchFileOrDirectory {
            return
        }
        let found = try status(of: aside)
        if found.inode != file.inode || found.device != file.device { try link(aside, to: name, in: self) }
        try removeFile(aside)
    }

    /// Gives a file a second name; throws `EEXIST` if that is taken.
    func link(
        _ name: EntryName, to newName: EntryName, in target: DirectoryHandle
    ) throws(Errno) {
        try SystemCall.value {
            name.withCString { from in
                newName.withCString { linkat(descriptor.raw, from, target.descriptor.raw, $0, 0) }
            }
        }
    }

    private func renameEntry(
        _ name: EntryName, to newName: EntryName, in target: DirectoryHandle, flags: UInt32
    ) throws(Errno) {
        try SystemCall.value {
            name.withCString { from in
                newName.withCString {
                    clinux_renameat2(descriptor.raw, from, target.descriptor.raw, $0, flags)
                }
            }
        }
    }
}
