import CLinux
import Glibc
import MountProtocol
import SyncCore
import SystemPackage

/// The marks of files without contents, which a mounted folder shows to the worker alone.
enum ContentsMark {
    /// How often a file is looked at that changes meanwhile.
    private static let attempts = 8

    /// The status of an entry, with what stands in the place of its contents.
    ///
    /// The status and the mark are read one after the other, so that contents may come, go or be described in between.
    /// Where one does not fit the other, both are read again until nothing has happened.
    static func status(
        of name: EntryName, in directory: DirectoryHandle, on device: UInt64
    ) throws(Errno) -> FileStatus {
        var status = try directory.plainStatus(of: name)
        for _ in 0..<attempts {
            guard status.kind == .file, status.device == device, status.size > 0 else { return status }
            let mark = try read(name, in: directory)
            status.placeholder = mark?.placeholder(ofSize: status.size)
            if (status.placeholder != nil) == (status.stored == 0), mark?.formerSize == nil { return status }
            let again = try directory.plainStatus(of: name)
            if again.inode == status.inode, again.size == status.size, again.changed == status.changed { return status }
            status = again
        }
        return status
    }

    /// - Throws: EIO for a mark that this program does not know: what the file holds may be nothing.
    private static func read(_ name: EntryName, in directory: DirectoryHandle) throws(Errno) -> PlaceholderMark? {
        var value = [UInt8](repeating: 0, count: PlaceholderMark.limit)
        let place = Array("/proc/self/fd/\(directory.descriptor.raw)/".utf8) + name.bytes + [0]
        do throws(Errno) {
            let count = try SystemCall.value {
                place.withUnsafeBytes { bytes in
                    bytes.assumingMemoryBound(to: CChar.self).baseAddress.map {
                        lgetxattr($0, Placeholder.attribute, &value, value.count)
                    } ?? -1
                }
            }
            guard let mark = PlaceholderMark(Array(value.prefix(count))) else { throw .ioError }
            return mark
        } catch .noData, .notSupported {
            return nil
        } catch {
            throw error
        }
    }
}
