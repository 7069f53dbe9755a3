internal import Glibc
package import SystemPackage

/// Facts about paths on disk, read without changing anything.
package enum FileSystemFacts {
    /// Whether the path exists; links are followed.
    package static func exists(_ path: FilePath) -> Bool { path.withPlatformString { access($0, F_OK) } == 0 }

    /// Whether it is a program that this user may run.
    static func isProgram(_ path: FilePath) -> Bool { path.withPlatformString { access($0, X_OK) } == 0 }

    /// The status of the path itself; nil if it does not exist.
    static func status(_ path: FilePath) -> stat? {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 ? status : nil
    }

    /// The path with all links resolved; nil if it does not exist.
    static func resolved(_ path: FilePath) -> FilePath? {
        guard let text = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(text) }
        return FilePath(platformString: text)
    }

    /// The target of a symbolic link; nil if the path is not a link.
    package static func target(ofLink path: FilePath) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
        return count > 0 ? FilePath(platformString: buffer) : nil
    }

    /// Whether only root can change the item at a path: it and all directories above it belong to root and are not
    /// writable for everyone.
    static func isRootsAlone(_ path: FilePath) -> Bool {
        guard var path = resolved(path) else { return false }
        while true {
            guard let status = status(path), status.st_uid == 0, status.st_mode & S_IWOTH == 0 else { return false }
            guard path.removeLastComponent() else { return true }
        }
    }

    /// Passes the mapped contents of a file to `body`; nil if it cannot be opened or is empty.
    package static func withContents<Result>(of file: FilePath, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        let descriptor = file.withPlatformString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return nil
        }
        let size = Int(status.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
            return nil
        }
        defer { munmap(start, size) }
        return body(UnsafeRawBufferPointer(start: start, count: size))
    }

    /// Whether two files have the same contents.
    static func haveEqualContents(_ one: FilePath, _ other: FilePath) -> Bool {
        let answer = withContents(of: one) { first in
            withContents(of: other) { second in
                first.count == second.count && first.elementsEqual(second)
            }
        }
        return (answer ?? nil) ?? false
    }
}
