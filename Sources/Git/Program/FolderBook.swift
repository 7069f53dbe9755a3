package import RoundelBus
internal import Support
package import SystemPackage

/// The folders that the person has chosen, in a file with a URI in each line.
package struct FolderBook {
    private var file: LineFile
    package private(set) var folders: [ItemURI]

    /// Reads the file; lines that name nothing are passed over.
    package init(_ path: FilePath) {
        file = LineFile(path)
        folders = file.lines.compactMap { try? ItemURI($0) }
    }

    /// Keeps another set of folders.
    /// - Throws: As ``LineFile/set(_:)``.
    package mutating func set(_ new: [ItemURI]) throws(Errno) {
        try file.set(new.map(\.uri))
        folders = new
    }
}
