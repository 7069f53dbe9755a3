import Glibc

/// A FUSE file system whose server reads no request: whoever asks it anything waits until it is unmounted.
public final class SilentMount {
    private let path: String
    private let device: Int32

    /// Where this is false the test is skipped, but in continuous integration it fails.
    public static var isPermitted: Bool {
        (geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0) || getenv("CI") != nil
    }

    /// - Parameter path: the directory at which it is mounted.
    public init(at path: String) throws {
        self.path = path
        device = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        let options = "fd=\(device),rootmode=40000,user_id=\(getuid()),group_id=\(getgid())"
        guard mount("roundel-test", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
            close(device)
            throw Failure("mount: \(errno)")
        }
    }

    /// Closing the device aborts the connection, so that whoever waits gets an error.
    deinit {
        close(device)
        umount2(path, Int32(MNT_DETACH))
    }
}
