internal import Glibc
internal import SystemPackage

/// Reading and replacing the few small files of the service.
enum SmallFile {
    /// The text of a file, or nil if it cannot be read or is larger than `limit` bytes.
    static func read(_ path: FilePath, limit: Int = 1 << 20) -> String? {
        (try? contents(path, limit: limit)) ?? nil
    }

    /// The text of a file; nil if there is none.
    ///
    /// - Throws: `fileTooLarge` for one of more than `limit` bytes, and what the system says of one that cannot be read.
    static func contents(_ path: FilePath, limit: Int) throws(Errno) -> String? {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking])
            defer { try? file.close() }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16384)
            while case let count = try buffer.withUnsafeMutableBytes({ try file.read(into: $0) }), count > 0 {
                bytes.append(contentsOf: buffer[..<count])
                if bytes.count > limit { throw Errno.fileTooLarge }
            }
            return String(decoding: bytes, as: UTF8.self)
        } catch Errno.noSuchFileOrDirectory, Errno.notDirectory {
            return nil
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
    }

    /// Replaces a file as a whole: a reader sees the old text or the new one, and a crash leaves either.
    static func replace(_ path: FilePath, with text: String) throws(Errno) {
        let folder = path.removingLastComponent()
        try makeFolders(folder)
        let temporary = FilePath("\(path.string).new")
        do {
            let file = try FileDescriptor.open(
                temporary, .writeOnly, options: [.create, .truncate, .closeOnExec, .noFollow],
                permissions: [.ownerReadWrite])
            try file.closeAfter {
                try file.writeAll(Array(text.utf8))
                if fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
            }
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
        let renamed = temporary.withPlatformString { from in path.withPlatformString { to in rename(from, to) } }
        if renamed != 0 { throw Errno(rawValue: errno) }
        // The file system that cannot sync a directory has nothing better to offer.
        if let directory = try? FileDescriptor.open(folder, .readOnly, options: [.closeOnExec, .directory]) {
            fsync(directory.rawValue)
            try? directory.close()
        }
    }

    private static func makeFolders(_ folder: FilePath) throws(Errno) {
        let made = folder.withPlatformString { mkdir($0, 0o700) }
        if made == 0 || errno == EEXIST { return }
        guard errno == ENOENT, !folder.removingLastComponent().isEmpty else { throw Errno(rawValue: errno) }
        try makeFolders(folder.removingLastComponent())
        let again = folder.withPlatformString { mkdir($0, 0o700) }
        if again != 0 && errno != EEXIST { throw Errno(rawValue: errno) }
    }
}
