internal import Glibc
internal import Support

/// What folders on demand need of this computer besides Roundel.
package enum FuseSupport: Hashable, Sendable {
    /// Everything is there.
    case complete
    /// `fusermount3` is not in PATH. Debian's package fuse3 has it.
    case noProgram
    /// `/dev/fuse` cannot be opened: the kernel has no FUSE, or this user may not use it, as in many containers.
    case noDevice

    /// What is there now. Asks the disk, but nothing of a synced folder.
    package static func found() -> FuseSupport {
        let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        if device >= 0 { close(device) }
        return found(hasDevice: device >= 0, program: InstalledProgram.path(of: "fusermount3"))
    }

    /// The device is looked at first: without it, the program is of no use.
    package static func found(hasDevice: Bool, program: String?) -> FuseSupport {
        hasDevice ? program == nil ? .noProgram : .complete : .noDevice
    }
}
