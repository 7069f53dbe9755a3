import CLinux
import Glibc
public import SyncCore

extension Moment {
    /// The present.
    public static var now: Moment {
        var monotonic = timespec()
        clock_gettime(CLOCK_BOOTTIME, &monotonic)
        var seconds = time(nil)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return Moment(
            monotonic: Int64(monotonic.tv_sec) * 1_000 + Int64(monotonic.tv_nsec) / 1_000_000,
            unixSeconds: Int64(seconds), utcOffset: parts.tm_gmtoff)
    }
}
