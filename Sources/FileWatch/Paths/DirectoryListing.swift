import CLinux
import Glibc
import SystemPackage

/// Reads directories with getdents64(2) into one reused buffer.
final class DirectoryListing {
    enum EntryType {
        case directory
        case other
        /// The listing of the file system does not contain the type.
        case unknown
    }

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 32768, alignment: 8)

    deinit {
        buffer.deallocate()
    }

    /// Calls `body` with each entry except `.` and `..`; the name is valid during the call and followed by a NUL.
    ///
    /// - Throws: The error of the system if the listing is incomplete.
    func forEachEntry(
        of directory: Int32, _ body: (UnsafeBufferPointer<UInt8>, EntryType) -> Void
    ) throws(Errno) {
        while true {
            let filled = clinux_list(directory, buffer.baseAddress, buffer.count)
            if filled < 0 { throw Errno(rawValue: errno) }
            if filled == 0 { return }
            var offset = 0
            while offset < filled {
                offset += entry(at: offset, body)
            }
        }
    }

    /// Handles the record at `offset` (inode, offset, length of the record, type, name) and returns its length.
    private func entry(at offset: Int, _ body: (UnsafeBufferPointer<UInt8>, EntryType) -> Void) -> Int {
        let length = Int(buffer.load(fromByteOffset: offset + 16, as: UInt16.self))
        let type = Int32(buffer.load(fromByteOffset: offset + 18, as: UInt8.self))
        let nameStart = offset + 19
        let field = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[nameStart..<offset + length])
        field.withMemoryRebound(to: UInt8.self) { bytes in
            let name = UnsafeBufferPointer(rebasing: bytes.prefix(while: { $0 != 0 }))
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return }
            body(name, type == DT_DIR ? .directory : type == DT_UNKNOWN ? .unknown : .other)
        }
        return max(length, 19)
    }
}
