import CLinux
import SystemPackage

/// The properties of a file system that matter to the engine.
enum DiskKind: Sendable, Hashable {
    /// On this machine: `syncfs` reaches the disk in one step, and times come from this machine's clock.
    case local
    /// On another machine: files are made durable one by one, the clock is that machine's, and inode numbers are
    /// permanent.
    case network
    /// Another program's (FUSE), or unknown: like a network file system, but inode numbers may be made up.
    case foreign

    /// The kind of the file system that `descriptor` is on.
    init(of descriptor: Descriptor) throws(Errno) {
        var type: UInt64 = 0
        try SystemCall.value { clinux_file_system_type(descriptor.raw, &type) }
        self = Self.localTypes.contains(type) ? .local : Self.networkTypes.contains(type) ? .network : .foreign
    }

    /// The grain of the file system's times, in nanoseconds: two changes of a file within it may show the same time.
    /// Local ones stamp with the kernel's tick, others may round to two seconds (FAT).
    var clockGrain: Int64 {
        switch self {
        case .local: 20_000_000
        case .network, .foreign: 2_020_000_000
        }
    }

    /// Whether a file keeps its inode number while it exists.
    var keepsInodes: Bool { self != .foreign }

    /// Magic numbers from statfs(2): ext2/3/4, XFS, Btrfs, tmpfs, F2FS, overlay, bcachefs, ZFS.
    private static let localTypes: Set<UInt64> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x794C_7630, 0xCA45_1A4E, 0x2FC1_2FC1,
    ]
    /// NFS, CIFS, SMB2, Ceph.
    private static let networkTypes: Set<UInt64> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400]
}
