import Glibc
import Support
import SystemPackage

/// One item of a directory on disk; symbolic links are not followed.
struct ListedItem: Sendable, Equatable {
    enum Kind: String, Sendable { case directory, file, symlink, special }

    /// The bytes of the name.
    let name: [UInt8]
    let kind: Kind
    /// The size in bytes; nil if it is not a file.
    let size: UInt64?

    /// All items in a directory, in no particular order. Items that are removed meanwhile are left out.
    /// - Throws: ``CommandFailure`` if the directory cannot be listed.
    static func list(_ directory: FilePath) throws -> [ListedItem] {
        guard let stream = directory.withPlatformString({ opendir($0) }) else {
            throw CommandFailure(Text.cannotList(DisplayText.decoding(directory.bytes), because: errno))
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
        guard errno == 0 else {
            throw CommandFailure(Text.cannotRead(DisplayText.decoding(directory.bytes), because: errno))
        }
        return entries
    }

    private static func describe(_ name: [UInt8], in directory: Int32) -> ListedItem? {
        var status = stat()
        let characters = name.map { CChar(bitPattern: $0) } + [0]
        guard fstatat(directory, characters, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFREG: .file
            case S_IFLNK: .symlink
            default: .special
            }
        return ListedItem(name: name, kind: kind, size: kind == .file ? UInt64(clamping: status.st_size) : nil)
    }
}

/// The system's message for a failed call.
enum SystemError {
    static func description(of code: Int32) -> String {
        switch code {
        case ENOENT: Phrase.text("there is no such file or directory")
        case ENOTDIR: Phrase.text("it is not a directory")
        case EACCES, EPERM: Phrase.text("permission is denied")
        case ELOOP: Phrase.text("it leads through too many symbolic links")
        case ENAMETOOLONG: Phrase.text("the name is too long")
        default: String(cString: strerror(code))
        }
    }
}
