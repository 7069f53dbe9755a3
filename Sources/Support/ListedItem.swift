internal import Glibc
package import SystemPackage

/// One item of a directory on disk; symbolic links are not followed.
package struct ListedItem: Sendable, Equatable {
    /// The kind of an item, by its word in JSON.
    package enum Kind: String, Sendable { case directory, file, symlink, special }

    /// Why a directory cannot be listed.
    package enum Failure: Error, Hashable, Sendable {
        /// It cannot be opened, with the error of the system.
        case opening(FilePath, Errno)
        /// It was opened and cannot be read to its end, with the error of the system.
        case reading(FilePath, Errno)
    }

    /// The bytes of the name.
    package let name: [UInt8]
    /// What it is.
    package let kind: Kind
    /// The size in bytes; nil if it is not a file.
    package let size: UInt64?

    /// Describes an item.
    package init(name: [UInt8], kind: Kind, size: UInt64?) {
        self.name = name
        self.kind = kind
        self.size = size
    }

    /// All items in a directory, in no particular order. Items that are removed meanwhile are left out.
    package static func list(_ directory: FilePath) throws(Failure) -> [ListedItem] {
        guard let stream = directory.withPlatformString({ opendir($0) }) else {
            throw .opening(directory, Errno(rawValue: errno))
        }
        defer { closedir(stream) }
        var entries: [ListedItem] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                UnsafeRawPointer(pointer).withMemoryRebound(to: CChar.self, capacity: 256) {
                    Array(UnsafeRawBufferPointer(start: $0, count: strlen($0)))
                }
            }
            if name != Array(".".utf8), name != Array("..".utf8), let item = describe(name, in: dirfd(stream)) {
                entries.append(item)
            }
            errno = 0
        }
        guard errno == 0 else { throw .reading(directory, Errno(rawValue: errno)) }
        return entries
    }

    /// What is at a path; nil if nothing is.
    package static func kind(of path: FilePath) -> Kind? {
        var status = stat()
        return path.withPlatformString { lstat($0, &status) } == 0 ? Kind(status) : nil
    }

    private static func describe(_ name: [UInt8], in directory: Int32) -> ListedItem? {
        var status = stat()
        let characters = name.map { CChar(bitPattern: $0) } + [0]
        guard fstatat(directory, characters, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kind = Kind(status)
        return ListedItem(name: name, kind: kind, size: kind == .file ? UInt64(clamping: status.st_size) : nil)
    }
}

extension ListedItem.Kind {
    fileprivate init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .file
            case S_IFLNK: .symlink
            default: .special
            }
    }
}
