import CLinux
import SystemPackage

/// The properties of a file system that matter to the engine.
enum DiskKind: Sendable, Hashable {
    /// On this machine: `syncfs` reaches the disk in one step, and times come from this machine's clock.
    case local
    /// Like a local one, but of several layers (overlayfs): an item that is changed for the first time gets another time
    /// of creation, and a directory perhaps another number.
    case layered
    /// A folder on demand that `roundel-mount` serves: like a local one, but it is made durable by asking that program,
    /// and a file that is to be filled needs a name.
    case onDemand
    /// On another machine: files are made durable one by one, the clock is that machine's, and inode numbers are
    /// permanent.
    case network
    /// Another program's (FUSE), or unknown: like a network file system, but inode numbers may be made up.
    case foreign

    /// The kind of the file system that `descriptor` is on.
    init(of descriptor: Descriptor) throws(Errno) {
        var type: UInt64 = 0
        try SystemCall.value { clinux_file_system_type(descriptor.raw, &type) }
        switch type {
        case Self.layeredType: self = .layered
        case Self.fuseType where MountedPlaces.type(ofMount: try descriptor.status().mount) == "fuse.roundel":
            self = .onDemand
        case _ where Self.localTypes.contains(type): self = .local
        case _ where Self.networkTypes.contains(type): self = .network
        case _: self = .foreign
        }
    }

    /// The grain of the file system's times, in nanoseconds: two changes of a file within it may show the same time.
    /// Local ones stamp with the kernel's tick, others may round to two seconds (FAT).
    var clockGrain: Int64 {
        switch self {
        case .local, .layered, .onDemand: 20_000_000
        case .network, .foreign: 2_020_000_000
        }
    }

    /// Whether it is on this machine, so that its times come from this machine's clock.
    var isLocal: Bool { self == .local || self == .layered || self == .onDemand }

    /// Whether a file keeps its inode number while it exists.
    var keepsInodes: Bool { self != .foreign }

    /// Whether an item keeps its time of creation while it exists.
    var keepsBirth: Bool { self != .layered }

    /// Whether the number of a directory tells that it is the same one after years.
    var keepsRoots: Bool { self != .foreign && self != .layered }

    /// Magic numbers from statfs(2): ext2/3/4, XFS, Btrfs, tmpfs, F2FS, bcachefs, ZFS.
    private static let localTypes: Set<UInt64> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0xCA45_1A4E, 0x2FC1_2FC1,
    ]
    /// FUSE.
    private static let fuseType: UInt64 = 0x6573_5546
    /// Overlay.
    private static let layeredType: UInt64 = 0x794C_7630
    /// NFS, CIFS, SMB2, Ceph.
    private static let networkTypes: Set<UInt64> = [0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x00C3_6400]
}
