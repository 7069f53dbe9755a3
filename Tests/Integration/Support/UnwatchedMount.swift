import Glibc
import TestSupport

/// A file system that works but that nobody watches, because it stands on one that may not answer: an overlay, over whose
/// lower directory a FUSE file system was mounted afterwards.
final class UnwatchedMount {
    let path: String
    private let base: String
    private let silent: SilentMount

    /// - Parameter path: A directory, at which the file system is shown.
    init(at path: String) throws {
        self.path = path
        base = path + ".parts"
        // An overlay cannot stand on another one, as the file system of a container is.
        try Disk.makeDirectory(base)
        guard mount("tmpfs", base, "tmpfs", 0, "size=16m,mode=755") == 0 else { throw Failure("mount: \(errno)") }
        for part in ["lower", "upper", "work"] { try Disk.makeDirectory("\(base)/\(part)") }
        let options = "lowerdir=\(base)/lower,upperdir=\(base)/upper,workdir=\(base)/work"
        guard mount("overlay", path, "overlay", 0, options) == 0 else {
            umount2(base, Int32(MNT_DETACH))
            throw Failure("mount: \(errno)")
        }
        silent = try SilentMount(at: base + "/lower")
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        umount2(base + "/lower", Int32(MNT_DETACH))
        umount2(base, Int32(MNT_DETACH))
    }
}
