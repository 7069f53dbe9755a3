import CLinux
import Glibc
import SyncCore
import SystemPackage

/// Copies and removes whole entries, a directory with its contents, when a rename is not enough.
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
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var offset: UInt64 = 0
            while case let count = try source.read(into: &buffer, at: offset), count > 0 {
                try copy.writeAll(Array(buffer[..<count]))
                offset += UInt64(count)
            }
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
    private func linkText(_ name: EntryName) throws(Errno) -> [CChar] {
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
}
