import CLinux
import Glibc
import TestSupport

/// A file as the system says it is.
func fileStatus(of path: String) throws -> clinux_status {
    var status = clinux_status()
    guard clinux_status(AT_FDCWD, path, &status) == 0 else { throw Failure("stat \(path): \(errno)") }
    return status
}

/// All bytes of a file, or the error with which it cannot be read.
func contents(of path: String) -> Result<[UInt8], Refusal> {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return .failure(Refusal(number: errno)) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 17)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count < 0 { return .failure(Refusal(number: errno)) }
        if count == 0 { return .success(bytes) }
        bytes += buffer[..<count]
    }
}

/// Writes a file anew.
func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure("open \(path): \(errno)") }
    defer { close(file) }
    var written = 0
    while written < bytes.count {
        let count = bytes.withUnsafeBytes {
            Glibc.write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
        }
        guard count > 0 else { throw Failure("write \(path): \(errno)") }
        written += count
    }
}

/// An error number.
struct Refusal: Error, Hashable, CustomStringConvertible {
    let number: Int32
    var description: String { String(cString: strerror(number)) }
}

/// Contents of which every piece says what version and place it is of, and no byte is zero.
enum Pattern {
    static func bytes(version: UInt64, size: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        for place in bytes.indices { bytes[place] = byte(version, place) }
        return bytes
    }

    static func byte(_ version: UInt64, _ place: Int) -> UInt8 {
        let word = (version &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(place >> 3) &* 0xD134_2543_DE82_EF95)
        return UInt8(truncatingIfNeeded: (word ^ word >> 29) >> (UInt64(place & 7) * 8)) | 1
    }

    /// What is wrong with contents that are not those of a version: their size, and from where on.
    static func difference(of found: Result<[UInt8], Refusal>, from version: UInt64) -> String {
        switch found {
        case .failure(let refusal): return "\(refusal)"
        case .success(let bytes):
            let place = bytes.indices.first { bytes[$0] != byte(version, $0) }
            return "\(bytes.count) bytes" + (place.map { ", another from \($0) on: \(bytes[$0...].prefix(8))" } ?? "")
        }
    }

    static func version(_ number: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    static func number(_ version: [UInt8]) -> UInt64 { version.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
