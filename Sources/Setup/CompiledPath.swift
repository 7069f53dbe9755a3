internal import Glibc
internal import SystemPackage

/// Finds a path that is compiled into a program or a library.
enum CompiledPath {
    /// The absolute paths in these bytes that end like `ending`, each once, in their order. A string ends at a NUL; a
    /// list of paths has colons between them.
    static func find(ending: String, in bytes: UnsafeRawBufferPointer) -> [FilePath] {
        let ending = Array(ending.utf8)
        var paths: [FilePath] = []
        var at = bytes.startIndex
        while let start = next(ending, in: bytes, from: at) {
            at = start + 1
            let end = start + ending.count
            guard end < bytes.endIndex, isSeparator(bytes[end]) else { continue }
            var first = start
            while first > bytes.startIndex, !isSeparator(bytes[first - 1]), end - first < Int(PATH_MAX) { first -= 1 }
            let text = String(validating: bytes[first..<end], as: UTF8.self)
            guard bytes[first] == UInt8(ascii: "/"), let text, !paths.contains(FilePath(text)) else { continue }
            paths.append(FilePath(text))
        }
        return paths
    }

    /// Whether these bytes hold a string.
    static func contains(_ text: String, in bytes: UnsafeRawBufferPointer) -> Bool {
        next(Array(text.utf8), in: bytes, from: bytes.startIndex) != nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == 0 || byte == UInt8(ascii: ":") }

    private static func next(_ text: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, let initial = text.first else { return nil }
        var at = start
        while at <= bytes.count - text.count {
            let rest = bytes.count - text.count - at + 1
            guard let found = memchr(base + at, Int32(initial), rest) else { return nil }
            at = UnsafeRawPointer(found) - base
            if memcmp(base + at, text, text.count) == 0 { return at }
            at += 1
        }
        return nil
    }
}
