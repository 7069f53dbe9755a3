import Glibc
import TestSupport

/// The files that the tests are built from.
enum Sources {
    /// The text of a file.
    /// - Parameter path: below the root of the sources.
    static func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        guard let file = fopen("/\(root)/\(path)", "re") else { throw Failure("\(path) cannot be opened") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
