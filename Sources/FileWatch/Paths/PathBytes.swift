import Glibc
import SystemPackage

extension FilePath {
    /// The path of these bytes, whatever they are; they hold no NUL.
    init<Bytes: Collection<UInt8>>(bytes: Bytes) {
        var terminated = bytes.map { CChar(bitPattern: $0) }
        terminated.append(0)
        self.init(platformString: terminated)
    }

    /// The order of the paths' bytes.
    static func bytesAscend(_ left: FilePath, _ right: FilePath) -> Bool {
        left.withPlatformString { left in right.withPlatformString { right in strcmp(left, right) < 0 } }
    }
}

extension FilePath.Component {
    /// A file's name; nil for what cannot be one.
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
