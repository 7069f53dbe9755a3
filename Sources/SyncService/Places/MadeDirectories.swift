internal import Glibc
internal import SystemPackage

/// The directories that were made for a new folder because they were missing.
struct MadeDirectories: Sendable {
    /// Those above others come first.
    private var paths: [FilePath] = []

    /// Makes a directory, and those above it, where they are missing. What exists is left as it is.
    mutating func make(_ path: FilePath) throws(Errno) {
        do throws(Errno) {
            try makeOne(path)
        } catch .noSuchFileOrDirectory where path.components.count > 1 {
            try make(path.removingLastComponent())
            try makeOne(path)
        }
    }

    private mutating func makeOne(_ path: FilePath) throws(Errno) {
        if path.withPlatformString({ mkdir($0, 0o777) }) == 0 { return paths.append(path) }
        let error = Errno(rawValue: errno)
        // Whether it is a directory, whoever uses it examines.
        if error != .fileExists { throw error }
    }

    /// Removes those that are still empty.
    func takeBack() {
        for path in paths.reversed() { _ = path.withPlatformString { rmdir($0) } }
    }
}
