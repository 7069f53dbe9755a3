internal import Glibc

/// The calendar's time.
enum WallClock {
    /// Microseconds since 1970.
    static var microseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
    }
}
