import Glibc
import SystemPackage

/// Small files and directories that setup makes, and takes away again.
enum OwnFiles {
    /// Makes a directory and those above it that are missing.
    /// - Parameter mode: Of each that is made, within the umask.
    /// - Returns: those that were made, the outermost first.
    /// - Throws: ``CommandFailure``.
    @discardableResult
    static func makeDirectory(_ directory: FilePath, mode: mode_t = 0o777) throws -> [FilePath] {
        if FileSystemFacts.exists(directory) { return [] }
        let above = try makeDirectory(directory.removingLastComponent(), mode: mode)
        guard directory.withPlatformString({ mkdir($0, mode) }) == 0 || errno == EEXIST else {
            throw CommandFailure(Text.cannotMake(DisplayText.decoding(directory.bytes), because: errno))
        }
        return above + [directory]
    }

    /// Writes a file as a whole: a reader finds the old one or the new one.
    /// - Throws: ``CommandFailure``.
    static func write(_ text: String, to file: FilePath, mode: mode_t = 0o644) throws {
        let current = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) }
        if current == text { return }
        try makeDirectory(file.removingLastComponent())
        try replace(file) { temporary in
            let descriptor = temporary.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return writeAll(Array(text.utf8), to: descriptor)
        }
    }

    /// Copies a file that belongs to this person, or to root, for everybody to read.
    /// - Parameter owner: Who may own it besides root, so that nobody has root copy what is not theirs.
    /// - Throws: ``CommandFailure``.
    static func copy(_ source: FilePath, to file: FilePath, owner: uid_t) throws {
        let from = source.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) }
        guard from >= 0 else {
            throw CommandFailure(Text.cannotRead(DisplayText.decoding(source.bytes), because: errno))
        }
        defer { close(from) }
        var status = stat()
        guard fstat(from, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == owner else {
            throw CommandFailure(Text.notTheInstallers(DisplayText.decoding(source.bytes)))
        }
        try replace(file) { temporary in
            let to = temporary.withPlatformString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
            guard to >= 0 else { return false }
            defer { close(to) }
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = Glibc.read(from, &buffer, buffer.count)
                if count == 0 { return fchmod(to, 0o644) == 0 }
                guard count > 0, writeAll(buffer[..<count], to: to) else { return false }
            }
        }
    }

    /// Makes a symbolic link, in the place of whatever has its name.
    /// - Throws: ``CommandFailure``.
    static func link(_ link: FilePath, to target: FilePath) throws {
        try replace(link) { temporary in
            temporary.withPlatformString { temporary in target.withPlatformString { symlink($0, temporary) } } == 0
        }
    }

    /// Removes a file or a link, if it is there.
    /// - Throws: ``CommandFailure``.
    static func remove(_ file: FilePath) throws {
        guard file.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT || errno == ENOTDIR else {
            throw CommandFailure(Text.cannotRemove(DisplayText.decoding(file.bytes), because: errno))
        }
    }

    /// Removes a directory that is empty.
    static func removeIfEmpty(_ directory: FilePath) { _ = directory.withPlatformString { rmdir($0) } }

    /// Has something made beside a file, which then takes its name.
    private static func replace(_ file: FilePath, with make: (FilePath) -> Bool) throws {
        let name = ".\(file.lastComponent?.string ?? "").roundel-\(getpid())"
        let temporary = file.removingLastComponent().appending(name)
        _ = temporary.withPlatformString { unlink($0) }
        guard make(temporary),
            temporary.withPlatformString({ from in file.withPlatformString { rename(from, $0) } }) == 0
        else {
            let problem = CommandFailure(Text.cannotWrite(DisplayText.decoding(file.bytes), because: errno))
            _ = temporary.withPlatformString { unlink($0) }
            throw problem
        }
    }

    private static func writeAll(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
