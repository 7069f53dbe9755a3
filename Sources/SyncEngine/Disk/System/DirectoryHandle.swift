import CLinux
import Glibc
import SyncCore
import Synchronization
import SystemPackage

/// An open directory, and the only way in which the engine accesses anything below a root: every path is resolved
/// beneath it and no symbolic link is followed, so nothing outside is ever read, written or deleted.
final class DirectoryHandle: Sendable {
    let descriptor: Descriptor
    /// The device of the mounted folder that it is in, where files may be without their contents; nil for any other.
    let mounted: UInt64?
    /// The status when it was first read.
    private let first = Mutex<FileStatus?>(nil)

    init(_ descriptor: Descriptor, mounted: UInt64? = nil) {
        self.descriptor = descriptor
        self.mounted = mounted
    }

    /// Opens the directory at an absolute path. Its ancestors may be symbolic links, it itself may not.
    convenience init(absolute path: FilePath) throws(Errno) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        let raw = try SystemCall.value { path.withPlatformString { clinux_openat2(AT_FDCWD, $0, flags, 0, 0) } }
        self.init(Descriptor(owning: raw))
    }

    /// The directory at an absolute path. Missing directories on the path are created, accessible to their owner only.
    static func creating(absolute path: FilePath) throws(Errno) -> DirectoryHandle {
        do {
            return try DirectoryHandle(absolute: path)
        } catch Errno.noSuchFileOrDirectory {
            guard let name = path.lastName else { throw .noSuchFileOrDirectory }
            let parent = try creating(absolute: path.removingLastComponent())
            return try parent.directory(creating: name, permissions: 0o700)
        } catch {
            throw error
        }
    }

    /// A status in which only what never changes may be used: the identity of the directory, and its mount. It is read
    /// once.
    func whereabouts() throws(Errno) -> FileStatus {
        if let known = first.withLock({ $0 }) { return known }
        let status = try descriptor.status()
        first.withLock { $0 = status }
        return status
    }

    /// Opens the directory at `path` below this one; an empty path opens this one again.
    func directory(at path: RelativePath) throws(Errno) -> DirectoryHandle {
        DirectoryHandle(try open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), mounted: mounted)
    }

    /// To open for reading what may be anything: a FIFO that has taken a file's place is not waited for.
    static let reading = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY

    /// Opens `path` below this directory. `O_CLOEXEC` is implied.
    func open(_ path: RelativePath, _ flags: CInt, permissions: UInt32 = 0) throws(Errno) -> Descriptor {
        if path.length < Self.longestPath { return try openBeneath(path, flags, permissions) }
        let (parent, name) = try parent(of: path)
        return try parent.openBeneath(RelativePath([name]), flags, permissions)
    }

    /// Opens the entry `name` of this directory. `O_CLOEXEC` is implied.
    func open(_ name: EntryName, _ flags: CInt, permissions: UInt32 = 0) throws(Errno) -> Descriptor {
        try openBeneath(RelativePath([name]), flags, permissions)
    }

    /// Opens the directory that holds `path`; returns it and the path's last component.
    func parent(of path: RelativePath) throws(Errno) -> (DirectoryHandle, EntryName) {
        guard let name = path.name else { throw .invalidArgument }
        var directory = self
        for part in Self.parts(of: path.parent) {
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            directory = DirectoryHandle(try directory.openBeneath(part, flags, 0), mounted: mounted)
        }
        return (directory, name)
    }

    /// The status of the entry `name`; for a symbolic link, that of the link itself.
    func status(of name: EntryName) throws(Errno) -> FileStatus {
        guard let mounted else { return try plainStatus(of: name) }
        return try ContentsMark.status(of: name, in: self, on: mounted)
    }

    /// The same without a look at where the contents are.
    func plainStatus(of name: EntryName) throws(Errno) -> FileStatus {
        var status = clinux_status()
        try SystemCall.value { name.withCString { clinux_status(descriptor.raw, $0, &status) } }
        return FileStatus(status)
    }

    /// The status of what is at `path` below this directory.
    func status(at path: RelativePath) throws(Errno) -> FileStatus {
        if path.isRoot { return try descriptor.status() }
        let (parent, name) = try parent(of: path)
        return try parent.status(of: name)
    }

    private func openBeneath(_ path: RelativePath, _ flags: CInt, _ permissions: UInt32) throws(Errno) -> Descriptor {
        // RESOLVE_BENEATH fails with EAGAIN if a rename elsewhere raced with a lookup; a few attempts suffice.
        for _ in 0..<Self.attempts {
            do {
                let raw = try SystemCall.value {
                    path.withCString {
                        clinux_openat2(
                            descriptor.raw, $0, flags | O_CLOEXEC, permissions, CLINUX_RESOLVE_STRICTLY_BENEATH)
                    }
                }
                return Descriptor(owning: raw)
            } catch Errno.resourceTemporarilyUnavailable {
                continue
            } catch {
                throw error
            }
        }
        throw .resourceTemporarilyUnavailable
    }

    /// A system call takes paths shorter than PATH_MAX; longer ones are walked in parts.
    private static let longestPath = 4_000
    private static let attempts = 64

    private static func parts(of path: RelativePath) -> [RelativePath] {
        if path.isRoot { return [] }
        if path.length < longestPath { return [path] }
        // A name has at most 255 bytes, so fifteen of them fit.
        let count = 15
        return stride(from: 0, to: path.names.count, by: count).map { start in
            RelativePath(Array(path.names[start..<min(start + count, path.names.count)]))
        }
    }
}
