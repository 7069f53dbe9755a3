import CLinux

/// How the free space of a file system is measured.
struct DiskMeter: Sendable {
    /// In bytes.
    struct Space: Sendable {
        var available: Int64
        var total: Int64
    }

    /// The space on the file system of an open file; nil if that does not report it.
    let space: @Sendable (Descriptor) -> Space?
    /// Makes the file system carry out what it puts off, so that the room of removed files shows. It may take long.
    let settle: @Sendable (Descriptor) -> Void

    /// What the kernel tells.
    static let kernel = DiskMeter { descriptor in
        var available: UInt64 = 0
        var total: UInt64 = 0
        guard clinux_file_system_space(descriptor.raw, &available, &total) == 0, total > 0 else { return nil }
        // Larger numbers are not real, and sums of clamped numbers cannot overflow.
        return Space(available: Int64(clamping: min(available, 1 << 60)), total: Int64(clamping: min(total, 1 << 60)))
    } settle: { descriptor in
        try? descriptor.synchronizeFileSystem()
    }
}
