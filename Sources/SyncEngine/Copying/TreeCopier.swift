import CLinux
import Glibc
import Support
import SyncCore
import SystemPackage

/// Copies an item, a directory with everything in it, under a name that is not in use.
///
/// Keeps contents, holes, times, permissions, attributes and symbolic links. Nothing becomes readable for others than
/// before: bits that set the user are left out, and if the group or the access control list cannot be kept, what they
/// granted is not granted to others.
struct TreeCopier {
    let progress: CopyProgress
    /// Whether each file and directory is made durable, so that the original may go.
    let isDurable: Bool
    private(set) var leftOut: (count: Int, first: String) = (0, "")
    /// What was read, to be compared with the originals afterwards.
    private(set) var copied = ItemSum()

    init(_ progress: CopyProgress, isDurable: Bool) {
        (self.progress, self.isDurable) = (progress, isDurable)
    }

    /// Copies an item.
    ///
    /// - Parameter path: The item's path, for messages.
    /// - Returns: Whether there is a copy: none of what is left out.
    mutating func copy(
        _ name: EntryName, of source: DirectoryHandle, as newName: EntryName, in target: DirectoryHandle,
        at path: RelativePath
    ) throws(CopyFailure) -> Bool {
        if progress.isStopped { throw CopyFailure(.stopped, path) }
        let status = try Self.reading(path) { () throws(Errno) in try source.status(of: name) }
        switch status.kind {
        case .file: try copyFile(name, of: source, as: newName, in: target, at: path)
        case .directory: try copyDirectory(name, of: source, as: newName, in: target, at: path)
        case .symlink: return try copyLink(name, status, of: source, as: newName, in: target, at: path)
        case .special:
            leaveOut(path)
            return false
        }
        return true
    }

    private mutating func leaveOut(_ path: RelativePath) {
        leftOut = (leftOut.count + 1, leftOut.count == 0 ? "\(path)" : leftOut.first)
    }

    // MARK: Files

    private mutating func copyFile(
        _ name: EntryName, of source: DirectoryHandle, as newName: EntryName, in target: DirectoryHandle,
        at path: RelativePath
    ) throws(CopyFailure) {
        let (file, before) = try Self.reading(path) { () throws(Errno) in
            let file = try source.open(name, DirectoryHandle.reading)
            return (file, try file.status())
        }
        guard before.kind == .file else { throw CopyFailure(.changed, path) }
        let copy = try Self.writing(path) { () throws(Errno) in
            try target.open(newName, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600)
        }
        try copyContents(of: file, size: before.size, to: copy, at: path)
        let after = try Self.reading(path) { () throws(Errno) in try file.status() }
        let size = try Self.writing(path) { () throws(Errno) in try copy.status().size }
        guard after.hasSameContents(as: before), size == before.size else { throw CopyFailure(.changed, path) }
        copied.add(path, before)
        Self.carry(from: file, before, to: copy)
        try? copy.setModified(before.modified)
        if isDurable { try Self.writing(path) { () throws(Errno) in try copy.synchronize() } }
        progress.count(files: 1)
    }

    private func copyContents(
        of file: Descriptor, size: UInt64, to copy: Descriptor, at path: RelativePath
    ) throws(CopyFailure) {
        var counted: UInt64 = 0
        func count(_ done: UInt64) -> Bool {
            if done > counted { progress.count(bytes: Int64(clamping: done - counted)) }
            counted = max(done, counted)
            return !progress.isStopped
        }
        let isWhole: Bool
        do throws(Errno) {
            isWhole = try copy.copyContents(of: file, size: size) { count(UInt64(clamping: $0)) }
        } catch let error where error.isUnsupported || error == .improperLink {
            // The file systems are two that the kernel does not copy between.
            isWhole = try copyByReading(file, size: size, to: copy, at: path, count)
        } catch {
            throw CopyFailure(Self.reason(error, isWriting: Self.concernsTarget(error)), path)
        }
        guard isWhole else { throw CopyFailure(progress.isStopped ? .stopped : .changed, path) }
        _ = count(size)
    }

    private func copyByReading(
        _ file: Descriptor, size: UInt64, to copy: Descriptor, at path: RelativePath, _ count: (UInt64) -> Bool
    ) throws(CopyFailure) -> Bool {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while offset < size {
            let (hole, end) = file.data(from: offset, size: size)
            if hole > 0 { try Self.writing(path) { () throws(Errno) in try copy.leaveOut(Int(clamping: hole)) } }
            offset += hole
            while offset < min(end, size) {
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<Int(min(UInt64(buffer.count), min(end, size) - offset))])
                let length = try Self.reading(path) { () throws(Errno) in try file.read(into: part, at: offset) }
                if length == 0 { return false }
                try Self.writing(path) { () throws(Errno) in
                    try copy.writeAll(UnsafeRawBufferPointer(rebasing: part[..<length]))
                }
                offset += UInt64(length)
                if !count(offset) { return false }
            }
        }
        try Self.writing(path) { () throws(Errno) in try copy.setSize(Int64(clamping: size)) }
        return true
    }

    // MARK: Directories and links

    private mutating func copyDirectory(
        _ name: EntryName, of source: DirectoryHandle, as newName: EntryName, in target: DirectoryHandle,
        at path: RelativePath
    ) throws(CopyFailure) {
        let (original, status, names) = try Self.reading(path) { () throws(Errno) in
            let original = try source.directory(at: RelativePath([name]))
            return (original, try original.descriptor.status(), try original.names())
        }
        copied.add(path, status)
        let copy = try Self.writing(path) { () throws(Errno) in
            try target.makeDirectory(newName, permissions: 0o700)
            return try target.directory(at: RelativePath([newName]))
        }
        for entry in names where !ExcludePatterns.isOwn(RelativePath([entry])) {
            _ = try self.copy(entry, of: original, as: entry, in: copy, at: path.appending(entry))
        }
        Self.carry(from: original.descriptor, status, to: copy.descriptor)
        try? copy.descriptor.setModified(status.modified)
        if isDurable { try Self.writing(path) { () throws(Errno) in try copy.descriptor.synchronize() } }
    }

    /// - Returns: Whether there is a copy: file systems like FAT have no symbolic links.
    private mutating func copyLink(
        _ name: EntryName, _ status: FileStatus, of source: DirectoryHandle, as newName: EntryName,
        in target: DirectoryHandle, at path: RelativePath
    ) throws(CopyFailure) -> Bool {
        let text = try Self.reading(path) { () throws(Errno) in try source.linkText(name) }
        copied.add(path, status)
        do throws(Errno) {
            try target.makeLink(newName, to: text, modified: status.modified)
        } catch let error where error.isUnsupported {
            leaveOut(path)
            return false
        } catch {
            throw CopyFailure(Self.reason(error, isWriting: true), path)
        }
        progress.count(files: 1)
        return true
    }

    // MARK: Permissions

    /// Gives a copy the attributes, the group and the permission bits of its original, and no more.
    private static func carry(from old: Descriptor, _ status: FileStatus, to new: Descriptor) {
        // The group comes first: the access control list may let it read.
        let group = try? new.status().group
        let isGroupKept = group == status.group || fchown(new.raw, uid_t.max, status.group) == 0
        let lost = FileAttributes.copy(from: old, to: new)
        var mode = status.mode & 0o777
        if lost.contains(FileAttributes.accessList), let group = FileAttributes.groupBits(of: old) {
            mode &= group | 0o707
        }
        // Another group than before gets no more access than everyone.
        if !isGroupKept { mode &= (mode & 0o007) << 3 | 0o707 }
        // This fails on a file system without permissions.
        try? new.setPermissions(mode)
    }

    // MARK: Errors

    static func reading<Result>(
        _ path: RelativePath, _ body: () throws(Errno) -> Result
    ) throws(CopyFailure) -> Result {
        do throws(Errno) { return try body() } catch { throw CopyFailure(reason(error, isWriting: false), path) }
    }

    static func writing<Result>(
        _ path: RelativePath, _ body: () throws(Errno) -> Result
    ) throws(CopyFailure) -> Result {
        do throws(Errno) { return try body() } catch { throw CopyFailure(reason(error, isWriting: true), path) }
    }

    /// Whether an error of copying between two files can only be that of the file that is written.
    private static func concernsTarget(_ error: Errno) -> Bool {
        switch error {
        case .noSpace, .diskQuotaExceeded, .fileTooLarge, .readOnlyFileSystem: true
        default: false
        }
    }

    static func reason(_ error: Errno, isWriting: Bool) -> CopyFailure.Reason {
        switch error {
        case .noSpace, .diskQuotaExceeded: .noSpace
        case .readOnlyFileSystem: .readOnly
        case .fileTooLarge: .tooLarge
        case .noData: .away
        case .permissionDenied, .notPermitted: isWriting ? .unwritable : .unreadable
        case .noSuchFileOrDirectory where !isWriting: .gone
        case .notDirectory, .tooManySymbolicLinkLevels: isWriting ? .failed(error) : .changed
        case .fileNameTooLong, .illegalByteSequence, .fileExists: .unusableName
        case .invalidArgument where isWriting: .unusableName
        default: .failed(error)
        }
    }
}

extension DirectoryHandle {
    /// Makes a symbolic link with this text, which has a terminator.
    fileprivate func makeLink(_ name: EntryName, to text: [CChar], modified: Int64) throws(Errno) {
        try SystemCall.value { name.withCString { symlinkat(text, descriptor.raw, $0) } }
        let times = [timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT), FileTime(nanoseconds: modified).timespec]
        // A link without its time is as good a link.
        _ = name.withCString { utimensat(descriptor.raw, $0, times, AT_SYMLINK_NOFOLLOW) }
    }

    /// Removes a copy that is not complete: its directories may be such that nothing can be removed from them.
    ///
    /// - Throws: The error of the system for what cannot be removed, of which the rest is removed; ENOENT if there is nothing.
    func removeCopy(_ name: EntryName) throws(Errno) {
        if let inside = try? directory(at: RelativePath([name])) {
            try? inside.descriptor.setPermissions(0o700)
            for entry in try inside.names() { try? inside.removeCopy(entry) }
            try removeDirectory(name)
        } else {
            // A read-only file system refuses to remove also what is not there.
            _ = try plainStatus(of: name)
            try removeFile(name)
        }
    }
}
