import Glibc
import SystemPackage
import TestSupport

/// A directory that is shown at a second place.
final class BindMount {
    private let path: FilePath

    /// Where this is false the test is skipped, but in continuous integration it fails.
    static let isPermitted: Bool = {
        guard geteuid() == 0, let temporary = try? TemporaryDirectory() else { return getenv("CI") != nil }
        let isPossible = (try? BindMount(of: temporary.path, at: temporary.path)) != nil
        return isPossible || getenv("CI") != nil
    }()

    init(of source: FilePath, at path: FilePath) throws {
        self.path = path
        let result = source.withPlatformString { source in
            path.withPlatformString { mount(source, $0, nil, UInt(MS_BIND), nil) }
        }
        if result != 0 { throw Errno(rawValue: errno) }
    }

    /// Takes it from the second place, even while somebody uses it there.
    func unmount() { _ = path.withPlatformString { umount2($0, Int32(MNT_DETACH)) } }

    deinit { unmount() }
}
