import Glibc
import TestSupport

/// Files that the kernel makes up, whose sizes nobody knows.
enum KernelFile {
    static func of(_ path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw Failure("cannot read \(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
