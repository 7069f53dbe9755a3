import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Copies and removes entries, a directory with its contents, when a rename is not enough.
extension DirectoryHandle {
    /// Durably copies an entry of this directory into another, under a name that is never synced, and returns that
    /// name. Keeps contents, times of files, permissions and symbolic links; throws `EINVAL` for special files.
    func copy(_ name: EntryName, to target: DirectoryHandle) throws(Errno) -> EntryName {
        let staged = RandomName.component(prefix: ".roundel-stage-")
        do throws(Errno) {
            try copy(name, to: staged, in: target)
            return staged
        } catch {
            try? target.removeTree(staged)
            throw error
        }
    }

    private func copy(_ name: EntryName, to newName: EntryName, in target: DirectoryHandle) throws(Errno) {
        let status = try status(of: name)
        switch status.kind {
        case .file:
            let source = try open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
            let copy = try target.open(newName, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
            try copy.writeContents(of: source)
            try? copy.setPermissions(status.mode)
            try copy.setModified(status.modified)
            try copy.synchronize()
        case .directory:
            try target.makeDirectory(newName, permissions: 0o700)
            let (source, copy) = (
                try directory(at: RelativePath([name])), try target.directory(at: RelativePath([newName]))
            )
            for entry in try source.names() { try source.copy(entry, to: entry, in: copy) }
            try? copy.descriptor.setPermissions(status.mode)
            try copy.descriptor.synchronize()
        case .symlink:
            let text = try linkText(name)
            try SystemCall.value { newName.withCString { symlinkat(text, target.descriptor.raw, $0) } }
        case .special: throw .invalidArgument
        }
    }

    /// The target of a symbolic link, with a terminator.
    func linkText(_ name: EntryName) throws(Errno) -> [CChar] {
        var text = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        try SystemCall.value { name.withCString { readlinkat(descriptor.raw, $0, &text, text.count - 1) } }
        return text
    }

    /// Removes an entry, a directory with its contents.
    func removeTree(_ name: EntryName) throws(Errno) {
        do throws(Errno) {
            return try removeFile(name)
        } catch .isDirectory, .notPermitted {
            let inside = try directory(at: RelativePath([name]))
            for entry in try inside.names() { try inside.removeTree(entry) }
            try removeDirectory(name)
        } catch {
            throw error
        }
    }

    /// Gives a file of `parent` a second name in this directory; without links, a copy gets that name.
    func keep(_ name: EntryName, of parent: DirectoryHandle, as copy: EntryName) throws(Errno) {
        do throws(Errno) {
            try parent.link(name, to: copy, in: self)
        } catch let error where error.isUnsupported {
            try copyFile(name, from: parent, to: copy)
        }
    }

    /// Copies a file from `parent` into this directory and makes the copy durable.
    private func copyFile(
        _ name: EntryName, from parent: DirectoryHandle, to copy: EntryName
    ) throws(Errno) {
        let source = try parent.open(name, DirectoryHandle.reading)
        let target = try open(RelativePath([copy]), O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        try target.writeContents(of: source)
        let status = try source.status()
        try target.setModified(status.modified)
        // What the copy cannot carry is lost: it depends on the other file system.
        _ = FileAttributes.copy(from: source, to: target)
        try? target.setPermissions(status.mode)
        try target.synchronize()
    }
}
