import Glibc
import SystemPackage

/// A directory mounted at another place for one test, which needs the superuser; where there is none in CI, that is a
/// failure.
final class BindMounts {
    private let place: String

    static let isPossible = geteuid() == 0 || getenv("CI") != nil

    init(_ source: String, at place: String) throws {
        self.place = place
        guard mount(source, place, nil, UInt(MS_BIND), nil) == 0 else { throw Errno(rawValue: errno) }
    }

    func unmount() { umount2(place, Int32(MNT_DETACH)) }

    deinit { unmount() }
}
