internal import CLinux
internal import Glibc
internal import SyncEngine
internal import SystemPackage

/// The room on the disk of a directory, and whether its file system notes when files are used.
struct DiskRoom: Equatable, Sendable {
    /// Bytes that anybody may use.
    var free: Int64
    /// All bytes.
    var total: Int64
    /// Whether it notes when files are read.
    var notesUse: Bool

    /// May block; nil if the file system does not tell.
    init?(near directory: FilePath) {
        var system = statvfs()
        guard directory.withPlatformString({ statvfs($0, &system) }) == 0 else { return nil }
        func bytes(_ blocks: UInt) -> Int64 {
            Int64(clamping: UInt64(blocks).multipliedReportingOverflow(by: UInt64(system.f_frsize)).partialValue)
        }
        free = bytes(system.f_bavail)
        total = bytes(system.f_blocks)
        notesUse = system.f_flag & CLINUX_ST_NOATIME == 0
    }

    /// The bytes that may be fetched, so that enough stays free for other programs.
    func room(leaving floor: FreeSpaceFloor) -> Int64 { max(0, free - floor.bytes(for: .max, total: total)) }
}
