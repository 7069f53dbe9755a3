import Glibc
import SystemPackage

/// What the disk says about a path, asked without changing anything.
enum FileSystemFacts {
    /// Whether something is there, links followed.
    static func exists(_ path: FilePath) -> Bool { path.withPlatformString { access($0, F_OK) } == 0 }

    /// Whether it is a program that this person may run.
    static func isProgram(_ path: FilePath) -> Bool { path.withPlatformString { access($0, X_OK) } == 0 }

    /// The status of the path itself; nil where nothing is.
    static func status(_ path: FilePath) -> stat? {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 ? status : nil
    }

    /// The path without links; nil where nothing is.
    static func resolved(_ path: FilePath) -> FilePath? {
        guard let text = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(text) }
        return FilePath(platformString: text)
    }

    /// What a symbolic link says; nil for everything else.
    static func target(ofLink path: FilePath) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
        return count > 0 ? FilePath(platformString: buffer) : nil
    }

    /// Whether root alone can change what the path leads to: nobody else owns it or a directory above it, and not
    /// everybody may write there.
    static func isRootsAlone(_ path: FilePath) -> Bool {
        guard var path = resolved(path) else { return false }
        while true {
            guard let status = status(path), status.st_uid == 0, status.st_mode & S_IWOTH == 0 else { return false }
            guard path.removeLastComponent() else { return true }
        }
    }

    /// Gives `body` the contents of a file, mapped and not read; nil where it cannot be opened or is empty.
    static func withContents<Result>(of file: FilePath, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
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

    /// Whether two files hold the same bytes.
    static func haveEqualContents(_ one: FilePath, _ other: FilePath) -> Bool {
        let answer = withContents(of: one) { first in
            withContents(of: other) { second in
                first.count == second.count && first.elementsEqual(second)
            }
        }
        return (answer ?? nil) ?? false
    }
}
