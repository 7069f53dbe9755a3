internal import FileWatch
internal import Glibc
internal import RoundelBus
internal import SystemPackage

extension RoundelBus.FolderChanges {
    /// The watcher's changes of a folder.
    init(_ changes: TreeChanges, of folder: ItemURI) {
        let length = folder.filePath.length
        self.init(
            folder: folder,
            directories: changes.directories.map { ItemURI($0, below: folder, length: length) },
            items: changes.items.map { ItemURI($0, below: folder, length: length) },
            overflow: changes.overflow)
    }
}

extension ItemURI {
    /// The URI of a path below a folder; a path too long for a URI is reported as its deepest ancestor that fits.
    ///
    /// - Parameter length: The length of the folder's path in bytes.
    fileprivate init(_ relative: FilePath, below folder: ItemURI, length: Int) {
        self = relative.withPlatformString { pointer in
            let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
            var (uri, length) = (folder, length)
            for segment in bytes.split(separator: UInt8(ascii: "/")) {
                length += segment.count + 1
                guard length < ItemURI.pathLimit, let name = try? ItemName(bytes: segment) else { break }
                uri = uri.appending(name)
            }
            return uri
        }
    }
}

extension ItemName {
    /// The names of files; those that cannot be named in a URI are left out.
    static func names(of components: [FilePath.Component]) -> [ItemName] {
        components.compactMap { component in
            try? ItemName(
                bytes: component.withPlatformString { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
        }
    }
}
