internal import Glibc
internal import Support
internal import SystemPackage

/// Creates and removes small files and directories for setup.
enum OwnFiles {
    /// Creates a directory and its missing ancestors.
    /// - Parameter mode: The mode of each created directory, before the umask is applied.
    /// - Returns: The created directories, the outermost first.
    /// - Throws: ``SetupFailure``.
    @discardableResult
    static func makeDirectory(_ directory: FilePath, mode: mode_t = 0o777) throws(SetupFailure) -> [FilePath] {
        if FileSystemFacts.exists(directory) { return [] }
        let above = try makeDirectory(directory.removingLastComponent(), mode: mode)
        guard directory.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST else {
            throw .cannotMake(directory, Errno(rawValue: errno))
        }
        return above + [directory]
    }

    /// Writes a file that everyone can read, atomically: readers see either the old or the new contents.
    /// - Throws: ``SetupFailure``.
    static func write(_ text: String, to file: FilePath) throws(SetupFailure) {
        let current = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) }
        if current == text { return }
        try makeDirectory(file.removingLastComponent())
        try reporting(file) { () throws(Errno) in
            try SmallFile.replace(file, with: Array(text.utf8), permissions: readableByAll)
        }
    }

    /// Copies a file that belongs to this user, or to root, so that everyone can read the copy.
    /// - Parameter owner: The user who may own it besides root, so that no one can make root copy a file of someone
    ///   else.
    /// - Throws: ``SetupFailure``.
    static func copy(_ source: FilePath, to file: FilePath, owner: uid_t) throws(SetupFailure) {
        let from = source.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard from >= 0 else {
            throw .cannotRead(source, Errno(rawValue: errno))
        }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == owner else {
            throw .notTheInstallers(source)
        }
        try reporting(file) { () throws(Errno) in
            try SmallFile.replace(file, permissions: readableByAll) { new in
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while true {
                    let count = try buffer.withUnsafeMutableBytes { try FileDescriptor(rawValue: from).read(into: $0) }
                    if count == 0 { break }
                    try new.writeAll(buffer[..<count])
                }
                // Regardless of the umask.
                guard fchmod(new.rawValue, readableByAll.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
        }
    }

    /// Creates a symbolic link, replacing whatever has its name.
    /// - Throws: ``SetupFailure``.
    static func link(_ link: FilePath, to target: FilePath) throws(SetupFailure) {
        try reporting(link) { () throws(Errno) in try SmallFile.replace(link, byLinkTo: target) }
    }

    /// Removes a file or a link if it exists.
    /// - Throws: ``SetupFailure``.
    static func remove(_ file: FilePath) throws(SetupFailure) {
        guard file.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw .cannotRemove(file, Errno(rawValue: errno))
        }
    }

    /// Removes a directory if it is empty.
    static func removeIfEmpty(_ directory: FilePath) { _ = directory.withPlatformString { rmdir($0) } }

    private static let readableByAll = FilePermissions(rawValue: 0o644)

    /// Reports that a file cannot be written if `body` fails.
    private static func reporting(_ file: FilePath, _ body: () throws(Errno) -> Void) throws(SetupFailure) {
        do throws(Errno) {
            try body()
        } catch {
            throw .cannotWrite(file, error)
        }
    }
}
