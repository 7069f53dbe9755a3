internal import CFuse

/// What is agreed with the kernel when a folder is mounted.
enum KernelSession {
    /// For as long as anybody can use it: only this program changes what is behind, and it says so.
    static let forever: UInt64 = 1 << 30

    /// The answer to FUSE_INIT; nil for a kernel whose protocol is another.
    ///
    /// Not asked for: the write-back cache, whose data SEEK_DATA does not see; locks, which the kernel keeps alone as well;
    /// and everything that is for what changes behind the kernel's back.
    static func answer(to asked: fuse_init_in) -> fuse_init_out? {
        guard asked.major == FUSE_KERNEL_VERSION, asked.minor >= 31 else { return nil }
        let wanted =
            FUSE_ASYNC_READ | FUSE_ATOMIC_O_TRUNC | FUSE_BIG_WRITES | FUSE_DONT_MASK | FUSE_DO_READDIRPLUS
            | FUSE_ASYNC_DIO | FUSE_PARALLEL_DIROPS | FUSE_POSIX_ACL | FUSE_MAX_PAGES | FUSE_CACHE_SYMLINKS
            | FUSE_EXPLICIT_INVAL_DATA | FUSE_HANDLE_KILLPRIV_V2
        var answer = fuse_init_out()
        answer.major = UInt32(FUSE_KERNEL_VERSION)
        answer.minor = min(asked.minor, UInt32(FUSE_KERNEL_MINOR_VERSION))
        answer.max_readahead = asked.max_readahead
        answer.flags = asked.flags & UInt32(wanted)
        answer.max_background = 64
        answer.congestion_threshold = 48
        answer.max_write = UInt32(KernelDevice.partLimit)
        answer.time_gran = 1
        answer.max_pages = UInt16(KernelDevice.partLimit / 4_096)
        return answer
    }
}
