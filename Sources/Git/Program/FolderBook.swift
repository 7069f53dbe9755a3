internal import Glibc
package import RoundelBus
internal import Support
package import SystemPackage

/// The folders that the person has chosen, in a file with a URI in each line.
package struct FolderBook {
    private let path: FilePath
    package private(set) var folders: [ItemURI]
    /// Why the file could not be read: it may hold what is not known here, and is not replaced.
    private let problem: Errno?

    private static let limit = 4 << 20

    /// Reads the file; lines that name nothing are passed over.
    package init(_ path: FilePath) {
        self.path = path
        var bytes: [UInt8]?
        do throws(Errno) {
            bytes = try SmallFile.read(path, limit: Self.limit)
            problem = nil
        } catch {
            problem = error
            log(.warning, "\(path) cannot be read: \(error)")
        }
        folders = (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
            try? ItemURI(String(decoding: $0, as: UTF8.self))
        }
    }

    /// Keeps another set of folders.
    /// - Throws: The error of the system, also if the file could not be read; then the set is the one before.
    package mutating func set(_ new: [ItemURI]) throws(Errno) {
        if let problem { throw problem }
        try SmallFile.replace(path, with: Array(new.map { $0.uri + "\n" }.joined().utf8))
        folders = new
    }
}
