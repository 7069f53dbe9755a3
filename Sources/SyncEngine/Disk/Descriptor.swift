import CLinux
import Glibc
import SystemPackage

/// An open file description, closed when the last reference goes.
final class Descriptor: Sendable {
    let raw: CInt

    /// Takes over `raw`.
    init(owning raw: CInt) {
        self.raw = raw
    }

    deinit {
        // What a write could still report is asked of fsync or syncfs before; a failing close has no remedy.
        _ = close(raw)
    }

    /// The status of the file itself.
    func status() throws(Errno) -> FileStatus {
        var status = clinux_status()
        try SystemCall.value { clinux_status(raw, "", &status) }
        return FileStatus(status)
    }

    /// Makes contents and size, or the entries of a directory, durable; with its whole file system where that knows no
    /// other way.
    func synchronize() throws(Errno) {
        do throws(Errno) {
            try SystemCall.value { fsync(raw) }
        } catch .invalidArgument, .notSupported {
            try synchronizeFileSystem()
        }
    }

    /// Makes everything written so far on this file system durable, and reports what failed since this was opened.
    func synchronizeFileSystem() throws(Errno) {
        try SystemCall.value { clinux_syncfs(raw) }
    }

    /// Has reading through this descriptor leave the time of the last access, which tells when a person or a program
    /// of theirs used the file. Only its owner may; for others reading counts.
    func leaveAccessTime() {
        let flags = fcntl(raw, F_GETFL)
        if flags >= 0 { _ = fcntl(raw, F_SETFL, flags | CLINUX_O_NOATIME) }
    }

    /// Sets the time of the last change, in nanoseconds since 1970, and leaves that of the last access.
    func setModified(_ nanoseconds: Int64) throws(Errno) {
        let times = [timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT), timespec(nanoseconds: nanoseconds)]
        try SystemCall.value { futimens(raw, times) }
    }

    /// Sets the permission bits; set-id and sticky bits are never set.
    func setPermissions(_ mode: UInt32) throws(Errno) {
        try SystemCall.value { fchmod(raw, mode & 0o777) }
    }

    /// Reads into `buffer` at `offset`; 0 is the end.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(Errno) -> Int {
        try SystemCall.value { pread(raw, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// The bytes from `offset` to the next that the file system keeps, which read as zeros, and to the end of those. Where
    /// it has no holes, or does not tell, everything up to `size` is kept.
    func data(from offset: UInt64, size: UInt64) -> (hole: UInt64, end: UInt64) {
        let start = clinux_next_data(raw, off_t(clamping: offset))
        // Nothing but a hole follows.
        if start < 0 { return errno == ENXIO && offset < size ? (size - offset, size) : (0, size) }
        let end = clinux_next_hole(raw, start)
        return (UInt64(start) - offset, end < 0 ? size : UInt64(end))
    }

    /// Leaves out so many bytes where the descriptor stands: they read as zeros, and nothing is kept for them.
    func leaveOut(_ count: Int) throws(Errno) {
        try SystemCall.value { lseek(raw, off_t(count), SEEK_CUR) }
    }

    /// Gives the file this size.
    func setSize(_ size: Int64) throws(Errno) {
        try SystemCall.value { ftruncate(raw, off_t(size)) }
    }

    /// Gives this file, which is new, the contents of another one of so many bytes: shared where the file system can
    /// do that, else copied by the kernel without what is in holes.
    ///
    /// - Parameter progress: Called with the bytes copied so far; false abandons the copy.
    /// - Returns: Whether all of them were there, and nobody abandoned it.
    func copyContents(of other: Descriptor, size: UInt64, _ progress: (Int64) -> Bool) throws(Errno) -> Bool {
        if clinux_clone(other.raw, raw) == 0 { return true }
        var offset: UInt64 = 0
        while offset < size {
            let (hole, end) = other.data(from: offset, size: size)
            offset += hole
            while offset < min(end, size) {
                let length = Int(min(min(end, size) - offset, Self.copiedPart))
                let count = try SystemCall.value { clinux_copy_file_range(other.raw, raw, off_t(offset), length) }
                if count == 0 { return false }
                offset += UInt64(count)
                if !progress(Int64(clamping: offset)) { return false }
            }
        }
        try setSize(Int64(clamping: size))
        return true
    }

    private static let copiedPart: UInt64 = 16 << 20

    /// Writes all of `buffer` where the descriptor stands.
    func writeAll(_ buffer: UnsafeRawBufferPointer) throws(Errno) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            rest = rest.dropFirst(try SystemCall.value { write(raw, part.baseAddress, part.count) })
        }
    }

    /// Writes all of `bytes` where the descriptor stands.
    func writeAll(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try SystemCall.value {
                rest.withUnsafeBytes { write(raw, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Reads into `buffer` at `offset`; 0 is the end.
    func read(into buffer: inout [UInt8], at offset: UInt64) throws(Errno) -> Int {
        try SystemCall.value {
            buffer.withUnsafeMutableBytes { pread(raw, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    /// Everything in the file; `EFBIG` if that is more than `limit` bytes.
    func readAll(limit: Int) throws(Errno) -> [UInt8] {
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = try read(into: &buffer, at: UInt64(contents.count))
            if count == 0 { return contents }
            contents += buffer[..<count]
            if contents.count > limit { throw .fileTooLarge }
        }
    }

    /// The value of an extended attribute of at most `limit` bytes; nil if there is none.
    func attribute(_ name: String, limit: Int = 256) throws(Errno) -> [UInt8]? {
        var value = [UInt8](repeating: 0, count: limit)
        do {
            let length = try SystemCall.value { fgetxattr(raw, name, &value, limit) }
            return Array(value.prefix(length))
        } catch Errno.noData {
            return nil
        } catch {
            throw error
        }
    }

    /// Sets an extended attribute.
    func setAttribute(_ name: String, to value: [UInt8]) throws(Errno) {
        try SystemCall.value { fsetxattr(raw, name, value, value.count, 0) }
    }
}

extension Int64 {
    /// Division that rounds towards minus infinity, for times before 1970.
    func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
