internal import Glibc
package import SystemPackage

/// Files small enough to be read and replaced completely.
package enum SmallFile {
    /// The contents of a file; nil if it does not exist.
    ///
    /// - Parameter limit: The maximum size in bytes.
    /// - Throws: `fileTooLarge` for a longer file, and the error of the system if it cannot be read.
    package static func read(_ path: FilePath, limit: Int) throws(Errno) -> [UInt8]? {
        do throws(Errno) {
            let bytes = try open(path) { try contents(of: $0, limit: limit + 1) }
            if bytes.count > limit { throw Errno.fileTooLarge }
            return bytes
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch {
            throw error
        }
    }

    /// The first `count` bytes of a file, or all of a shorter one.
    ///
    /// - Throws: The error of the system if the file does not exist or cannot be read.
    package static func read(beginningOf path: FilePath, count: Int) throws(Errno) -> [UInt8] {
        try open(path) { try contents(of: $0, limit: count) }
    }

    /// Replaces a file durably: readers, also after a crash, see either the old or the new contents. Missing
    /// directories are created, accessible only to the owner.
    ///
    /// - Parameter permissions: The permissions of the file, before the umask is applied.
    package static func replace(
        _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions = .ownerReadWrite
    ) throws(Errno) {
        try replace(path, permissions: permissions) { try $0.writeAll(bytes) }
    }

    /// The same with contents that `write` writes to the new file.
    package static func replace(
        _ path: FilePath, permissions: FilePermissions, _ write: (FileDescriptor) throws -> Void
    ) throws(Errno) {
        try makeDirectories(path.removingLastComponent())
        try replace(path) { staged throws(Errno) in
            try asErrno {
                let file = try FileDescriptor.open(
                    staged, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec, .noFollow],
                    permissions: permissions)
                try file.closeAfter {
                    try write(file)
                    if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
                }
            }
        }
    }

    /// The first symbolic link on the way to a missing file that leads nowhere; nil if the file is missing without one.
    package static func danglingLink(on path: FilePath) -> FilePath? {
        var place = path
        while !place.isEmpty {
            var status = stat()
            if place.withPlatformString({ lstat($0, &status) }) == 0 {
                guard status.st_mode & S_IFMT == S_IFLNK else { return nil }
                return place.withPlatformString({ stat($0, &status) }) == 0 ? nil : place
            }
            guard place.removeLastComponent() else { return nil }
        }
        return nil
    }

    /// The file that a path leads to, which differs from the path if a symbolic link is there. To replace it keeps the
    /// link.
    /// - Throws: The error of the system for a link that leads nowhere.
    package static func throughLinks(_ path: FilePath) throws(Errno) -> FilePath {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFLNK else {
            return path
        }
        guard let target = path.withPlatformString({ realpath($0, nil) }) else { throw Errno(rawValue: errno) }
        defer { free(target) }
        return FilePath(platformString: target)
    }

    /// Replaces whatever has this name, except a directory, with a symbolic link.
    package static func replace(_ path: FilePath, byLinkTo target: FilePath) throws(Errno) {
        try replace(path) { staged throws(Errno) in
            let made = staged.withPlatformString { name in target.withPlatformString { symlink($0, name) } }
            guard made == 0 else { throw Errno(rawValue: errno) }
        }
    }

    /// Creates something in the directory of the file under an unused name, and then renames it to the file's name.
    private static func replace(_ path: FilePath, by make: (FilePath) throws(Errno) -> Void) throws(Errno) {
        let folder = path.removingLastComponent()
        let staged = folder.appending(".new-\(String(UInt64.random(in: .min ... .max), radix: 16))")
        do throws(Errno) {
            try make(staged)
            let renamed = staged.withPlatformString { from in path.withPlatformString { to in rename(from, to) } }
            guard renamed == 0 else { throw Errno(rawValue: errno) }
        } catch {
            _ = staged.withPlatformString { unlink($0) }
            throw error
        }
        // If a file system cannot sync a directory, there is no better way.
        if let directory = try? FileDescriptor.open(folder, .readOnly, options: [.closeOnExec, .directory]) {
            fsync(directory.rawValue)
            try? directory.close()
        }
    }

    private static func makeDirectories(_ folder: FilePath) throws(Errno) {
        let made = folder.withPlatformString { mkdir($0, 0o700) }
        if made == 0 || errno == EEXIST { return }
        guard errno == ENOENT, !folder.removingLastComponent().isEmpty else { throw Errno(rawValue: errno) }
        try makeDirectories(folder.removingLastComponent())
        let again = folder.withPlatformString { mkdir($0, 0o700) }
        if again != 0 && errno != EEXIST { throw Errno(rawValue: errno) }
    }

    private static func open(
        _ path: FilePath, _ body: (FileDescriptor) throws -> [UInt8]
    ) throws(Errno) -> [UInt8] {
        // Otherwise, opening a pipe for reading would wait for a writer.
        try asErrno {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            return try file.closeAfter { try body(file) }
        }
    }

    private static func contents(of file: FileDescriptor, limit: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 16 << 10))
        while bytes.count < limit {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            if count == 0 { break }
            bytes.append(contentsOf: buffer[..<min(count, limit - bytes.count)])
        }
        return bytes
    }

    /// swift-system throws only `Errno`, although its signatures do not say so.
    private static func asErrno<Value>(_ body: () throws -> Value) throws(Errno) -> Value {
        do {
            return try body()
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }
}
