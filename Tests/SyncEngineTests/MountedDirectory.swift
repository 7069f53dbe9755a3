import Glibc
import SystemPackage
import TestSupport
import Testing

/// A small tmpfs mounted for one test. Mounting needs the superuser, so the tests that use one are left out, by name,
/// where there is none; in CI that is a failure.
final class MountedDirectory {
    let directory: TemporaryDirectory

    /// Whether file systems can be mounted here.
    static let isPossible: Bool = {
        if geteuid() == 0, let probe = try? MountedDirectory(options: "size=64k") {
            withExtendedLifetime(probe) {}
            return true
        }
        return getenv("CI") != nil
    }()

    /// - Parameter options: Of mount(8), `size=1m` for example.
    init(options: String) throws {
        directory = try TemporaryDirectory()
        guard mount("none", directory.path.string, "tmpfs", 0, options) == 0 else { throw Errno(rawValue: errno) }
    }

    var path: String { directory.path.string }

    func makeReadOnly() throws {
        guard mount("none", path, nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
    }
}
