import CLinux
import Glibc
import Support
import SystemPackage

/// An open file description, closed when the last reference is gone.
final class Descriptor: Sendable {
    let raw: CInt

    /// Takes over `raw`.
    init(owning raw: CInt) {
        self.raw = raw
    }

    deinit {
        // Earlier calls of fsync or syncfs report write errors; nothing can be done about a failing close.
        _ = close(raw)
    }

    /// The status of the file itself.
    func status() throws(Errno) -> FileStatus {
        var status = clinux_status()
        try SystemCall.value { clinux_status(raw, "", &status) }
        return FileStatus(status)
    }

    /// Makes contents and size, or the entries of a directory, durable; syncs the whole file system if there is no
    /// other way.
    func synchronize() throws(Errno) {
        do throws(Errno) {
            try SystemCall.value { fsync(raw) }
        } catch .invalidArgument, .notSupported {
            try synchronizeFileSystem()
        }
    }

    /// Makes everything written so far on this file system durable, and reports errors since this was opened.
    func synchronizeFileSystem() throws(Errno) {
        try SystemCall.value { clinux_syncfs(raw) }
    }

    /// Prevents reads through this descriptor from changing the access time, which shows when the user or their
    /// programs used the file. Only the owner may do this; for other users' files the reads count.
    func leaveAccessTime() {
        let flags = fcntl(raw, F_GETFL)
        if flags >= 0 { _ = fcntl(raw, F_SETFL, flags | CLINUX_O_NOATIME) }
    }

    /// Sets the modification time, in nanoseconds since 1970, and leaves the access time.
    func setModified(_ nanoseconds: Int64) throws(Errno) {
        let times = [timespec(tv_sec: 0, tv_nsec: CLINUX_UTIME_OMIT), FileTime(nanoseconds: nanoseconds).timespec]
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

    /// The length of the hole at `offset`, which reads as zeros, and the end of the data that follows it. If the file
    /// system has no holes or does not report them, everything up to `size` is data.
    func data(from offset: UInt64, size: UInt64) -> (hole: UInt64, end: UInt64) {
        let start = clinux_next_data(raw, off_t(clamping: offset))
        // Only a hole follows.
        if start < 0 { return errno == ENXIO && offset < size ? (size - offset, size) : (0, size) }
        let end = clinux_next_hole(raw, start)
        return (UInt64(start) - offset, end < 0 ? size : UInt64(end))
    }

    /// Skips this many bytes at the current position: they read as zeros and take no space.
    func leaveOut(_ count: Int) throws(Errno) {
        try SystemCall.value { lseek(raw, off_t(count), SEEK_CUR) }
    }

    /// Sets the size of the file.
    func setSize(_ size: Int64) throws(Errno) {
        try SystemCall.value { ftruncate(raw, off_t(size)) }
    }

    /// Copies the contents of another file of this size into this new file: shares them if the file system can,
    /// otherwise the kernel copies everything but the holes.
    ///
    /// - Parameter progress: Called with the bytes copied so far; false cancels the copy.
    /// - Returns: Whether all bytes were copied: the file was long enough and the copy was not cancelled.
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

    /// Writes all of `buffer` at the current position.
    func writeAll(_ buffer: UnsafeRawBufferPointer) throws(Errno) {
        var rest = buffer[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            rest = rest.dropFirst(try SystemCall.value { write(raw, part.baseAddress, part.count) })
        }
    }

    /// Writes all of `bytes` at the current position.
    func writeAll(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = try SystemCall.value {
                rest.withUnsafeBytes { write(raw, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Writes the contents of another file at the current position.
    func writeContents(of other: Descriptor) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var offset: UInt64 = 0
        while case let count = try other.read(into: &buffer, at: offset), count > 0 {
            try writeAll(Array(buffer[..<count]))
            offset += UInt64(count)
        }
    }

    /// Reads into `buffer` at `offset`; 0 is the end.
    func read(into buffer: inout [UInt8], at offset: UInt64) throws(Errno) -> Int {
        try SystemCall.value {
            buffer.withUnsafeMutableBytes { pread(raw, $0.baseAddress, $0.count, off_t(offset)) }
        }
    }

    /// Everything in the file; throws `EFBIG` if that is more than `limit` bytes.
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
