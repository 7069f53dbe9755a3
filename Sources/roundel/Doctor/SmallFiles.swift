import Glibc
import SystemPackage

/// Configuration files, of which only the beginning matters.
enum SmallFiles {
    /// The first 4 KiB of every file in a directory; none where it is not there.
    static func texts(in directory: FilePath) -> [String] {
        let entries = (try? DirectoryEntry.list(directory)) ?? []
        return entries.filter { $0.kind != .directory }.compactMap { entry in
            text(Array("\(directory)/".utf8) + entry.name)
        }
    }

    private static func text(_ path: [UInt8]) -> String? {
        guard let file = fopen(path.map { CChar(bitPattern: $0) } + [0], "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
