internal import Glibc
internal import SystemPackage

/// Where the contents of a folder on demand are kept. That has to be on the folder's file system: the folder's directory
/// is moved there as a whole, and a file that is filled stays the same file.
enum ContentsDirectory {
    /// The usual place: hidden, and where nobody looks.
    static func usual(_ id: String, dataHome: FilePath) -> FilePath { all(dataHome: dataHome).appending(id) }

    /// The directory that holds all usual places.
    static func all(dataHome: FilePath) -> FilePath { dataHome.appending("roundel").appending("contents") }

    /// The place for a folder that is on another file system.
    static func beside(_ folder: FilePath, _ id: String) -> FilePath {
        folder.removingLastComponent().appending(".roundel-contents-\(id)")
    }

    /// The place for a folder; nil if there is none, because the folder is a file system of its own. Pure.
    ///
    /// - Parameters:
    ///   - device: The file system of a directory, or of the nearest one above it that exists.
    static func choose(
        _ id: String, for folder: FilePath, dataHome: FilePath, device: (FilePath) -> UInt64?
    ) -> FilePath? {
        guard let own = device(folder) else { return nil }
        // A file system's topmost directory cannot be moved.
        guard device(folder.removingLastComponent()) == own else { return nil }
        let usual = usual(id, dataHome: dataHome)
        return device(usual) == own ? usual : beside(folder, id)
    }

    /// The file system of a directory, or of the nearest one above it that exists. May block.
    static func device(_ path: FilePath) -> UInt64? {
        var place = path
        while true {
            var status = stat()
            if place.withPlatformString({ stat($0, &status) }) == 0 { return UInt64(status.st_dev) }
            guard errno == ENOENT, place.removeLastComponent() else { return nil }
        }
    }
}
