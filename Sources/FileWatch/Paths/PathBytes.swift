import Glibc
import SystemPackage

extension FilePath {
    /// A path of any bytes that contain no NUL.
    init<Bytes: Collection<UInt8>>(bytes: Bytes) {
        var terminated = bytes.map { CChar(bitPattern: $0) }
        terminated.append(0)
        self.init(platformString: terminated)
    }

    /// The names of the path, found in one pass over the bytes, because a path may have thousands.
    var names: [Component] {
        withPlatformString { string in
            UnsafeRawBufferPointer(start: string, count: strlen(string)).split(separator: UInt8(ascii: "/"))
                .compactMap { Component(bytes: $0) }
        }
    }

    /// Appends names in one pass over the bytes.
    func appending(names: some Sequence<Component>) -> FilePath {
        var bytes = withPlatformString { string in
            Array(UnsafeRawBufferPointer(start: string, count: strlen(string)))
        }
        for name in names {
            if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
            name.withBytes { bytes += $0 }
        }
        return FilePath(bytes: bytes)
    }

    /// Whether the path is that of `directory`, or leads below it: `starts(with:)` in one comparison of the bytes, because
    /// it is asked of every mount for every component of a path.
    func isAtOrBelow(_ directory: FilePath) -> Bool {
        withPlatformString { path in
            directory.withPlatformString { directory in
                let length = strlen(directory)
                guard length > 0, strncmp(path, directory, length) == 0 else { return false }
                let slash = CChar(bitPattern: UInt8(ascii: "/"))
                // The path of the root directory ends with a slash, no other does.
                return directory[length - 1] == slash || path[length] == 0 || path[length] == slash
            }
        }
    }

    /// The order of the paths' bytes.
    static func bytesAscend(_ left: FilePath, _ right: FilePath) -> Bool {
        left.withPlatformString { left in right.withPlatformString { right in strcmp(left, right) < 0 } }
    }
}

extension FilePath.Component {
    /// A file name; nil if the bytes are not a valid one.
    init?<Bytes: Collection<UInt8>>(bytes: Bytes) {
        guard let component = FilePath(bytes: bytes).lastComponent else { return nil }
        self = component
    }

    /// Runs `body` on the name's bytes.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withPlatformString { string in
            try UnsafeRawBufferPointer(start: string, count: strlen(string)).withMemoryRebound(to: UInt8.self, body)
        }
    }
}
