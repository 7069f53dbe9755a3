internal import Glibc

/// The environment variables of this process.
package enum ProcessEnvironment {
    /// The value of a variable, byte by byte, since a path may hold any bytes; nil if it is not set.
    package static func bytes(_ name: String) -> [UInt8]? {
        getenv(name).map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }

    /// The value of a variable as text, with bytes that are not UTF-8 replaced; nil if it is not set.
    package static func text(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The value of a variable as text; nil if it is not set or not UTF-8.
    package static func valid(_ name: String) -> String? { getenv(name).flatMap { String(validatingCString: $0) } }
}
