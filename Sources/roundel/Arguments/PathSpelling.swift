import Glibc
import Support
import SystemPackage

/// Makes paths of the command line absolute, byte for byte.
///
/// The user's spelling is kept (a directory reached through a symbolic link stays spelled that way), because the badge
/// service knows both spellings. Only `..` is resolved on disk, because `link/..` is not the parent of `link`.
struct PathSpelling: Sendable {
    let workingDirectory: FilePath
    /// Returns the path of a directory without symbolic links; nil if it cannot be determined.
    let physical: @Sendable (FilePath) -> FilePath?

    /// Resolves paths relative to the working directory of this process.
    static func forThisProcess() -> PathSpelling {
        PathSpelling(workingDirectory: currentDirectory(), physical: realPath)
    }

    /// The absolute path, without `.`, `..`, empty and trailing segments.
    func absolute(_ path: FilePath) -> FilePath {
        let joined = path.isAbsolute ? path : workingDirectory.appending(path.components)
        let components = Array(joined.components).filter { $0.kind != .currentDirectory }
        guard let last = components.lastIndex(where: { $0.kind == .parentDirectory }) else {
            return FilePath(root: "/", components)
        }
        let ancestor = FilePath(root: "/", components[...last])
        let resolved = physical(ancestor) ?? ancestor.lexicallyNormalized()
        return resolved.appending(components[(last + 1)...])
    }

    /// `$PWD` if it is the working directory, as in a shell; otherwise its physical path.
    private static func currentDirectory() -> FilePath {
        if let bytes = ProcessEnvironment.bytes("PWD"), bytes.first == UInt8(ascii: "/") {
            let spelled = FilePath(bytes: bytes)
            if !spelled.components.contains(where: { $0.kind != .regular }), isSameDirectory(spelled, ".") {
                return spelled
            }
        }
        guard let buffer = getcwd(nil, 0) else { return "/" }
        defer { free(buffer) }
        return FilePath(platformString: buffer)
    }

    private static func isSameDirectory(_ first: FilePath, _ second: FilePath) -> Bool {
        var left = stat()
        var right = stat()
        let known =
            first.withPlatformString { stat($0, &left) } == 0 && second.withPlatformString { stat($0, &right) } == 0
        return known && left.st_ino == right.st_ino && left.st_dev == right.st_dev
    }

    private static func realPath(_ path: FilePath) -> FilePath? {
        guard let buffer = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(buffer) }
        return FilePath(platformString: buffer)
    }
}

extension FilePath {
    /// A path of exactly these bytes, which contain no NUL.
    init(bytes: some Sequence<UInt8>) {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        self = characters.withUnsafeBufferPointer { buffer in
            // The buffer contains at least the terminating NUL, so it has an address.
            buffer.baseAddress.map { FilePath(platformString: $0) } ?? FilePath()
        }
    }

    /// The bytes of the path, without a terminator.
    var bytes: [UInt8] {
        withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// The path for display; bytes that are not UTF-8 appear as `\xNN`.
    var displayed: String { DisplayText.decoding(bytes) }
}
