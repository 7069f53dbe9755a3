internal import CFuse
internal import CLinux
internal import Glibc
internal import SystemPackage

/// Answers what the kernel asks of open files.
struct FileService: Sendable {
    let device: KernelDevice
    let doorkeeper: Doorkeeper

    /// - Parameter buffer: Room for what is read; the request is not used any more then.
    func read(_ request: inout KernelRequest, _ buffer: UnsafeMutableRawBufferPointer) throws(Errno) {
        let asked: fuse_read_in = try request.part()
        let wanted = min(Int(asked.size), buffer.count)
        let count = try checked {
            pread(Self.file(asked.fh), buffer.baseAddress, wanted, off_t(truncatingIfNeeded: asked.offset))
        }
        device.answer(request.unique, bytes: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    func write(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_write_in = try request.part()
        let bytes = try request.bytes(Int(asked.size))
        let flags = Int32(bitPattern: asked.flags)
        var written = 0
        while written < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
            let offset = off_t(truncatingIfNeeded: asked.offset) + off_t(written)
            do throws(Errno) {
                written += try checked { cfuse_write(Self.file(asked.fh), rest.baseAddress, rest.count, offset, flags) }
            } catch {
                // What is written counts.
                if written == 0 { throw error }
                break
            }
        }
        device.answer(request.unique, fuse_write_out(size: UInt32(written), padding: 0))
    }

    func close(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_release_in = try request.part()
        doorkeeper.close(Self.file(asked.fh), of: request.node)
        device.confirm(request.unique)
    }

    /// Also of directories.
    func synchronize(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_fsync_in = try request.part()
        let isDataOnly = asked.fsync_flags & UInt32(FUSE_FSYNC_FDATASYNC) != 0
        try checked { isDataOnly ? fdatasync(Self.file(asked.fh)) : fsync(Self.file(asked.fh)) }
        device.confirm(request.unique)
    }

    func allocate(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_fallocate_in = try request.part()
        try checked {
            cfuse_allocate(
                Self.file(asked.fh), Int32(bitPattern: asked.mode), off_t(truncatingIfNeeded: asked.offset),
                off_t(truncatingIfNeeded: asked.length))
        }
        device.confirm(request.unique)
    }

    /// Where data or a hole begins.
    func seek(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_lseek_in = try request.part()
        let place = try checked {
            lseek(Self.file(asked.fh), off_t(truncatingIfNeeded: asked.offset), Int32(bitPattern: asked.whence))
        }
        device.answer(request.unique, fuse_lseek_out(offset: UInt64(place)))
    }

    func copyRange(_ request: inout KernelRequest) throws(Errno) {
        let asked: fuse_copy_file_range_in = try request.part()
        let count = try checked {
            cfuse_copy(
                Self.file(asked.fh_in), off_t(truncatingIfNeeded: asked.off_in), Self.file(asked.fh_out),
                off_t(truncatingIfNeeded: asked.off_out), Int(min(asked.len, 1 << 30)))
        }
        device.answer(request.unique, fuse_write_out(size: UInt32(count), padding: 0))
    }

    private static func file(_ handle: UInt64) -> Int32 { Int32(truncatingIfNeeded: handle) }
}
