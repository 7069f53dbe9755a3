import Glibc
import SystemPackage

/// A FUSE file system whose server reads no request: whoever touches it waits until it is unmounted.
final class DeadMount {
    private let path: FilePath
    private let device: Int32

    private init(path: FilePath, device: Int32) {
        self.path = path
        self.device = device
    }

    /// Where this is false the test is skipped, but in continuous integration it fails.
    static var isPermitted: Bool { geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 }

    static func make(at path: FilePath) throws -> DeadMount? {
        Disk.makeDirectory(path)
        let device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options = "fd=\(device),rootmode=40000,user_id=\(getuid()),group_id=\(getgid())"
        let result = path.withPlatformString {
            mount("roundel-test", $0, "fuse", 6 /* MS_NOSUID | MS_NODEV */, options)
        }
        if result != 0 {
            close(device)
            return nil
        }
        return DeadMount(path: path, device: device)
    }

    func unmount() {
        // Closing the device aborts the connection, so that whoever waits gets an error.
        close(device)
        _ = path.withPlatformString { umount2($0, Int32(MNT_DETACH)) }
    }
}
