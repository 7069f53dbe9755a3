internal import Glibc
package import RoundelBus
internal import Support
package import SystemPackage

/// The folders that the person has chosen, in a file with a URI in each line.
package struct FolderBook {
    private let path: FilePath
    package private(set) var folders: [ItemURI]

    private static let limit = 4 << 20

    /// Reads the file; lines that name nothing are passed over.
    package init(_ path: FilePath) {
        self.path = path
        let bytes = (try? SmallFile.read(path, limit: Self.limit)) ?? nil
        folders = (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
            try? ItemURI(String(decoding: $0, as: UTF8.self))
        }
    }

    /// Keeps another set of folders.
    /// - Throws: The error of the system; then the set is the one before.
    package mutating func set(_ new: [ItemURI]) throws(Errno) {
        try SmallFile.replace(path, with: Array(new.map { $0.uri + "\n" }.joined().utf8))
        folders = new
    }
}
