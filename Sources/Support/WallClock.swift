internal import Glibc

/// The calendar's time.
package enum WallClock {
    /// Microseconds since 1970.
    package static var microseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
