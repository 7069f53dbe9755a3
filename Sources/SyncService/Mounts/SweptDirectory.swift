internal import CLinux
internal import Glibc
internal import MountProtocol
internal import SystemPackage

/// A directory in which placeholders are looked for, held open so that nothing put in its place is taken for it.
///
/// A person may have taken permissions away from what is in it. Where they stand in the way, they are given for the
/// moment and put back.
final class SweptDirectory {
    private let descriptor: CInt
    /// The mode before it was widened; nil if it was not.
    private var former: mode_t?

    /// - Throws: The error of the system.
    init(_ path: FilePath) throws(Errno) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        descriptor = path.withPlatformString { open($0, flags) }
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    private init(_ descriptor: CInt, former: mode_t?) { (self.descriptor, self.former) = (descriptor, former) }

    deinit {
        if let former { fchmod(descriptor, former) }
        close(descriptor)
    }

    /// What is in it.
    func names() throws(Errno) -> [FilePath] {
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { throw Errno(rawValue: errno) }
        guard let stream = fdopendir(own) else {
            let error = Errno(rawValue: errno)
            close(own)
            throw error
        }
        defer { closedir(stream) }
        var names: [FilePath] = []
        errno = 0
        while let entry = readdir(stream) {
            if let name = clinux_entry_name(entry) {
                let text = FilePath(platformString: name)
                if text != "." && text != ".." { names.append(text) }
            }
            errno = 0
        }
        guard errno == 0 else { throw Errno(rawValue: errno) }
        return names
    }

    /// Nil for what is gone.
    func status(_ name: FilePath) throws(Errno) -> stat? {
        var status = stat()
        let result = name.withPlatformString { fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW) }
        if result == 0 { return status }
        if errno == ENOENT { return nil }
        throw Errno(rawValue: errno)
    }

    /// The directory of a name in it, which can be looked through; nil if it is gone.
    func directory(_ name: FilePath) throws(Errno) -> SweptDirectory? {
        guard let status = try status(name) else { return nil }
        let mode = status.st_mode & 0o7777
        // Without these bits, what is in it can neither be listed nor looked at.
        let isNarrow = mode & 0o500 != 0o500 && status.st_uid == geteuid()
        if isNarrow { try setMode(mode | 0o700, of: name) }
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let opened = name.withPlatformString { openat(descriptor, $0, flags) }
        if opened >= 0 { return SweptDirectory(opened, former: isNarrow ? mode : nil) }
        let error = Errno(rawValue: errno)
        if isNarrow { try? setMode(mode, of: name) }
        if error == .noSuchFileOrDirectory { return nil }
        throw error
    }

    /// The mark of a regular file; nil if it has none, or is gone.
    ///
    /// - Throws: The error of the system; `EBADMSG` for a mark that this program does not write.
    func mark(_ name: FilePath, _ status: stat) throws(Errno) -> PlaceholderMark? {
        try widened(name, status, by: S_IRUSR) { file throws(Errno) in
            var value = [UInt8](repeating: 0, count: PlaceholderMark.limit + 1)
            let length = fgetxattr(file, Placeholder.attribute, &value, value.count)
            guard length >= 0 else {
                switch errno {
                case ENODATA, ENOTSUP: return nil
                case ERANGE: throw Errno(rawValue: EBADMSG)
                case let error: throw Errno(rawValue: error)
                }
            }
            guard let mark = PlaceholderMark(Array(value.prefix(length))) else { throw Errno(rawValue: EBADMSG) }
            return mark
        } ?? nil
    }

    /// Takes the mark off a file that is none without contents any more.
    func removeMark(_ name: FilePath, _ status: stat) throws(Errno) {
        try widened(name, status, by: S_IRUSR | S_IWUSR) { file throws(Errno) in
            guard fremovexattr(file, Placeholder.attribute) == 0 || errno == ENODATA else {
                throw Errno(rawValue: errno)
            }
        }
    }

    /// Removes a file, or a directory if it is empty; gives whether it is gone now, and was not before.
    func remove(_ name: FilePath, isDirectory: Bool) throws(Errno) -> Bool {
        while true {
            let flags = isDirectory ? AT_REMOVEDIR : 0
            if name.withPlatformString({ unlinkat(descriptor, $0, flags) }) == 0 { return true }
            switch errno {
            case ENOENT: return false
            case ENOTEMPTY where isDirectory, EEXIST where isDirectory: return false
            case EACCES where former == nil: try widen()
            case let error: throw Errno(rawValue: error)
            }
        }
    }

    // MARK: Permissions

    private func widen() throws(Errno) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Errno(rawValue: errno) }
        let mode = status.st_mode & 0o7777
        guard fchmod(descriptor, mode | S_IRWXU) == 0 else { throw Errno(rawValue: errno) }
        former = mode
    }

    private func setMode(_ mode: mode_t, of name: FilePath) throws(Errno) {
        guard name.withPlatformString({ fchmodat(descriptor, $0, mode, 0) }) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Gives `body` a file opened for reading, which has these bits of the mode meanwhile if they are needed; nil if
    /// the file is gone.
    private func widened<Value>(
        _ name: FilePath, _ status: stat, by bits: mode_t, _ body: (CInt) throws(Errno) -> Value
    ) throws(Errno) -> Value? {
        let mode = status.st_mode & 0o7777
        let isNarrow = mode & bits != bits && status.st_uid == geteuid()
        if isNarrow { try setMode(mode | bits, of: name) }
        defer { if isNarrow { try? setMode(mode, of: name) } }
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = name.withPlatformString { openat(descriptor, $0, flags) }
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Errno(rawValue: errno)
        }
        defer { close(file) }
        return try body(file)
    }
}
